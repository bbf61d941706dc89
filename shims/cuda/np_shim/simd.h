// SIMD-in-a-word intrinsics: four bytes or two halfwords of an unsigned int, element by element.
#pragma once
#pragma clang system_header
#include "../host_defines.h"

// Applies `expression` over elements a and b of type Element, `count` of them, `bits` wide.
#define NP_SIMD(name, Element, count, bits, expression)                             \
  NP_FN unsigned int name(unsigned int word_a, unsigned int word_b) {               \
    unsigned int result = 0;                                                        \
    for (int i = 0; i < count; i++) {                                               \
      int a = (Element)(word_a >> (bits * i)), b = (Element)(word_b >> (bits * i)); \
      result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << (bits * i);    \
    }                                                                               \
    return result;                                                                  \
  }
#define NP_CLAMP(value, low, high) ((value) < (low) ? (low) : (value) > (high) ? (high) : (value))
#define NP_ABS(value) ((value) < 0 ? -(value) : (value))
#define NP_SIMD_ALL(suffix, count, bits, Signed, Unsigned, low, high, top)   \
  NP_SIMD(__vadd##suffix, Unsigned, count, bits, a + b)                      \
  NP_SIMD(__vsub##suffix, Unsigned, count, bits, a - b)                      \
  NP_SIMD(__vaddss##suffix, Signed, count, bits, NP_CLAMP(a + b, low, high)) \
  NP_SIMD(__vsubss##suffix, Signed, count, bits, NP_CLAMP(a - b, low, high)) \
  NP_SIMD(__vaddus##suffix, Unsigned, count, bits, NP_CLAMP(a + b, 0, top))  \
  NP_SIMD(__vsubus##suffix, Unsigned, count, bits, NP_CLAMP(a - b, 0, top))  \
  NP_SIMD(__vmaxs##suffix, Signed, count, bits, a > b ? a : b)               \
  NP_SIMD(__vmins##suffix, Signed, count, bits, a < b ? a : b)               \
  NP_SIMD(__vmaxu##suffix, Unsigned, count, bits, a > b ? a : b)             \
  NP_SIMD(__vminu##suffix, Unsigned, count, bits, a < b ? a : b)             \
  NP_SIMD(__vavgs##suffix, Signed, count, bits, (a + b + (a + b >= 0)) >> 1) \
  NP_SIMD(__vavgu##suffix, Unsigned, count, bits, (a + b + 1) >> 1)          \
  NP_SIMD(__vabsdiffs##suffix, Signed, count, bits, NP_ABS(a - b))           \
  NP_SIMD(__vabsdiffu##suffix, Unsigned, count, bits, NP_ABS(a - b))         \
  NP_SIMD(__vcmpeq##suffix, Unsigned, count, bits, a == b ? top : 0)         \
  NP_SIMD(__vcmpne##suffix, Unsigned, count, bits, a != b ? top : 0)         \
  NP_SIMD(__vcmpgts##suffix, Signed, count, bits, a > b ? top : 0)           \
  NP_SIMD(__vcmpges##suffix, Signed, count, bits, a >= b ? top : 0)          \
  NP_SIMD(__vcmplts##suffix, Signed, count, bits, a < b ? top : 0)           \
  NP_SIMD(__vcmples##suffix, Signed, count, bits, a <= b ? top : 0)          \
  NP_SIMD(__vcmpgtu##suffix, Unsigned, count, bits, a > b ? top : 0)         \
  NP_SIMD(__vcmpgeu##suffix, Unsigned, count, bits, a >= b ? top : 0)        \
  NP_SIMD(__vcmpltu##suffix, Unsigned, count, bits, a < b ? top : 0)         \
  NP_SIMD(__vcmpleu##suffix, Unsigned, count, bits, a <= b ? top : 0)        \
  NP_SIMD(__vseteq##suffix, Unsigned, count, bits, a == b)                   \
  NP_SIMD(__vsetne##suffix, Unsigned, count, bits, a != b)
NP_SIMD_ALL(4, 4, 8, signed char, unsigned char, -128, 127, 255)
NP_SIMD_ALL(2, 2, 16, short, unsigned short, -32768, 32767, 65535)
#undef NP_SIMD_ALL
#undef NP_SIMD
#undef NP_CLAMP
#undef NP_ABS
NP_FN unsigned int __vneg4(unsigned int a) { return __vsub4(0, a); }
NP_FN unsigned int __vneg2(unsigned int a) { return __vsub2(0, a); }
NP_FN unsigned int __vabs4(unsigned int a) { return __vsub4(__vmaxs4(a, 0), __vmins4(a, 0)); }
NP_FN unsigned int __vabs2(unsigned int a) { return __vsub2(__vmaxs2(a, 0), __vmins2(a, 0)); }
