#include <cuda_runtime.h>

constexpr int TILE = 16;

// The barrier after the inner loop is missing: a fast warp overwrites the tiles that a slow one still reads.
__global__ void matmul(int M, int N, int K, const float* A, const float* B, float* C) {
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;
    float s = 0.0f;
    for (int k0 = 0; k0 < (K + TILE - 1) / TILE; k0++) {
        a[ty][tx] = (r < M && k0 * TILE + tx < K) ? A[r * K + k0 * TILE + tx] : 0.0f;    // DEFECT race
        b[ty][tx] = (k0 * TILE + ty < K && c < N) ? B[(k0 * TILE + ty) * N + c] : 0.0f;  // DEFECT race
        __syncthreads();
        for (int k = 0; k < TILE; k++) s += a[ty][k] * b[k][tx];  // DEFECT race
    }
    if (r < M && c < N) C[r * N + c] = s;
}
