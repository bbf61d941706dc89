// __half and __half2: structs of the compiler's _Float16, so that arithmetic is IR arithmetic of that type.
// Implicit conversions and operators obey __CUDA_NO_HALF_CONVERSIONS__, __CUDA_NO_HALF_OPERATORS__ and
// __CUDA_NO_HALF2_OPERATORS__, which PyTorch's builder defines.
#pragma once
#pragma clang system_header
#include "cuda_runtime.h"

struct __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
};

struct __align__(2) __half {
  _Float16 np_value;

  NP_MEMBER static __half np_make(_Float16 value) {
    __half result;
    result.np_value = value;
    return result;
  }
  __half() = default;
  NP_MEMBER __half(const __half_raw& raw) : np_value(__builtin_bit_cast(_Float16, raw.x)) {}
  NP_MEMBER __half& operator=(const __half_raw& raw) {
    np_value = __builtin_bit_cast(_Float16, raw.x);
    return *this;
  }
  NP_MEMBER operator __half_raw() const { return __half_raw{__builtin_bit_cast(unsigned short, np_value)}; }
#ifndef __CUDA_NO_HALF_CONVERSIONS__
  NP_MEMBER __half(float value) : np_value((_Float16)value) {}
  NP_MEMBER __half(double value) : np_value((_Float16)value) {}
  NP_MEMBER __half(short value) : np_value((_Float16)value) {}
  NP_MEMBER __half(unsigned short value) : np_value((_Float16)value) {}
  NP_MEMBER __half(int value) : np_value((_Float16)value) {}
  NP_MEMBER __half(unsigned int value) : np_value((_Float16)value) {}
  NP_MEMBER __half(long value) : np_value((_Float16)value) {}
  NP_MEMBER __half(unsigned long value) : np_value((_Float16)value) {}
  NP_MEMBER __half(long long value) : np_value((_Float16)value) {}
  NP_MEMBER __half(unsigned long long value) : np_value((_Float16)value) {}
  NP_MEMBER operator float() const { return (float)np_value; }
  NP_MEMBER operator short() const { return (short)(float)np_value; }
  NP_MEMBER operator unsigned short() const { return (unsigned short)(float)np_value; }
  NP_MEMBER operator int() const { return (int)(float)np_value; }
  NP_MEMBER operator unsigned int() const { return (unsigned int)(float)np_value; }
  NP_MEMBER operator long() const { return (long)(float)np_value; }
  NP_MEMBER operator unsigned long() const { return (unsigned long)(float)np_value; }
  NP_MEMBER operator long long() const { return (long long)(float)np_value; }
  NP_MEMBER operator unsigned long long() const { return (unsigned long long)(float)np_value; }
  NP_MEMBER operator bool() const { return (float)np_value != 0.0f; }
  NP_MEMBER __half& operator=(float value) {
    np_value = (_Float16)value;
    return *this;
  }
  NP_MEMBER __half& operator=(double value) {
    np_value = (_Float16)value;
    return *this;
  }
  NP_MEMBER __half& operator=(short value) {
    np_value = (_Float16)value;
    return *this;
  }
  NP_MEMBER __half& operator=(unsigned short value) {
    np_value = (_Float16)value;
    return *this;
  }
  NP_MEMBER __half& operator=(int value) {
    np_value = (_Float16)value;
    return *this;
  }
  NP_MEMBER __half& operator=(unsigned int value) {
    np_value = (_Float16)value;
    return *this;
  }
  NP_MEMBER __half& operator=(long long value) {
    np_value = (_Float16)value;
    return *this;
  }
  NP_MEMBER __half& operator=(unsigned long long value) {
    np_value = (_Float16)value;
    return *this;
  }
#endif
};

struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  NP_MEMBER constexpr __half2(const __half& x, const __half& y) : x(x), y(y) {}
  NP_MEMBER __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  NP_MEMBER operator __half2_raw() const { return __builtin_bit_cast(__half2_raw, *this); }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

