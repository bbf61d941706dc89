// Conversions and bit casts. An exact match of an IR cast is that cast; a cast that rounds otherwise or saturates
// (every float-to-integer form: out of range saturates, NaN gives 0) stays an extern "C" call of its CUDA name.
#pragma once
#pragma clang system_header
#include "math_overloads.h"

NP_FN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
NP_FN unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
NP_FN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
NP_FN float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
NP_FN long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
NP_FN double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
NP_FN int __double2hiint(double x) { return (int)(__builtin_bit_cast(long long, x) >> 32); }
NP_FN int __double2loint(double x) { return (int)__builtin_bit_cast(long long, x); }
NP_FN double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, ((long long)high << 32) | (long long)(unsigned int)low);
}

extern "C" {
// F(FROM name, FROM type, TO name, TO type)
#define NP_TO_INTEGER(from, From, to, To)             \
  __device__ NP_PURE To __##from##2##to##_rn(From x); \
  __device__ NP_PURE To __##from##2##to##_rz(From x); \
  __device__ NP_PURE To __##from##2##to##_rd(From x); \
  __device__ NP_PURE To __##from##2##to##_ru(From x);
NP_TO_INTEGER(float, float, int, int)
NP_TO_INTEGER(float, float, uint, unsigned int)
NP_TO_INTEGER(float, float, ll, long long)
NP_TO_INTEGER(float, float, ull, unsigned long long)
NP_TO_INTEGER(double, double, int, int)
NP_TO_INTEGER(double, double, uint, unsigned int)
NP_TO_INTEGER(double, double, ll, long long)
NP_TO_INTEGER(double, double, ull, unsigned long long)
#undef NP_TO_INTEGER
#define NP_DIRECTED(from, From, to, To)               \
  __device__ NP_PURE To __##from##2##to##_rz(From x); \
  __device__ NP_PURE To __##from##2##to##_rd(From x); \
  __device__ NP_PURE To __##from##2##to##_ru(From x);
NP_DIRECTED(int, int, float, float)
NP_DIRECTED(uint, unsigned int, float, float)
NP_DIRECTED(ll, long long, float, float)
NP_DIRECTED(ull, unsigned long long, float, float)
NP_DIRECTED(ll, long long, double, double)
NP_DIRECTED(ull, unsigned long long, double, double)
NP_DIRECTED(double, double, float, float)
#undef NP_DIRECTED
__device__ void __sincosf(float x, float* s, float* c);
}
#define NP_EXACT(from, From, to, To) \
  NP_FN To __##from##2##to##_rn(From x) { return (To)x; }
NP_EXACT(int, int, float, float)
NP_EXACT(uint, unsigned int, float, float)
NP_EXACT(ll, long long, float, float)
NP_EXACT(ull, unsigned long long, float, float)
NP_EXACT(int, int, double, double)
NP_EXACT(uint, unsigned int, double, double)
NP_EXACT(ll, long long, double, double)
NP_EXACT(ull, unsigned long long, double, double)
NP_EXACT(double, double, float, float)
#undef NP_EXACT

// Round-to-nearest arithmetic is IEEE arithmetic; contraction is off, so these are never fused.
NP_FN float __fadd_rn(float a, float b) { return a + b; }
NP_FN float __fsub_rn(float a, float b) { return a - b; }
NP_FN float __fmul_rn(float a, float b) { return a * b; }
NP_FN float __fdiv_rn(float a, float b) { return a / b; }
NP_FN float __frcp_rn(float a) { return 1.0f / a; }
NP_FN float __fsqrt_rn(float a) { return sqrtf(a); }
NP_FN float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
NP_FN double __dadd_rn(double a, double b) { return a + b; }
NP_FN double __dsub_rn(double a, double b) { return a - b; }
NP_FN double __dmul_rn(double a, double b) { return a * b; }
NP_FN double __ddiv_rn(double a, double b) { return a / b; }
NP_FN double __drcp_rn(double a) { return 1.0 / a; }
NP_FN double __dsqrt_rn(double a) { return sqrt(a); }
NP_FN double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
NP_FN float fdividef(float a, float b) { return __fdividef(a, b); }
NP_FN float fdivide(float a, float b) { return a / b; }
NP_FN double fdivide(double a, double b) { return a / b; }
