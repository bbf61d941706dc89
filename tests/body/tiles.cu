// Shared-memory tiles (C6): transposes, matrix products in several shapes, tiled convolution and distances.
#include <cuda_runtime.h>

#define TILE 16

__global__ void transpose_32x8(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void sgemm_tiled16(const float* A, const float* B, float* C, float alpha, float beta, int M, int N, int K) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[ty][tx] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = (k0 + ty < K && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

__global__ void sgemm_double_buffer(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[2][8][8], Bs[2][8][8];
  int tx = threadIdx.x, ty = threadIdx.y, cur = 0;
  int row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
  As[0][ty][tx] = (row < M && tx < K) ? A[row * K + tx] : 0.0f;
  Bs[0][ty][tx] = (ty < K && col < N) ? B[ty * N + col] : 0.0f;
  __syncthreads();
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    int next = k0 + 8;
    if (next < K) {
      As[cur ^ 1][ty][tx] = (row < M && next + tx < K) ? A[row * K + next + tx] : 0.0f;
      Bs[cur ^ 1][ty][tx] = (next + ty < K && col < N) ? B[(next + ty) * N + col] : 0.0f;
    }
    for (int k = 0; k < 8; k++) acc += As[cur][ty][k] * Bs[cur][k][tx];
    __syncthreads();
    cur ^= 1;
  }
  if (row < M && col < N) C[row * N + col] = acc;
}

__global__ void sgemm_micro4(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[8][32], Bs[8][32];
  int t = threadIdx.x, tx = t % 8, ty = t / 8;
  int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int i = t; i < 8 * 32; i += 64) {
      int k = i / 32, m = i % 32;
      As[k][m] = (row0 + m < M && k0 + k < K) ? A[(row0 + m) * K + k0 + k] : 0.0f;
      Bs[k][m] = (col0 + m < N && k0 + k < K) ? B[(k0 + k) * N + col0 + m] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 8; k++) {
      float a[4], b[4];
      for (int i = 0; i < 4; i++) {
        a[i] = As[k][ty * 4 + i];
        b[i] = Bs[k][tx * 4 + i];
      }
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int r = row0 + ty * 4 + i, c = col0 + tx * 4 + j;
      if (r < M && c < N) C[r * N + c] = acc[i][j];
    }
}

__global__ void bmm_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[8][9], Bs[8][9];
  const float* a = A + (size_t)blockIdx.z * M * K;
  const float* b = B + (size_t)blockIdx.z * K * N;
  int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
  float acc = 0.0f;
  for (int tile = 0; tile < (K + 7) / 8; tile++) {
    int ka = tile * 8 + threadIdx.x, kb = tile * 8 + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < M && ka < K ? a[row * K + ka] : 0.0f;
    Bs[threadIdx.y][threadIdx.x] = kb < K && col < N ? b[kb * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 8; k++) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[((size_t)blockIdx.z * M + row) * N + col] = acc;
}

template <int K>
__global__ void conv1d_shared(const float* x, const float* w, float* y, int n) {
  __shared__ float s[64 + K - 1];
  int base = blockIdx.x * 64;
  for (int i = threadIdx.x; i < 64 + K - 1; i += 64) s[i] = base + i < n + K - 1 ? x[base + i] : 0.0f;
  __syncthreads();
  if (base + threadIdx.x >= n) return;
  float acc = 0.0f;
  for (int k = 0; k < K; k++) acc += w[k] * s[threadIdx.x + k];
  y[base + threadIdx.x] = acc;
}

__global__ void matvec_cached(const float* A, const float* x, float* y, int M, int N) {
  __shared__ float part[64];
  int row = blockIdx.x * 64 + threadIdx.x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < N; k0 += 64) {
    part[threadIdx.x] = k0 + threadIdx.x < N ? x[k0 + threadIdx.x] : 0.0f;
    __syncthreads();
    int stop = min(64, N - k0);
    if (row < M)
      for (int k = 0; k < stop; k++) acc += A[row * N + k0 + k] * part[k];
    __syncthreads();
  }
  if (row < M) y[row] = acc;
}

__global__ void distance_tiled(const float* p, const float* q, float* d, int M, int N, int D) {
  __shared__ float ps[8][8], qs[8][8];
  int tx = threadIdx.x, ty = threadIdx.y;
  int i = blockIdx.y * 8 + ty, j = blockIdx.x * 8 + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < D; k0 += 8) {
    ps[ty][tx] = i < M && k0 + tx < D ? p[i * D + k0 + tx] : 0.0f;
    int qj = blockIdx.x * 8 + ty;
    qs[ty][tx] = qj < N && k0 + tx < D ? q[qj * D + k0 + tx] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 8; k++) {
      float t = ps[ty][k] - qs[tx][k];
      acc += t * t;
    }
    __syncthreads();
  }
  if (i < M && j < N) d[i * N + j] = sqrtf(acc);
}
