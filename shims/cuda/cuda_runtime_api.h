// Host side of the CUDA runtime: types and functions.
#pragma once
#pragma clang system_header
#include <stddef.h>

#include "host_defines.h"
#include "vector_types.h"

enum cudaError { cudaSuccess = 0 };
typedef enum cudaError cudaError_t;
typedef struct CUstream_st* cudaStream_t;
extern "C" cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream);
