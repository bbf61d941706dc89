// C++ overloads of the device math functions: exp(float) beside exp(double), integer arguments, and namespace std.
// They forward to the extern "C" names; comparisons and classification are plain IR.
#pragma once
#pragma clang system_header
#include "math_declare.h"

#define NP_UNARY(name)                                                               \
  NP_FN float name(float x) { return name##f(x); }                                   \
  template <class Int>                                                               \
  NP_FN typename np_enable_if<np_is_integer<Int>::value, double>::type name(Int x) { \
    return name((double)x);                                                          \
  }
#define NP_BINARY(name) \
  NP_FN float name(float x, float y) { return name##f(x, y); }
#define NP_TO_INTEGER(name, type) \
  NP_FN type name(float x) { return name##f(x); }
NP_MATH_UNARY_STD(NP_UNARY)
NP_MATH_UNARY_CUDA(NP_UNARY)
NP_MATH_BINARY_STD(NP_BINARY)
NP_MATH_BINARY_CUDA(NP_BINARY)
NP_MATH_TO_INTEGER_STD(NP_TO_INTEGER)
#undef NP_UNARY
#undef NP_BINARY
#undef NP_TO_INTEGER

NP_FN float fma(float x, float y, float z) { return fmaf(x, y, z); }
NP_FN float ldexp(float x, int e) { return ldexpf(x, e); }
NP_FN float scalbn(float x, int e) { return scalbnf(x, e); }
NP_FN float scalbln(float x, long e) { return scalblnf(x, e); }
NP_FN float frexp(float x, int* e) { return frexpf(x, e); }
NP_FN float modf(float x, float* whole) { return modff(x, whole); }
NP_FN float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
NP_FN void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
NP_FN void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
NP_FN float pow(float x, int y) { return powf(x, (float)y); }
NP_FN double pow(double x, int y) { return pow(x, (double)y); }

NP_FN float abs(float x) { return fabsf(x); }
NP_FN double abs(double x) { return fabs(x); }
NP_FN int abs(int x) { return x < 0 ? -x : x; }
NP_FN long abs(long x) { return x < 0 ? -x : x; }
NP_FN long long abs(long long x) { return x < 0 ? -x : x; }
NP_FN long labs(long x) { return x < 0 ? -x : x; }
NP_FN long long llabs(long long x) { return x < 0 ? -x : x; }

#define NP_CLASSIFY(type, fabs_name, infinity, smallest)                          \
  NP_FN bool isnan(type x) { return x != x; }                                     \
  NP_FN bool isinf(type x) { return fabs_name(x) == infinity; }                   \
  NP_FN bool isfinite(type x) { return fabs_name(x) < infinity; }                 \
  NP_FN bool isnormal(type x) { return isfinite(x) && fabs_name(x) >= smallest; } \
  NP_FN bool isgreater(type x, type y) { return x > y; }                          \
  NP_FN bool isgreaterequal(type x, type y) { return x >= y; }                    \
  NP_FN bool isless(type x, type y) { return x < y; }                             \
  NP_FN bool islessequal(type x, type y) { return x <= y; }                       \
  NP_FN bool islessgreater(type x, type y) { return x < y || x > y; }             \
  NP_FN bool isunordered(type x, type y) { return x != x || y != y; }
NP_CLASSIFY(float, fabsf, __builtin_huge_valf(), __FLT_MIN__)
NP_CLASSIFY(double, fabs, __builtin_huge_val(), __DBL_MIN__)
#undef NP_CLASSIFY
NP_FN bool signbit(float x) { return __builtin_bit_cast(int, x) < 0; }
NP_FN bool signbit(double x) { return __builtin_bit_cast(long long, x) < 0; }

namespace std {
#define NP_USING(name) using ::name;
#define NP_USING2(name, type) using ::name;
NP_MATH_UNARY_STD(NP_USING)
NP_MATH_BINARY_STD(NP_USING)
NP_MATH_TO_INTEGER_STD(NP_USING2)
#undef NP_USING
#undef NP_USING2
using ::abs;
using ::fma;
using ::frexp;
using ::isfinite;
using ::isgreater;
using ::isgreaterequal;
using ::isinf;
using ::isless;
using ::islessequal;
using ::islessgreater;
using ::isnan;
using ::isnormal;
using ::isunordered;
using ::ldexp;
using ::modf;
using ::remquo;
using ::scalbln;
using ::scalbn;
using ::signbit;
// The float forms live in std as well (std::expf).
#define NP_USINGF(name) using ::name##f;
NP_MATH_UNARY_STD(NP_USINGF)
NP_MATH_BINARY_STD(NP_USINGF)
using ::fmaf;
#undef NP_USINGF
}  // namespace std
