// threadIdx, blockIdx, blockDim, gridDim, warpSize: a read of a field is a read of the NVVM special register.
#pragma once
#pragma clang system_header
#include "../vector_types.h"

// The objects have no storage: a property read calls the getter, and code cannot take their address or copy them.
#define NP_COORDINATE(object, reg, vector)                                                   \
  struct np_##object##_type {                                                                \
    __declspec(property(get = np_x)) unsigned int x;                                         \
    __declspec(property(get = np_y)) unsigned int y;                                         \
    __declspec(property(get = np_z)) unsigned int z;                                         \
    static NP_COORDINATE_FN unsigned int np_x() { return __nvvm_read_ptx_sreg_##reg##_x(); } \
    static NP_COORDINATE_FN unsigned int np_y() { return __nvvm_read_ptx_sreg_##reg##_y(); } \
    static NP_COORDINATE_FN unsigned int np_z() { return __nvvm_read_ptx_sreg_##reg##_z(); } \
    NP_COORDINATE_FN operator uint3() const { return uint3{np_x(), np_y(), np_z()}; }        \
    NP_COORDINATE_FN operator dim3() const { return dim3(np_x(), np_y(), np_z()); }          \
  };                                                                                         \
  extern const __device__ __attribute__((weak)) np_##object##_type object;
#define NP_COORDINATE_FN __inline__ __device__ __attribute__((always_inline))
NP_COORDINATE(threadIdx, tid, uint3)
NP_COORDINATE(blockIdx, ctaid, uint3)
NP_COORDINATE(blockDim, ntid, dim3)
NP_COORDINATE(gridDim, nctaid, dim3)
#undef NP_COORDINATE
#undef NP_COORDINATE_FN

constexpr int warpSize = 32;
