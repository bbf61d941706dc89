// 8-bit floating types: storage only; conversions are external device functions.
#pragma once
#pragma clang system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;
__host__ __device__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                             __nv_fp8_interpretation_t kind);
__host__ __device__ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind);
#define NP_FP8(Name)                                           \
  struct Name {                                                \
    __nv_fp8_storage_t __x;                                    \
    Name() = default;                                          \
    __host__ __device__ explicit Name(float value);            \
    __host__ __device__ explicit Name(double value);           \
    __host__ __device__ explicit Name(const __half& value);    \
    __host__ __device__ explicit Name(const __nv_bfloat16& v); \
    __host__ __device__ explicit operator float() const;       \
    __host__ __device__ explicit operator __half() const;      \
  };
NP_FP8(__nv_fp8_e4m3)
NP_FP8(__nv_fp8_e5m2)
#undef NP_FP8
struct __nv_fp8x2_e4m3 {
  __nv_fp8x2_storage_t __x;
};
struct __nv_fp8x4_e4m3 {
  __nv_fp8x4_storage_t __x;
};
