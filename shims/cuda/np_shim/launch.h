// What a `kernel<<<grid, block, shared, stream>>>(...)` expression calls on the host.
#pragma once
#pragma clang system_header
#include "../cuda_runtime_api.h"

extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                    cudaStream_t stream = nullptr);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
