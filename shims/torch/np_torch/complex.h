// c10::complex<T>: two scalars with the usual arithmetic, on both sides.
#pragma once
#pragma clang system_header
#include <complex>

#include "half.h"

namespace c10 {
template <class T>
struct alignas(sizeof(T) * 2) complex {
  using value_type = T;
  T real_ = T(0);
  T imag_ = T(0);
  constexpr complex() = default;
  NP_MEMBER constexpr complex(const T& real, const T& imag = T()) : real_(real), imag_(imag) {}
  template <class U>
  NP_MEMBER explicit constexpr complex(const complex<U>& other) : real_(other.real()), imag_(other.imag()) {}
  complex(const std::complex<T>& other) : real_(other.real()), imag_(other.imag()) {}
  operator std::complex<T>() const { return std::complex<T>(real_, imag_); }
  NP_MEMBER constexpr T real() const { return real_; }
  NP_MEMBER constexpr T imag() const { return imag_; }
  NP_MEMBER constexpr void real(T value) { real_ = value; }
  NP_MEMBER constexpr void imag(T value) { imag_ = value; }
  NP_MEMBER constexpr complex& operator+=(const complex& b) { return *this = *this + b; }
  NP_MEMBER constexpr complex& operator-=(const complex& b) { return *this = *this - b; }
  NP_MEMBER constexpr complex& operator*=(const complex& b) { return *this = *this * b; }
  NP_MEMBER constexpr complex& operator/=(const complex& b) { return *this = *this / b; }
  friend NP_MEMBER constexpr complex operator+(const complex& a, const complex& b) {
    return complex(a.real_ + b.real_, a.imag_ + b.imag_);
  }
  friend NP_MEMBER constexpr complex operator-(const complex& a, const complex& b) {
    return complex(a.real_ - b.real_, a.imag_ - b.imag_);
  }
  friend NP_MEMBER constexpr complex operator-(const complex& a) { return complex(-a.real_, -a.imag_); }
  friend NP_MEMBER constexpr complex operator*(const complex& a, const complex& b) {
    return complex(a.real_ * b.real_ - a.imag_ * b.imag_, a.real_ * b.imag_ + a.imag_ * b.real_);
  }
  friend NP_MEMBER constexpr complex operator/(const complex& a, const complex& b) {
    T scale = b.real_ * b.real_ + b.imag_ * b.imag_;
    return complex((a.real_ * b.real_ + a.imag_ * b.imag_) / scale, (a.imag_ * b.real_ - a.real_ * b.imag_) / scale);
  }
  friend NP_MEMBER constexpr bool operator==(const complex& a, const complex& b) {
    return a.real_ == b.real_ && a.imag_ == b.imag_;
  }
  friend NP_MEMBER constexpr bool operator!=(const complex& a, const complex& b) { return !(a == b); }
};
}  // namespace c10

namespace std {
template <class T>
NP_MEMBER constexpr T real(const c10::complex<T>& z) {
  return z.real();
}
template <class T>
NP_MEMBER constexpr T imag(const c10::complex<T>& z) {
  return z.imag();
}
template <class T>
NP_MEMBER T abs(const c10::complex<T>& z) {
  return ::sqrt(z.real() * z.real() + z.imag() * z.imag());
}
template <class T>
NP_MEMBER constexpr c10::complex<T> conj(const c10::complex<T>& z) {
  return c10::complex<T>(z.real(), -z.imag());
}
}  // namespace std
