// The C++ library headers that device code leans on, in the order that makes libstdc++ usable in both passes.
// Device math is declared first (math_declare.h says why); constexpr library functions are host+device by Clang's rule.
#pragma once
#pragma clang system_header
#include "math_overloads.h"

// clang-format off
#include <new>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cstdio>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <math.h>
#include <limits>
#include <type_traits>
#include <utility>
// clang-format on
