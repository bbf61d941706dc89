// Where a padded load may stand in a product.
#pragma once

#include "analyzer/base/result.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::schedule {

// SCHED-PAD-FACTOR for a product in which the zero outside a buffer could meet an infinite factor. A kernel skips the
// whole product there, the tile program multiplies by the zero: the two agree only while the other factor is finite,
// and only loads are checked to be so. Allowed beside padded loads: one load, and constants of magnitude at most 1.
Result<void> checkPadFactors(spec::Expr root);

}  // namespace np::kernel_port::schedule
