// ShapeHash: a hash of a node without its integers, equal for the same formula at other indices and other sizes.
#pragma once

#include <vector>

#include "kernel_port/lift/expr_dag.h"

namespace np::kernel_port::lift {

class ShapeHash {
 public:
  explicit ShapeHash(const ExprDag& dag) : dag_(dag) {}
  uint64_t of(NodeId id);

 private:
  const ExprDag& dag_;
  std::vector<uint64_t> shapes_;  // by node; 0 is none yet
};

}  // namespace np::kernel_port::lift
