// cuSOLVER status codes.
#pragma once
#pragma clang system_header
typedef enum { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_NOT_INITIALIZED = 1 } cusolverStatus_t;
