#include <cuda_runtime.h>

__global__ void inactive(const float* x, float* y) {
    int t = threadIdx.x;
    float v = x[t];
    if (t < 16) v += __shfl_down_sync(0xffffffffu, v, 8);  // DEFECT inactive-lane
    __syncwarp();                                          // DEFECT inactive-lane
    if (t >= 24) {
        y[t] = v;
        return;
    }
    v += __shfl_xor_sync(0xffffffffu, v, 16);                   // DEFECT inactive-lane
    if (t < 8) v += __shfl_sync(t < 4 ? 0xffu : 0xffu, v, 20);  // DEFECT inactive-lane
    y[t] = v;
}
