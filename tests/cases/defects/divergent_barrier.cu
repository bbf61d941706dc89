#include <cuda_runtime.h>

__global__ void divergent(const float* x, float* y) {
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = x[t];
        __syncthreads();  // DEFECT divergent-barrier
    } else {
        s[t] = 2.0f * x[t];
        __syncthreads();  // DEFECT divergent-barrier
    }
    y[t] = s[63 - t];
}
