// Canonicaliser: raw nodes of an ExprDag to canonical ones, so that a tree reduction, a shuffle butterfly and a plain
// loop over the same elements become one node.
//
//   ((x0 + x1) + (x2 + x3))        Sum{x0, x1, x2, x3}
//   (a * b) / c                    Product{a, b, Recip c}
//   max(max(x0, x1), x2)           MaxOf{x0, x1, x2}
//   m < v ? v : m                  MaxOf{m, v}
//   exp(a) * exp(b)                exp(a + b)
//
// Each rule that is not exact for IEEE floats records what it takes for granted (ExprDag::assumptions).
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "kernel_port/lift/expr_dag.h"
#include "kernel_port/lift/shape_hash.h"

namespace np::kernel_port::lift {

enum class FactorOrder {
  Program,  // equal-shaped factors stay in program order, so that x[i]*x[j] keeps one meaning for all i and j
  Sorted,   // fully commutative: for comparing two nodes
};

class Canonicaliser {
 public:
  Canonicaliser(ExprDag& dag, FactorOrder order) : dag_(dag), order_(order), shapes_(dag) {}

  // The canonical node of a raw node. Canonical nodes map to themselves.
  NodeId canonical(NodeId raw);

  // True once the algebra became too much work; results are then no longer canonical.
  bool exhausted() const { return work_ > kMostWork; }

 private:
  static constexpr int64_t kMostWork = 3'000'000;  // terms multiplied out
  using Term = std::pair<NodeId, double>;
  struct Terms {
    std::vector<Term> list;
    double constant = 0;
  };

  NodeId compute(NodeId raw);
  NodeId canonicalAdd(NodeId raw);
  // Leaves of a tree of additions; `repeated`: one was reached more than once.
  std::vector<Term> flattenAdd(NodeId raw, bool& repeated) const;
  void addTerm(Terms& terms, NodeId canonical, double factor, bool atomic = false);
  // Merges equal terms; true if any were merged.
  static bool merge(Terms& terms);
  NodeId makeSum(Terms& terms);
  NodeId combine(NodeId a, NodeId b, double factor_b);

  NodeId canonicalMul(NodeId raw);
  NodeId product(double factor, std::vector<NodeId> factors);
  NodeId makeProduct(double factor, std::vector<NodeId> factors);
  void cancelReciprocals(std::vector<NodeId>& factors);
  NodeId expOfSum(const std::vector<NodeId>& exponentials);
  // Multiplies out `a` where it is a product with a sum.
  NodeId expand(NodeId a);
  NodeId recip(NodeId a);
  bool isExp(NodeId id) const;
  bool hasExp(NodeId id) const;

  NodeId canonicalExtremum(NodeId raw);
  void addExtremum(std::vector<NodeId>& set, double& bound, NodeId canonical, bool minimum);
  NodeId makeExtremum(std::vector<NodeId> set, double bound, bool minimum);
  NodeId canonicalSelect(NodeId raw);
  NodeId guardedStep(NodeId raw);
  NodeId selectOf(NodeId condition, NodeId a, NodeId b);
  NodeId foldedMaximum(NodeId condition, NodeId a, NodeId b);
  NodeId substitute(NodeId in, NodeId from, NodeId to, std::unordered_map<NodeId, NodeId>& done);
  NodeId rebuild(NodeId id, std::vector<NodeId> args);

  ExprDag& dag_;
  FactorOrder order_;
  std::vector<NodeId> memo_;
  std::map<std::pair<NodeId, NodeId>, NodeId> merged_;  // products of two exponentials
  int64_t work_ = 0;
  ShapeHash shapes_;
};

}  // namespace np::kernel_port::lift
