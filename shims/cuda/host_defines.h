// Execution space and layout qualifiers of CUDA C++, spelled as Clang attributes.
// `__noinline__` is a keyword of Clang in CUDA mode and must not become a macro: libstdc++ uses it inside attributes.
#pragma once
#pragma clang system_header

#ifdef __CUDA__
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 5
#define __CUDACC_VER_BUILD__ 0
#endif
#ifndef __CUDACC_EXTENDED_LAMBDA__
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif
#ifndef __CUDACC_RELAXED_CONSTEXPR__
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif
#endif
#define __CUDART_VERSION 12050

// In plain C++ (a host file that includes the runtime API) the qualifiers mean nothing.
#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__ __inline__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __grid_constant__
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(count)
#define __nv_pure__ __attribute__((pure))
#define __CUDA_HOSTDEVICE__ __host__ __device__

// Calling conventions and markers that mean nothing on Linux.
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB
#define __device_builtin__
#define __cudart_builtin__
#define __specialization_static static

// Our own shorthands. NP_FN: a device function folded into its caller; NP_HD: the same on both sides.
#define NP_FN static __inline__ __device__ __attribute__((always_inline))
#define NP_HD static __inline__ __host__ __device__ __attribute__((always_inline))
#define NP_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

// What <type_traits> would give, before any library header is seen.
template <bool condition, class Type = void>
struct np_enable_if {};
template <class Type>
struct np_enable_if<true, Type> {
  typedef Type type;
};
template <class Type>
struct np_is_integer {
  static constexpr bool value = __is_integral(Type);
};
