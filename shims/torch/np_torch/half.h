// c10::Half: storage in the compiler's _Float16, arithmetic in float, rounded once per operation.
#pragma once
#pragma clang system_header
#include <cuda_fp16.h>
#include "macros.h"

#include <limits>

namespace c10 {
struct alignas(2) Half {
  _Float16 np_value;
#ifdef __CUDA__
  // The bit pattern, read and written as a field.
  __declspec(property(get = np_bits, put = np_set_bits)) unsigned short x;
#endif
  NP_MEMBER unsigned short np_bits() const { return __builtin_bit_cast(unsigned short, np_value); }
  NP_MEMBER unsigned short np_set_bits(unsigned short bits) {
    np_value = __builtin_bit_cast(_Float16, bits);
    return bits;
  }
  struct from_bits_t {};
  NP_MEMBER static constexpr from_bits_t from_bits() { return from_bits_t(); }
  Half() = default;
  NP_MEMBER constexpr Half(unsigned short bits, from_bits_t) : np_value(__builtin_bit_cast(_Float16, bits)) {}
  NP_MEMBER Half(float value) : np_value((_Float16)value) {}
  NP_MEMBER operator float() const { return (float)np_value; }
  NP_MEMBER Half(const __half& value) : np_value(value.np_value) {}
  NP_MEMBER operator __half() const { return __half::np_make(np_value); }
};
NP_HD Half operator+(const Half& a, const Half& b) { return Half((float)a + (float)b); }
NP_HD Half operator-(const Half& a, const Half& b) { return Half((float)a - (float)b); }
NP_HD Half operator*(const Half& a, const Half& b) { return Half((float)a * (float)b); }
NP_HD Half operator/(const Half& a, const Half& b) { return Half((float)a / (float)b); }
NP_HD Half operator-(const Half& a) { return Half(-(float)a); }
NP_HD Half& operator+=(Half& a, const Half& b) { return a = a + b; }
NP_HD Half& operator-=(Half& a, const Half& b) { return a = a - b; }
NP_HD Half& operator*=(Half& a, const Half& b) { return a = a * b; }
NP_HD Half& operator/=(Half& a, const Half& b) { return a = a / b; }
NP_HD float operator+(Half a, float b) { return (float)(float)a + b; }
NP_HD float operator+(float a, Half b) { return a + (float)(float)b; }
NP_HD float operator-(Half a, float b) { return (float)(float)a - b; }
NP_HD float operator-(float a, Half b) { return a - (float)(float)b; }
NP_HD float operator*(Half a, float b) { return (float)(float)a * b; }
NP_HD float operator*(float a, Half b) { return a * (float)(float)b; }
NP_HD float operator/(Half a, float b) { return (float)(float)a / b; }
NP_HD float operator/(float a, Half b) { return a / (float)(float)b; }
NP_HD double operator+(Half a, double b) { return (double)(float)a + b; }
NP_HD double operator+(double a, Half b) { return a + (double)(float)b; }
NP_HD double operator-(Half a, double b) { return (double)(float)a - b; }
NP_HD double operator-(double a, Half b) { return a - (double)(float)b; }
NP_HD double operator*(Half a, double b) { return (double)(float)a * b; }
NP_HD double operator*(double a, Half b) { return a * (double)(float)b; }
NP_HD double operator/(Half a, double b) { return (double)(float)a / b; }
NP_HD double operator/(double a, Half b) { return a / (double)(float)b; }
NP_HD float& operator+=(float& a, const Half& b) { return a = a + (float)b; }
NP_HD float& operator-=(float& a, const Half& b) { return a = a - (float)b; }
NP_HD float& operator*=(float& a, const Half& b) { return a = a * (float)b; }
NP_HD float& operator/=(float& a, const Half& b) { return a = a / (float)b; }
NP_HD Half operator+(Half a, int b) { return a + Half((float)b); }
NP_HD Half operator+(int a, Half b) { return Half((float)a) + b; }
NP_HD Half operator-(Half a, int b) { return a - Half((float)b); }
NP_HD Half operator-(int a, Half b) { return Half((float)a) - b; }
NP_HD Half operator*(Half a, int b) { return a * Half((float)b); }
NP_HD Half operator*(int a, Half b) { return Half((float)a) * b; }
NP_HD Half operator/(Half a, int b) { return a / Half((float)b); }
NP_HD Half operator/(int a, Half b) { return Half((float)a) / b; }
NP_HD Half operator+(Half a, int64_t b) { return a + Half((float)b); }
NP_HD Half operator+(int64_t a, Half b) { return Half((float)a) + b; }
NP_HD Half operator-(Half a, int64_t b) { return a - Half((float)b); }
NP_HD Half operator-(int64_t a, Half b) { return Half((float)a) - b; }
NP_HD Half operator*(Half a, int64_t b) { return a * Half((float)b); }
NP_HD Half operator*(int64_t a, Half b) { return Half((float)a) * b; }
NP_HD Half operator/(Half a, int64_t b) { return a / Half((float)b); }
NP_HD Half operator/(int64_t a, Half b) { return Half((float)a) / b; }
// Comparison as floats. Templates, so that a mixed comparison takes the built-in operator of the other type.
template <class T>
NP_HD typename np_enable_if<__is_same(T, Half), bool>::type operator<(const T& a, const T& b) {
  return (float)a.np_value < (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, Half), bool>::type operator>(const T& a, const T& b) {
  return (float)a.np_value > (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, Half), bool>::type operator<=(const T& a, const T& b) {
  return (float)a.np_value <= (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, Half), bool>::type operator>=(const T& a, const T& b) {
  return (float)a.np_value >= (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, Half), bool>::type operator==(const T& a, const T& b) {
  return (float)a.np_value == (float)b.np_value;
}
template <class T>
NP_HD typename np_enable_if<__is_same(T, Half), bool>::type operator!=(const T& a, const T& b) {
  return (float)a.np_value != (float)b.np_value;
}
}  // namespace c10

namespace std {
template <>
class numeric_limits<c10::Half> {
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
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int max_exponent = 16;
  static constexpr int radix = 2;
  static __host__ __device__ constexpr c10::Half min() { return c10::Half(0x0400, c10::Half::from_bits()); }
  static __host__ __device__ constexpr c10::Half max() { return c10::Half(0x7bff, c10::Half::from_bits()); }
  static __host__ __device__ constexpr c10::Half lowest() { return c10::Half(0xfbff, c10::Half::from_bits()); }
  static __host__ __device__ constexpr c10::Half epsilon() { return c10::Half(0x1400, c10::Half::from_bits()); }
  static __host__ __device__ constexpr c10::Half infinity() { return c10::Half(0x7c00, c10::Half::from_bits()); }
  static __host__ __device__ constexpr c10::Half quiet_NaN() { return c10::Half(0x7e00, c10::Half::from_bits()); }
  static __host__ __device__ constexpr c10::Half denorm_min() { return c10::Half(0x0001, c10::Half::from_bits()); }
};
}  // namespace std
