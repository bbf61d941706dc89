// thrust::complex<T> with the usual arithmetic, on both sides.
#pragma once
#pragma clang system_header
#include <complex>

#include "../../cuda_runtime.h"

namespace thrust {
template <class T>
struct alignas(sizeof(T) * 2) complex {
  typedef T value_type;
  T x, y;
  NP_MEMBER complex(const T& re = T(), const T& im = T()) : x(re), y(im) {}
  template <class U>
  NP_MEMBER complex(const complex<U>& z) : x((T)z.real()), y((T)z.imag()) {}
  template <class U>
  complex(const std::complex<U>& z) : x((T)z.real()), y((T)z.imag()) {}
  NP_MEMBER T real() const { return x; }
  NP_MEMBER T imag() const { return y; }
  NP_MEMBER void real(T re) { x = re; }
  NP_MEMBER void imag(T im) { y = im; }
  operator std::complex<T>() const { return std::complex<T>(x, y); }
  friend NP_MEMBER complex operator+(const complex& a, const complex& b) { return complex(a.x + b.x, a.y + b.y); }
  friend NP_MEMBER complex operator-(const complex& a, const complex& b) { return complex(a.x - b.x, a.y - b.y); }
  friend NP_MEMBER complex operator*(const complex& a, const complex& b) {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
  }
  friend NP_MEMBER complex operator/(const complex& a, const complex& b) {
    T scale = b.x * b.x + b.y * b.y;
    return complex((a.x * b.x + a.y * b.y) / scale, (a.y * b.x - a.x * b.y) / scale);
  }
  friend NP_MEMBER complex operator-(const complex& a) { return complex(-a.x, -a.y); }
  NP_MEMBER complex& operator+=(const complex& b) { return *this = *this + b; }
  NP_MEMBER complex& operator-=(const complex& b) { return *this = *this - b; }
  NP_MEMBER complex& operator*=(const complex& b) { return *this = *this * b; }
  NP_MEMBER complex& operator/=(const complex& b) { return *this = *this / b; }
  friend NP_MEMBER bool operator==(const complex& a, const complex& b) { return a.x == b.x && a.y == b.y; }
  friend NP_MEMBER bool operator!=(const complex& a, const complex& b) { return !(a == b); }
};
template <class T>
NP_HD T abs(const complex<T>& z) {
  return hypot(z.x, z.y);
}
template <class T>
NP_HD T norm(const complex<T>& z) {
  return z.x * z.x + z.y * z.y;
}
template <class T>
NP_HD T arg(const complex<T>& z) {
  return atan2(z.y, z.x);
}
template <class T>
NP_HD complex<T> conj(const complex<T>& z) {
  return complex<T>(z.x, -z.y);
}
template <class T>
NP_HD complex<T> polar(const T& r, const T& angle) {
  return complex<T>(r * cos(angle), r * sin(angle));
}
template <class T>
NP_HD complex<T> exp(const complex<T>& z) {
  return polar(exp(z.x), z.y);
}
}  // namespace thrust
