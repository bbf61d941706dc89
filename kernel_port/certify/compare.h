// When two results count as equal. One rule for all kernels, derived from rounding analysis; nothing here is tunable.
//
//   executor against Spec:  |cuda - exact| <= 8·E
//   tile against Spec:      |tile - exact| <= 4·|cuda - exact| + 8·E
//
// E is the first-order rounding bound of the Spec at that element (spec::boundSpec). Each side gets a floor of 16
// smallest normal numbers of its type, because E knows no underflow. Integers must be equal. A NaN matches a NaN, an
// infinity one of its sign, and an exact value beyond the type's range also matches an infinity.
#pragma once

#include <string>

#include "kernel_port/launch/element_type.h"

namespace np::kernel_port::certify {

enum class Agreement {
  Yes,
  No,
  Unbounded,  // E is infinite here: nothing can be concluded
};

Agreement agreesWithSpec(double cuda, double exact, double bound, launch::ElementType type);
Agreement tileAgrees(double tile, double cuda, double exact, double bound, launch::ElementType type);

}  // namespace np::kernel_port::certify
