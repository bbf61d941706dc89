// cuSOLVER dense: the handle.
#pragma once
#pragma clang system_header
#include "cublas_v2.h"
#include "cusolver_common.h"
typedef struct cusolverDnContext* cusolverDnHandle_t;
extern "C" {
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
}
