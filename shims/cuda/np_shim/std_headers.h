// The C++ library headers that device code leans on. In CUDA mode device math has been declared first
// (math_declare.h says why); constexpr library functions are host+device by Clang's rule.
#pragma once
#pragma clang system_header

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
