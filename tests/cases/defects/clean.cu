#include <cuda_runtime.h>

// Correct code of kinds that a careless checker reports: early exit before a barrier, half warps that synchronise by
// themselves, a tile reused after barriers, atomics from many threads read after a barrier, reuse across launches.
__global__ void clean(int n, const float* x, float* y, int* total) {
    __shared__ float s[96];
    __shared__ int count;
    int t = threadIdx.x;
    if (t >= n) return;
    if (t == 0) count = 0;
    s[t] = x[t];
    unsigned half = (t & 31) < 16 ? 0xffffu : 0xffff0000u;
    if (t < 64) {
        __syncwarp(half);
        float v = s[t ^ 1] + s[t ^ 8];
        __syncwarp(half);
        s[t] = v;
    }
    __syncthreads();
    atomicAdd(&count, 1);
    float a = s[n - 1 - t];
    __syncthreads();
    s[t] = a;
    __syncthreads();
    if (t == 0) atomicAdd(total, count);
    y[t] = s[(t + 1) % n];
}
