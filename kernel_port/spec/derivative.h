// First-order rounding bounds of single operations.
#pragma once

#include <vector>

#include "kernel_port/spec/spec.h"

namespace np::kernel_port::spec {

// The bound of a pointwise node's result from the values and bounds of its arguments: sum of |derivative| * bound plus
// the node's own unit roundoff times |result|.
double nodeBound(Expr e, const std::vector<double>& values, const std::vector<double>& bounds, double result);

}  // namespace np::kernel_port::spec
