// __nv_bfloat16 and __nv_bfloat162: structs of the compiler's __bf16, so that arithmetic is IR arithmetic of that type.
// Implicit conversions and operators obey __CUDA_NO_BFLOAT16_CONVERSIONS__, __CUDA_NO_BFLOAT16_OPERATORS__ and
// __CUDA_NO_BFLOAT162_OPERATORS__, which PyTorch's builder defines.
#pragma once
#pragma clang system_header
#include "cuda_runtime.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __align__(2) __nv_bfloat16 {
  __bf16 np_value;

  NP_MEMBER static __nv_bfloat16 np_make(__bf16 value) {
    __nv_bfloat16 result;
    result.np_value = value;
    return result;
  }
  __nv_bfloat16() = default;
  NP_MEMBER __nv_bfloat16(const __nv_bfloat16_raw& raw) : np_value(__builtin_bit_cast(__bf16, raw.x)) {}
  NP_MEMBER __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) {
    np_value = __builtin_bit_cast(__bf16, raw.x);
    return *this;
  }
  NP_MEMBER operator __nv_bfloat16_raw() const {
    return __nv_bfloat16_raw{__builtin_bit_cast(unsigned short, np_value)};
  }
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
  NP_MEMBER __nv_bfloat16(float value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(double value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(short value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(unsigned short value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(int value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(unsigned int value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(long value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(unsigned long value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(long long value) : np_value((__bf16)value) {}
  NP_MEMBER __nv_bfloat16(unsigned long long value) : np_value((__bf16)value) {}
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
  NP_MEMBER __nv_bfloat16& operator=(float value) {
    np_value = (__bf16)value;
    return *this;
  }
  NP_MEMBER __nv_bfloat16& operator=(double value) {
    np_value = (__bf16)value;
    return *this;
  }
  NP_MEMBER __nv_bfloat16& operator=(short value) {
    np_value = (__bf16)value;
    return *this;
  }
  NP_MEMBER __nv_bfloat16& operator=(unsigned short value) {
    np_value = (__bf16)value;
    return *this;
  }
  NP_MEMBER __nv_bfloat16& operator=(int value) {
    np_value = (__bf16)value;
    return *this;
  }
  NP_MEMBER __nv_bfloat16& operator=(unsigned int value) {
    np_value = (__bf16)value;
    return *this;
  }
  NP_MEMBER __nv_bfloat16& operator=(long long value) {
    np_value = (__bf16)value;
    return *this;
  }
  NP_MEMBER __nv_bfloat16& operator=(unsigned long long value) {
    np_value = (__bf16)value;
    return *this;
  }
#endif
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  NP_MEMBER constexpr __nv_bfloat162(const __nv_bfloat16& x, const __nv_bfloat16& y) : x(x), y(y) {}
  NP_MEMBER __nv_bfloat162(const __nv_bfloat162_raw& raw) : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  NP_MEMBER operator __nv_bfloat162_raw() const { return __builtin_bit_cast(__nv_bfloat162_raw, *this); }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Conversions. Directed rounding is a function of the executor's math library.
NP_HD __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16::np_make((__bf16)x); }
NP_HD __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16::np_make((__bf16)x); }
NP_HD __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16::np_make((__bf16)x); }
#ifdef __CUDA__
extern "C" __device__ NP_PURE __bf16 np_float2bf16_rz(float x);
NP_FN __nv_bfloat16 __float2bfloat16_rz(float x) { return __nv_bfloat16::np_make(np_float2bf16_rz(x)); }
extern "C" __device__ NP_PURE __bf16 np_float2bf16_rd(float x);
NP_FN __nv_bfloat16 __float2bfloat16_rd(float x) { return __nv_bfloat16::np_make(np_float2bf16_rd(x)); }
extern "C" __device__ NP_PURE __bf16 np_float2bf16_ru(float x);
NP_FN __nv_bfloat16 __float2bfloat16_ru(float x) { return __nv_bfloat16::np_make(np_float2bf16_ru(x)); }
#endif
NP_HD float __bfloat162float(const __nv_bfloat16 x) { return (float)x.np_value; }
NP_HD __nv_bfloat16 __short2bfloat16_rn(short x) { return __nv_bfloat16::np_make((__bf16)x); }
#ifdef __CUDA__
NP_FN short __bfloat162short_rn(const __nv_bfloat16 x) {
  return (short)min(max((int)__float2int_rn((float)x.np_value), -32768), 32767);
}
NP_FN short __bfloat162short_rz(const __nv_bfloat16 x) {
  return (short)min(max((int)__float2int_rz((float)x.np_value), -32768), 32767);
}
NP_FN short __bfloat162short_rd(const __nv_bfloat16 x) {
  return (short)min(max((int)__float2int_rd((float)x.np_value), -32768), 32767);
}
NP_FN short __bfloat162short_ru(const __nv_bfloat16 x) {
  return (short)min(max((int)__float2int_ru((float)x.np_value), -32768), 32767);
}
#endif
NP_HD __nv_bfloat16 __ushort2bfloat16_rn(unsigned short x) { return __nv_bfloat16::np_make((__bf16)x); }
#ifdef __CUDA__
NP_FN unsigned short __bfloat162ushort_rn(const __nv_bfloat16 x) {
  return (unsigned short)min(__float2uint_rn((float)x.np_value), 65535u);
}
NP_FN unsigned short __bfloat162ushort_rz(const __nv_bfloat16 x) {
  return (unsigned short)min(__float2uint_rz((float)x.np_value), 65535u);
}
NP_FN unsigned short __bfloat162ushort_rd(const __nv_bfloat16 x) {
  return (unsigned short)min(__float2uint_rd((float)x.np_value), 65535u);
}
NP_FN unsigned short __bfloat162ushort_ru(const __nv_bfloat16 x) {
  return (unsigned short)min(__float2uint_ru((float)x.np_value), 65535u);
}
#endif
NP_HD __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16::np_make((__bf16)x); }
#ifdef __CUDA__
NP_FN int __bfloat162int_rn(const __nv_bfloat16 x) { return __float2int_rn((float)x.np_value); }
NP_FN int __bfloat162int_rz(const __nv_bfloat16 x) { return __float2int_rz((float)x.np_value); }
NP_FN int __bfloat162int_rd(const __nv_bfloat16 x) { return __float2int_rd((float)x.np_value); }
NP_FN int __bfloat162int_ru(const __nv_bfloat16 x) { return __float2int_ru((float)x.np_value); }
#endif
NP_HD __nv_bfloat16 __uint2bfloat16_rn(unsigned int x) { return __nv_bfloat16::np_make((__bf16)x); }
#ifdef __CUDA__
NP_FN unsigned int __bfloat162uint_rn(const __nv_bfloat16 x) { return __float2uint_rn((float)x.np_value); }
NP_FN unsigned int __bfloat162uint_rz(const __nv_bfloat16 x) { return __float2uint_rz((float)x.np_value); }
NP_FN unsigned int __bfloat162uint_rd(const __nv_bfloat16 x) { return __float2uint_rd((float)x.np_value); }
NP_FN unsigned int __bfloat162uint_ru(const __nv_bfloat16 x) { return __float2uint_ru((float)x.np_value); }
#endif
NP_HD __nv_bfloat16 __ll2bfloat16_rn(long long x) { return __nv_bfloat16::np_make((__bf16)x); }
#ifdef __CUDA__
NP_FN long long __bfloat162ll_rn(const __nv_bfloat16 x) { return __float2ll_rn((float)x.np_value); }
NP_FN long long __bfloat162ll_rz(const __nv_bfloat16 x) { return __float2ll_rz((float)x.np_value); }
NP_FN long long __bfloat162ll_rd(const __nv_bfloat16 x) { return __float2ll_rd((float)x.np_value); }
NP_FN long long __bfloat162ll_ru(const __nv_bfloat16 x) { return __float2ll_ru((float)x.np_value); }
#endif
NP_HD __nv_bfloat16 __ull2bfloat16_rn(unsigned long long x) { return __nv_bfloat16::np_make((__bf16)x); }
#ifdef __CUDA__
NP_FN unsigned long long __bfloat162ull_rn(const __nv_bfloat16 x) { return __float2ull_rn((float)x.np_value); }
NP_FN unsigned long long __bfloat162ull_rz(const __nv_bfloat16 x) { return __float2ull_rz((float)x.np_value); }
NP_FN unsigned long long __bfloat162ull_rd(const __nv_bfloat16 x) { return __float2ull_rd((float)x.np_value); }
NP_FN unsigned long long __bfloat162ull_ru(const __nv_bfloat16 x) { return __float2ull_ru((float)x.np_value); }
#endif
NP_HD short __bfloat16_as_short(const __nv_bfloat16 x) { return __builtin_bit_cast(short, x); }
NP_HD unsigned short __bfloat16_as_ushort(const __nv_bfloat16 x) { return __builtin_bit_cast(unsigned short, x); }
NP_HD __nv_bfloat16 __short_as_bfloat16(short x) { return __builtin_bit_cast(__nv_bfloat16, x); }
NP_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __builtin_bit_cast(__nv_bfloat16, x); }

// Pairs: x is the low half.
NP_HD __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 x, const __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
NP_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
NP_HD __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 x) { return __nv_bfloat162(x, x); }
NP_HD __nv_bfloat162 __float2bfloat162_rn(float x) { return __bfloat162bfloat162(__float2bfloat16_rn(x)); }
NP_HD __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162(__float2bfloat16_rn(x), __float2bfloat16_rn(y));
}
NP_HD __nv_bfloat162 __float22bfloat162_rn(const float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
NP_HD float2 __bfloat1622float2(const __nv_bfloat162 v) { return float2{(float)v.x.np_value, (float)v.y.np_value}; }
NP_HD float __low2float(const __nv_bfloat162 v) { return (float)v.x.np_value; }
NP_HD float __high2float(const __nv_bfloat162 v) { return (float)v.y.np_value; }
NP_HD __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 v) { return v.x; }
NP_HD __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 v) { return v.y; }
NP_HD __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
NP_HD __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
NP_HD __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b) {
  return __nv_bfloat162(a.x, b.x);
}
NP_HD __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b) {
  return __nv_bfloat162(a.y, b.y);
}
NP_HD __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }

#define NP_T __nv_bfloat16
#define NP_T2 __nv_bfloat162
#define NP_RAW __bf16
#define NP_FMA __builtin_elementwise_fma
#include "np_shim/narrow_float.h"
#define NP_SCALAR_OPERATORS !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define NP_PAIR_OPERATORS !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#include "np_shim/narrow_operators.h"
#undef NP_T
#undef NP_T2
#undef NP_RAW
#undef NP_FMA
#undef NP_SCALAR_OPERATORS
#undef NP_PAIR_OPERATORS
