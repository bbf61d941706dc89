#include <cuda_runtime.h>

__global__ void uninitialised(int n, const float* x, float* scratch, float* y) {
    __shared__ float s[64];
    float parts[2];
    float sum;
    int t = threadIdx.x;
    if (t < 16) s[t] = x[t];
    if (t != 3) sum = 0.0f;
    parts[t & 1] = x[t];
    __syncthreads();
    sum += s[t];             // DEFECT uninitialised
    sum += parts[0];         // DEFECT uninitialised
    sum += scratch[t];       // DEFECT uninitialised
    scratch[t] = sum;
    y[t] = scratch[t];
}
