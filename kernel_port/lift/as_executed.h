// AsExecuted: normal form that keeps every operation the kernel executed, except that the order in which many like
// terms are added (or maximised) is dropped.
//
//   ((x0*w0 + x1*w1) + x2*w2) ..    Sum{x0*w0, x1*w1, x2*w2 ..}      a reduction, whatever its order
//   (a - b)*c/d                     stays (a - b)*c/d
//
// This is the form a Spec is made of where it suffices; canonicalise.h is the algebra for the rest.
#pragma once

#include <vector>

#include "kernel_port/lift/expr_dag.h"
#include "kernel_port/lift/shape_hash.h"

namespace np::kernel_port::lift {

class AsExecuted {
 public:
  explicit AsExecuted(ExprDag& dag) : dag_(dag), shapes_(dag) {}

  // The normal form of a raw node; normal forms map to themselves.
  NodeId normal(NodeId raw);

 private:
  NodeId compute(NodeId raw);
  NodeId sum(NodeId raw);
  NodeId extremum(NodeId raw);
  NodeId binary(NodeId raw);
  bool hasReduction(const std::vector<std::pair<NodeId, double>>& terms);

  ExprDag& dag_;
  ShapeHash shapes_;
  std::vector<NodeId> memo_;
};

}  // namespace np::kernel_port::lift
