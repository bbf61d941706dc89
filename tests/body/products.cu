// Loops of one thread (C3): matrix and vector products, distances, row and column sums.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void matvec(const float* A, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M) {
    float acc = 0.f;
    for (int k = 0; k < N; ++k) acc += A[row * N + k] * x[k];
    y[row] = acc;
  }
}

__global__ void linear_bias_relu(const float* x, const float* w, const float* bias, float* y, int M, int N, int K) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N) return;
  float acc = bias[n];
  for (int k = 0; k < K; k++) acc = fmaf(x[m * K + k], w[n * K + k], acc);
  y[m * N + n] = fmaxf(acc, 0.0f);
}

__global__ void bmm_naive(const float* a, const float* b, float* c, int M, int N, int K) {
  int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y;
  if (n >= N) return;
  a += blockIdx.z * M * K;
  b += blockIdx.z * K * N;
  c += blockIdx.z * M * N;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += a[m * K + k] * b[k * N + n];
  c[m * N + n] = sum;
}

__global__ void matmul_at_b(const float* a, const float* b, float* c, int M, int N, int K) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;
  int m = i / N, n = i % N;
  float sum = 0.0f;
  for (int k = 0; k < K; k++) sum += a[k * M + m] * b[k * N + n];
  c[i] = 0.5f * sum;
}

__global__ void pair_distance(const float* p, const float* q, float* d, int M, int N, int D) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || j >= N) return;
  float s = 0.0f;
  for (int k = 0; k < D; k++) {
    float t = p[i * D + k] - q[j * D + k];
    s += t * t;
  }
  d[i * N + j] = s;
}

__global__ void row_dot(const float* a, const float* b, float* y, int rows, int cols) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += blockDim.x * gridDim.x) {
    float s = 0.0f;
    for (int c = 0; c < cols; c++) s += a[r * cols + c] * b[r * cols + c];
    y[r] = s;
  }
}

__global__ void grouped_linear(const float* x, const float* w, float* y, int groups, int in_g, int out_g, int rows) {
  int o = blockIdx.x * blockDim.x + threadIdx.x, g = blockIdx.y, r = blockIdx.z;
  if (o >= out_g) return;
  float s = 0.0f;
  for (int k = 0; k < in_g; k++) s += x[(r * groups + g) * in_g + k] * w[(g * out_g + o) * in_g + k];
  y[(r * groups + g) * out_g + o] = s;
}

__global__ void bilinear_form(const float* x, const float* w, const float* z, float* y, int rows, int I, int J) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float total = 0.0f;
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++) total += x[r * I + i] * w[i * J + j] * z[r * J + j];
  y[r] = total;
}

__global__ void column_mean_square(const float* x, float* y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float s = 0.0f;
  for (int r = 0; r < rows; r++) {
    float v = x[r * cols + c];
    s += v * v;
  }
  y[c] = s / rows;
}
