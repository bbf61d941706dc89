#include <cuda_runtime.h>

__constant__ int limits[2] = {3, 4};

__global__ void misaligned(int zero, float* x, int* y) {
    int t = threadIdx.x;
    float4 v = *(float4*)(x + t);  // DEFECT misaligned
    y[t] = t / (t - limits[0] + zero) + (int)v.x;  // DEFECT division-by-zero
    if (t == 2) ((int*)limits)[1] = 5;  // DEFECT read-only
}
