// When two results count as equal. One rule for all kernels, derived from rounding analysis; nothing here is tunable.
//
//   executor against Spec:  |cuda - exact| <= 8·E
//   tile against Spec:      |tile - exact| <= 4·|cuda - exact| + 8·E
//
// E is the first-order rounding bound of the Spec at that element (spec::boundSpec). Each side gets a floor of 16
// smallest normal numbers of its type, because E knows no underflow. Integers must be equal. A NaN matches a NaN, an
// infinity one of its sign, and an exact value beyond the type's range also matches an infinity. Where E is infinite
// and the exact value finite (an overflow inside, as in a softmax that subtracts no maximum) the kinds must be equal:
// the executor's that of the Spec evaluated in its own precision (`native`), the tile program's that of the executor.
#pragma once

#include <string>

#include "kernel_port/launch/element_type.h"

namespace np::kernel_port::certify {

enum class Agreement {
  Yes,
  No,
  Unbounded,  // E is infinite here and both sides are finite: nothing can be concluded
};

Agreement agreesWithSpec(double cuda, double exact, double native, double bound, launch::ElementType type);
Agreement tileAgrees(double tile, double cuda, double exact, double bound, launch::ElementType type);

}  // namespace np::kernel_port::certify