// Conversions. Directed rounding is a function of the executor's math library.
NP_HD __half __float2half(float x) { return __half::np_make((_Float16)x); }
NP_HD __half __double2half(double x) { return __half::np_make((_Float16)x); }
NP_HD __half __float2half_rn(float x) { return __half::np_make((_Float16)x); }
#ifdef __CUDA__
extern "C" __device__ NP_PURE _Float16 np_float2half_rz(float x);
NP_FN __half __float2half_rz(float x) { return __half::np_make(np_float2half_rz(x)); }
extern "C" __device__ NP_PURE _Float16 np_float2half_rd(float x);
NP_FN __half __float2half_rd(float x) { return __half::np_make(np_float2half_rd(x)); }
extern "C" __device__ NP_PURE _Float16 np_float2half_ru(float x);
NP_FN __half __float2half_ru(float x) { return __half::np_make(np_float2half_ru(x)); }
#endif
NP_HD float __half2float(const __half x) { return (float)x.np_value; }
NP_HD __half __short2half_rn(short x) { return __half::np_make((_Float16)x); }
#ifdef __CUDA__
NP_FN short __half2short_rn(const __half x) {
  return (short)min(max((int)__float2int_rn((float)x.np_value), -32768), 32767);
}
NP_FN short __half2short_rz(const __half x) {
  return (short)min(max((int)__float2int_rz((float)x.np_value), -32768), 32767);
}
NP_FN short __half2short_rd(const __half x) {
  return (short)min(max((int)__float2int_rd((float)x.np_value), -32768), 32767);
}
NP_FN short __half2short_ru(const __half x) {
  return (short)min(max((int)__float2int_ru((float)x.np_value), -32768), 32767);
}
#endif
NP_HD __half __ushort2half_rn(unsigned short x) { return __half::np_make((_Float16)x); }
#ifdef __CUDA__
NP_FN unsigned short __half2ushort_rn(const __half x) {
  return (unsigned short)min(__float2uint_rn((float)x.np_value), 65535u);
}
NP_FN unsigned short __half2ushort_rz(const __half x) {
  return (unsigned short)min(__float2uint_rz((float)x.np_value), 65535u);
}
NP_FN unsigned short __half2ushort_rd(const __half x) {
  return (unsigned short)min(__float2uint_rd((float)x.np_value), 65535u);
}
NP_FN unsigned short __half2ushort_ru(const __half x) {
  return (unsigned short)min(__float2uint_ru((float)x.np_value), 65535u);
}
#endif
NP_HD __half __int2half_rn(int x) { return __half::np_make((_Float16)x); }
#ifdef __CUDA__
NP_FN int __half2int_rn(const __half x) { return __float2int_rn((float)x.np_value); }
NP_FN int __half2int_rz(const __half x) { return __float2int_rz((float)x.np_value); }
NP_FN int __half2int_rd(const __half x) { return __float2int_rd((float)x.np_value); }
NP_FN int __half2int_ru(const __half x) { return __float2int_ru((float)x.np_value); }
#endif
NP_HD __half __uint2half_rn(unsigned int x) { return __half::np_make((_Float16)x); }
#ifdef __CUDA__
NP_FN unsigned int __half2uint_rn(const __half x) { return __float2uint_rn((float)x.np_value); }
NP_FN unsigned int __half2uint_rz(const __half x) { return __float2uint_rz((float)x.np_value); }
NP_FN unsigned int __half2uint_rd(const __half x) { return __float2uint_rd((float)x.np_value); }
NP_FN unsigned int __half2uint_ru(const __half x) { return __float2uint_ru((float)x.np_value); }
#endif
NP_HD __half __ll2half_rn(long long x) { return __half::np_make((_Float16)x); }
#ifdef __CUDA__
NP_FN long long __half2ll_rn(const __half x) { return __float2ll_rn((float)x.np_value); }
NP_FN long long __half2ll_rz(const __half x) { return __float2ll_rz((float)x.np_value); }
NP_FN long long __half2ll_rd(const __half x) { return __float2ll_rd((float)x.np_value); }
NP_FN long long __half2ll_ru(const __half x) { return __float2ll_ru((float)x.np_value); }
#endif
NP_HD __half __ull2half_rn(unsigned long long x) { return __half::np_make((_Float16)x); }
#ifdef __CUDA__
NP_FN unsigned long long __half2ull_rn(const __half x) { return __float2ull_rn((float)x.np_value); }
NP_FN unsigned long long __half2ull_rz(const __half x) { return __float2ull_rz((float)x.np_value); }
NP_FN unsigned long long __half2ull_rd(const __half x) { return __float2ull_rd((float)x.np_value); }
NP_FN unsigned long long __half2ull_ru(const __half x) { return __float2ull_ru((float)x.np_value); }
#endif
NP_HD short __half_as_short(const __half x) { return __builtin_bit_cast(short, x); }
NP_HD unsigned short __half_as_ushort(const __half x) { return __builtin_bit_cast(unsigned short, x); }
NP_HD __half __short_as_half(short x) { return __builtin_bit_cast(__half, x); }
NP_HD __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(__half, x); }

// Pairs: x is the low half.
NP_HD __half2 __halves2half2(const __half x, const __half y) { return __half2(x, y); }
NP_HD __half2 make_half2(__half x, __half y) { return __half2(x, y); }
NP_HD __half2 __half2half2(const __half x) { return __half2(x, x); }
NP_HD __half2 __float2half2_rn(float x) { return __half2half2(__float2half_rn(x)); }
NP_HD __half2 __floats2half2_rn(float x, float y) { return __half2(__float2half_rn(x), __float2half_rn(y)); }
NP_HD __half2 __float22half2_rn(const float2 v) { return __floats2half2_rn(v.x, v.y); }
NP_HD float2 __half22float2(const __half2 v) { return float2{(float)v.x.np_value, (float)v.y.np_value}; }
NP_HD float __low2float(const __half2 v) { return (float)v.x.np_value; }
NP_HD float __high2float(const __half2 v) { return (float)v.y.np_value; }
NP_HD __half __low2half(const __half2 v) { return v.x; }
NP_HD __half __high2half(const __half2 v) { return v.y; }
NP_HD __half2 __low2half2(const __half2 v) { return __half2(v.x, v.x); }
NP_HD __half2 __high2half2(const __half2 v) { return __half2(v.y, v.y); }
NP_HD __half2 __lows2half2(const __half2 a, const __half2 b) { return __half2(a.x, b.x); }
NP_HD __half2 __highs2half2(const __half2 a, const __half2 b) { return __half2(a.y, b.y); }
NP_HD __half2 __lowhigh2highlow(const __half2 v) { return __half2(v.y, v.x); }

#define NP_T __half
#define NP_T2 __half2
#define NP_RAW _Float16
#define NP_FMA __builtin_elementwise_fma
#include "np_shim/narrow_float.h"
#define NP_SCALAR_OPERATORS !defined(__CUDA_NO_HALF_OPERATORS__)
#define NP_PAIR_OPERATORS !defined(__CUDA_NO_HALF2_OPERATORS__)
#include "np_shim/narrow_operators.h"
#undef NP_T
#undef NP_T2
#undef NP_RAW
#undef NP_FMA
#undef NP_SCALAR_OPERATORS
#undef NP_PAIR_OPERATORS
