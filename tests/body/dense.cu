// Loops, rows and tiles (C3, C5, C6): a quantised GEMV, a weighted column sum, row statistics, a register-tiled
// product.
#include <cuda_runtime.h>

__global__ void gemv_int8(const signed char* w, const float* row_scale, const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float acc = 0.0f;
  for (int k = 0; k < cols; ++k) acc += (float)w[r * cols + k] * x[k];
  y[r] = acc * row_scale[r];
}

__global__ void bias_grad(const float* grad_out, float* grad_bias, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  double sum = 0.0;
  for (int r = 0; r < rows; r++) sum += grad_out[r * cols + c];
  grad_bias[c] = (float)sum;
}

__global__ void rmsnorm_row(const float* x, const float* weight, float* y, int rows, int cols, float eps) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sq = 0.0f;
  for (int j = 0; j < cols; j++) sq += x[r * cols + j] * x[r * cols + j];
  float inv = rsqrtf(sq / cols + eps);
  for (int j = 0; j < cols; j++) y[r * cols + j] = x[r * cols + j] * inv * weight[j];
}

__global__ void welford_row(const float* x, float* mean, float* var, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = 0.0f, s = 0.0f;
  for (int j = 0; j < cols; j++) {
    float v = x[r * cols + j];
    float d = v - m;
    m += d / (float)(j + 1);
    s += d * (v - m);
  }
  mean[r] = m;
  var[r] = s / (float)cols;
}

template <int TILE>
__global__ void sgemm_2rows(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float sa[2 * TILE][TILE + 1];
  __shared__ float sb[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * TILE + tx;
  int row = blockIdx.y * 2 * TILE + ty;
  float acc[2] = {0.0f, 0.0f};
  for (int k0 = 0; k0 < k; k0 += TILE) {
#pragma unroll
    for (int h = 0; h < 2; h++) {
      int rr = row + h * TILE;
      sa[ty + h * TILE][tx] = rr < m && k0 + tx < k ? a[rr * k + k0 + tx] : 0.0f;
    }
    sb[ty][tx] = k0 + ty < k && col < n ? b[(k0 + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int t = 0; t < TILE; t++)
      for (int h = 0; h < 2; h++) acc[h] += sa[ty + h * TILE][t] * sb[t][tx];
    __syncthreads();
  }
  for (int h = 0; h < 2; h++)
    if (row + h * TILE < m && col < n) c[(row + h * TILE) * n + col] = acc[h];
}

__global__ void transpose_add(const float* x, float* y, int n) {
  __shared__ float t[16][17];
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (r < n && c < n) t[threadIdx.y][threadIdx.x] = x[r * n + c];
  __syncthreads();
  int tc = blockIdx.y * 16 + threadIdx.x, tr = blockIdx.x * 16 + threadIdx.y;
  if (tr < n && tc < n) y[tr * n + tc] = x[tr * n + tc] + t[threadIdx.x][threadIdx.y];
}
