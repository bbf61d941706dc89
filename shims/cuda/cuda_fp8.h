// 8-bit floating types: E4M3 (no infinity, largest 448) and E5M2. Conversions round once, to nearest even.
#pragma once
#pragma clang system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// `mantissa` bits and the exponent `least` of the smallest normal number define the format. A code counts steps from
// zero, so that rounding up into the next exponent needs no care.
NP_HD __nv_fp8_storage_t np_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const int mantissa = kind == __NV_E4M3 ? 3 : 2, least = kind == __NV_E4M3 ? -6 : -14;
  const unsigned int greatest = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = kind == __NV_E4M3 ? 0x7f : 0x7c;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const unsigned int sign = (unsigned int)(bits >> 63) << 7;
  if (x != x) return 0x7f;
  const double size = __builtin_bit_cast(double, bits & 0x7fffffffffffffffull);
  if (size >= 65536.0) return (__nv_fp8_storage_t)(sign | (saturate == __NV_SATFINITE ? greatest : beyond));
  int exponent = (int)(bits >> 52 & 2047) - 1023;
  if (exponent < least) exponent = least;
  const double scale = __builtin_bit_cast(double, (unsigned long long)(1023 + mantissa - exponent) << 52);
  const double steps = (size * scale + 4503599627370496.0) - 4503599627370496.0;
  unsigned int code = (unsigned int)steps + ((unsigned int)(exponent - least) << mantissa);
  if (code > greatest) code = saturate == __NV_SATFINITE ? greatest : beyond;
  return (__nv_fp8_storage_t)(sign | code);
}
NP_HD float np_from_fp8(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  const int mantissa = kind == __NV_E4M3 ? 3 : 2, least = kind == __NV_E4M3 ? -6 : -14;
  const unsigned int code = x & 0x7f;
  float size;
  if (code == 0x7f || (kind == __NV_E5M2 && code > 0x7c)) {
    size = __builtin_nanf("");
  } else if (kind == __NV_E5M2 && code == 0x7c) {
    size = __builtin_huge_valf();
  } else {
    const int exponent = (int)(code >> mantissa);
    const unsigned int fraction = code & ((1u << mantissa) - 1);
    const unsigned int whole = exponent == 0 ? fraction : fraction | (1u << mantissa);
    const int power = (exponent == 0 ? 0 : exponent - 1) + least - mantissa;
    size = (float)whole * __builtin_bit_cast(float, (unsigned int)(127 + power) << 23);
  }
  return x & 0x80 ? -size : size;
}
NP_HD __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return np_to_fp8((double)x, saturate, kind);
}
NP_HD __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return np_to_fp8(x, saturate, kind);
}
NP_HD __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t kind) {
  return np_to_fp8((double)(float)__builtin_bit_cast(_Float16, x.x), saturate, kind);
}
NP_HD __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind) {
  return np_to_fp8((double)__builtin_bit_cast(float, (unsigned int)x.x << 16), saturate, kind);
}
NP_HD __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(np_to_fp8(x.x, saturate, kind) | np_to_fp8(x.y, saturate, kind) << 8);
}
NP_HD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half_raw{__builtin_bit_cast(unsigned short, (_Float16)np_from_fp8(x, kind))};
}
NP_HD __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                     __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}
#define NP_FP8(Name, kind)                                                                                       \
  struct Name {                                                                                                  \
    __nv_fp8_storage_t __x;                                                                                      \
    Name() = default;                                                                                            \
    NP_MEMBER explicit Name(float value) : __x(np_to_fp8(value, __NV_SATFINITE, kind)) {}                        \
    NP_MEMBER explicit Name(double value) : __x(np_to_fp8(value, __NV_SATFINITE, kind)) {}                       \
    NP_MEMBER explicit Name(const __half& v) : __x(np_to_fp8((float)v.np_value, __NV_SATFINITE, kind)) {}        \
    NP_MEMBER explicit Name(const __nv_bfloat16& v) : __x(np_to_fp8((float)v.np_value, __NV_SATFINITE, kind)) {} \
    NP_MEMBER explicit operator float() const { return np_from_fp8(__x, kind); }                                 \
    NP_MEMBER explicit operator double() const { return np_from_fp8(__x, kind); }                                \
    NP_MEMBER explicit operator __half() const { return __half::np_make((_Float16)np_from_fp8(__x, kind)); }     \
    NP_MEMBER explicit operator __nv_bfloat16() const {                                                          \
      return __nv_bfloat16::np_make((__bf16)np_from_fp8(__x, kind));                                             \
    }                                                                                                            \
  };
NP_FP8(__nv_fp8_e4m3, __NV_E4M3)
NP_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef NP_FP8
struct __nv_fp8x2_e4m3 {
  __nv_fp8x2_storage_t __x;
};
struct __nv_fp8x4_e4m3 {
  __nv_fp8x4_storage_t __x;
};
