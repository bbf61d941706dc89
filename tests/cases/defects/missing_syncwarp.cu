#include <cuda_runtime.h>

// Lanes of a warp are not in lock step: they need a __syncwarp as threads of a block need a barrier.
__global__ void missing(const float* x, float* y) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];         // DEFECT race
    float v = s[t ^ 1];  // DEFECT race
    __syncwarp();
    s[t] = v;
    __syncwarp();
    y[t] = s[t ^ 2];
}
