#include <cuda_runtime.h>

__global__ void bounds(int n, const float* x, float* y) {
    __shared__ float s[32];
    float last[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    int t = threadIdx.x;
    s[t] = t <= n ? x[t - 1] : 0.0f;                  // DEFECT bounds
    if (t == 31) s[t + 1] = 1.0f;                     // DEFECT bounds
    for (int k = 0; k <= 4; k++) last[k] = s[t] + k;  // DEFECT bounds
    y[t == 0 ? n : t] = last[3];                      // DEFECT bounds
    if (t == 5) *(float*)nullptr = 1.0f;              // DEFECT bounds
}
