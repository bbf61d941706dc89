// c10::BFloat16: storage in the compiler's __bf16, arithmetic in float, rounded once per operation.
#pragma once
#pragma clang system_header
#include <cuda_bf16.h>
#include "macros.h"

#include <limits>

namespace c10 {
struct alignas(2) BFloat16 {
  __bf16 np_value;
#ifdef __CUDA__
  // The bit pattern, read and written as a field.
  __declspec(property(get = np_bits, put = np_set_bits)) unsigned short x;
#endif
  NP_MEMBER unsigned short np_bits() const { return __builtin_bit_cast(unsigned short, np_value); }
  NP_MEMBER unsigned short np_set_bits(unsigned short bits) {
    np_value = __builtin_bit_cast(__bf16, bits);
    return bits;
  }
  struct from_bits_t {};
  NP_MEMBER static constexpr from_bits_t from_bits() { return from_bits_t(); }
  BFloat16() = default;
  NP_MEMBER constexpr BFloat16(unsigned short bits, from_bits_t) : np_value(__builtin_bit_cast(__bf16, bits)) {}
  NP_MEMBER BFloat16(float value) : np_value((__bf16)value) {}
  NP_MEMBER operator float() const { return (float)np_value; }
  NP_MEMBER BFloat16(const __nv_bfloat16& value) : np_value(value.np_value) {}
  NP_MEMBER explicit operator __nv_bfloat16() const { return __nv_bfloat16::np_make(np_value); }
};
NP_HD BFloat16 operator+(const BFloat16& a, const BFloat16& b) { return BFloat16((float)a + (float)b); }
NP_HD BFloat16 operator-(const BFloat16& a, const BFloat16& b) { return BFloat16((float)a - (float)b); }
NP_HD BFloat16 operator*(const BFloat16& a, const BFloat16& b) { return BFloat16((float)a * (float)b); }
NP_HD BFloat16 operator/(const BFloat16& a, const BFloat16& b) { return BFloat16((float)a / (float)b); }
NP_HD BFloat16 operator-(const BFloat16& a) { return BFloat16(-(float)a); }
NP_HD BFloat16& operator+=(BFloat16& a, const BFloat16& b) { return a = a + b; }
NP_HD BFloat16& operator-=(BFloat16& a, const BFloat16& b) { return a = a - b; }
NP_HD BFloat16& operator*=(BFloat16& a, const BFloat16& b) { return a = a * b; }
NP_HD BFloat16& operator/=(BFloat16& a, const BFloat16& b) { return a = a / b; }
NP_HD float operator+(BFloat16 a, float b) { return (float)(float)a + b; }
NP_HD float operator+(float a, BFloat16 b) { return a + (float)(float)b; }
NP_HD float operator-(BFloat16 a, float b) { return (float)(float)a - b; }
NP_HD float operator-(float a, BFloat16 b) { return a - (float)(float)b; }
NP_HD float operator*(BFloat16 a, float b) { return (float)(float)a * b; }
NP_HD float operator*(float a, BFloat16 b) { return a * (float)(float)b; }
NP_HD float operator/(BFloat16 a, float b) { return (float)(float)a / b; }
NP_HD float operator/(float a, BFloat16 b) { return a / (float)(float)b; }
NP_HD double operator+(BFloat16 a, double b) { return (double)(float)a + b; }
NP_HD double operator+(double a, BFloat16 b) { return a + (double)(float)b; }
NP_HD double operator-(BFloat16 a, double b) { return (double)(float)a - b; }
NP_HD double operator-(double a, BFloat16 b) { return a - (double)(float)b; }
NP_HD double operator*(BFloat16 a, double b) { return (double)(float)a * b; }
NP_HD double operator*(double a, BFloat16 b) { return a * (double)(float)b; }
NP_HD double operator/(BFloat16 a, double b) { return (double)(float)a / b; }
NP_HD double operator/(double a, BFloat16 b) { return a / (double)(float)b; }
NP_HD float& operator+=(float& a, const BFloat16& b) { return a = a + (float)b; }
NP_HD float& operator-=(float& a, const BFloat16& b) { return a = a - (float)b; }
NP_HD float& operator*=(float& a, const BFloat16& b) { return a = a * (float)b; }
NP_HD float& operator/=(float& a, const BFloat16& b) { return a = a / (float)b; }
NP_HD BFloat16 operator+(BFloat16 a, int b) { return a + BFloat16((float)b); }
NP_HD BFloat16 operator+(int a, BFloat16 b) { return BFloat16((float)a) + b; }
NP_HD BFloat16 operator-(BFloat16 a, int b) { return a - BFloat16((float)b); }
NP_HD BFloat16 operator-(int a, BFloat16 b) { return BFloat16((float)a) - b; }
NP_HD BFloat16 operator*(BFloat16 a, int b) { return a * BFloat16((float)b); }
NP_HD BFloat16 operator*(int a, BFloat16 b) { return BFloat16((float)a) * b; }
NP_HD BFloat16 operator/(BFloat16 a, int b) { return a / BFloat16((float)b); }
NP_HD BFloat16 operator/(int a, BFloat16 b) { return BFloat16((float)a) / b; }
NP_HD BFloat16 operator+(BFloat16 a, int64_t b) { return a + BFloat16((float)b); }
NP_HD BFloat16 operator+(int64_t a, BFloat16 b) { return BFloat16((float)a) + b; }
NP_HD BFloat16 operator-(BFloat16 a, int64_t b) { return a - BFloat16((float)b); }
NP_HD BFloat16 operator-(int64_t a, BFloat16 b) { return BFloat16((float)a) - b; }
NP_HD BFloat16 operator*(BFloat16 a, int64_t b) { return a * BFloat16((float)b); }
NP_HD BFloat16 operator*(int64_t a, BFloat16 b) { return BFloat16((float)a) * b; }
NP_HD BFloat16 operator/(BFloat16 a, int64_t b) { return a / BFloat16((float)b); }
NP_HD BFloat16 operator/(int64_t a, BFloat16 b) { return BFloat16((float)a) / b; }
// Comparison as floats. Templates, so that a mixed comparison takes the built-in operator of the other type.
template <class T>
NP_HD typename np_enable_if<__is_same(T, BFloat16), bool>::type operator<(const T& a, const T& b) {
  return (float)a.np_value < (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, BFloat16), bool>::type operator>(const T& a, const T& b) {
  return (float)a.np_value > (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, BFloat16), bool>::type operator<=(const T& a, const T& b) {
  return (float)a.np_value <= (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, BFloat16), bool>::type operator>=(const T& a, const T& b) {
  return (float)a.np_value >= (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, BFloat16), bool>::type operator==(const T& a, const T& b) {
  return (float)a.np_value == (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, BFloat16), bool>::type operator!=(const T& a, const T& b) {
  return (float)a.np_value != (float)b.np_value;
}
}  // namespace c10

namespace std {
template <>
class numeric_limits<c10::BFloat16> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr int min_exponent = -125;
  static constexpr int max_exponent = 128;
  static constexpr int radix = 2;
  static __host__ __device__ constexpr c10::BFloat16 min() { return c10::BFloat16(0x0080, c10::BFloat16::from_bits()); }
  static __host__ __device__ constexpr c10::BFloat16 max() { return c10::BFloat16(0x7f7f, c10::BFloat16::from_bits()); }
  static __host__ __device__ constexpr c10::BFloat16 lowest() {
    return c10::BFloat16(0xff7f, c10::BFloat16::from_bits());
  }
  static __host__ __device__ constexpr c10::BFloat16 epsilon() {
    return c10::BFloat16(0x3c00, c10::BFloat16::from_bits());
  }
  static __host__ __device__ constexpr c10::BFloat16 infinity() {
    return c10::BFloat16(0x7f80, c10::BFloat16::from_bits());
  }
  static __host__ __device__ constexpr c10::BFloat16 quiet_NaN() {
    return c10::BFloat16(0x7fc0, c10::BFloat16::from_bits());
  }
  static __host__ __device__ constexpr c10::BFloat16 denorm_min() {
    return c10::BFloat16(0x0001, c10::BFloat16::from_bits());
  }
};
}  // namespace std
