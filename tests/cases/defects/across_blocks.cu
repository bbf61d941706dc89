#include <cuda_runtime.h>

__global__ void across(const float* x, float* y, int* count) {
    int t = threadIdx.x;
    y[t] = x[t] + blockIdx.x;       // DEFECT race
    atomicAdd(&count[0], 1);
    if (t == 0) count[1] = 7;       // DEFECT race
    atomicAdd(&count[2], 1);        // DEFECT race
    if (t == 1) count[3] = count[2];  // DEFECT race
}
