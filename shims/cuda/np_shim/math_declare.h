// Device declarations of the math library, before <cmath> is seen.
// Clang lets a __device__ and a __host__ function share one signature. A device-only function is never a compiler
// builtin, so a call of expf stays `call float @expf(float)` in the IR; and a constexpr overload in <cmath> that finds
// a device function of its signature stays host-only. Both are why this file must come first.
#pragma once
#pragma clang system_header
#include "../host_defines.h"
#include "math_list.h"

#define NP_PURE __attribute__((const, nothrow))

extern "C" {
#define NP_UNARY(name)                    \
  __device__ NP_PURE double name(double); \
  __device__ NP_PURE float name##f(float);
#define NP_BINARY(name)                           \
  __device__ NP_PURE double name(double, double); \
  __device__ NP_PURE float name##f(float, float);
#define NP_TO_INTEGER(name, type)       \
  __device__ NP_PURE type name(double); \
  __device__ NP_PURE type name##f(float);
#define NP_FLOAT1(name) __device__ NP_PURE float name(float);
#define NP_FLOAT2(name) __device__ NP_PURE float name(float, float);
#define NP_FLOAT3(name) __device__ NP_PURE float name(float, float, float);
#define NP_DOUBLE1(name) __device__ NP_PURE double name(double);
#define NP_DOUBLE2(name) __device__ NP_PURE double name(double, double);
#define NP_DOUBLE3(name) __device__ NP_PURE double name(double, double, double);
NP_MATH_UNARY_STD(NP_UNARY)
NP_MATH_UNARY_CUDA(NP_UNARY)
NP_MATH_BINARY_STD(NP_BINARY)
NP_MATH_BINARY_CUDA(NP_BINARY)
NP_MATH_TO_INTEGER_STD(NP_TO_INTEGER)
NP_MATH_FAST_UNARY(NP_FLOAT1)
NP_MATH_FAST_BINARY(NP_FLOAT2)
NP_MATH_FAST_TERNARY(NP_FLOAT3)
NP_MATH_DOUBLE_UNARY(NP_DOUBLE1)
NP_MATH_DOUBLE_BINARY(NP_DOUBLE2)
NP_MATH_DOUBLE_TERNARY(NP_DOUBLE3)
__device__ NP_PURE float fmaf(float, float, float);
__device__ NP_PURE double fma(double, double, double);
__device__ NP_PURE float norm3df(float, float, float);
__device__ NP_PURE double norm3d(double, double, double);
__device__ NP_PURE float rnorm3df(float, float, float);
__device__ NP_PURE double rnorm3d(double, double, double);
__device__ NP_PURE float norm4df(float, float, float, float);
__device__ NP_PURE double norm4d(double, double, double, double);
__device__ NP_PURE float rnorm4df(float, float, float, float);
__device__ NP_PURE double rnorm4d(double, double, double, double);
__device__ NP_PURE float ldexpf(float, int);
__device__ NP_PURE double ldexp(double, int);
__device__ NP_PURE float scalbnf(float, int);
__device__ NP_PURE double scalbn(double, int);
__device__ NP_PURE float scalblnf(float, long);
__device__ NP_PURE double scalbln(double, long);
__device__ NP_PURE float jnf(int, float);
__device__ NP_PURE double jn(int, double);
__device__ NP_PURE float ynf(int, float);
__device__ NP_PURE double yn(int, double);
__device__ float normf(int, const float*);
__device__ double norm(int, const double*);
__device__ float rnormf(int, const float*);
__device__ double rnorm(int, const double*);
__device__ float frexpf(float, int*);
__device__ double frexp(double, int*);
__device__ float modff(float, float*);
__device__ double modf(double, double*);
__device__ float remquof(float, float, int*);
__device__ double remquo(double, double, int*);
__device__ void sincosf(float, float*, float*);
__device__ void sincos(double, double*, double*);
__device__ void sincospif(float, float*, float*);
__device__ void sincospi(double, double*, double*);
__device__ float nanf(const char*);
__device__ double nan(const char*);
#undef NP_UNARY
#undef NP_BINARY
#undef NP_TO_INTEGER
#undef NP_FLOAT1
#undef NP_FLOAT2
#undef NP_FLOAT3
#undef NP_DOUBLE1
#undef NP_DOUBLE2
#undef NP_DOUBLE3
}
