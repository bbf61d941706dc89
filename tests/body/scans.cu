// Scans and recurrences (C8): a thread a row or channel, or a warp.
#include <cuda_runtime.h>

__global__ void exponential_average(const float* x, float* y, float alpha, int T, int C) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) return;
  float s = 0.0f;
  for (int t = 0; t < T; t++) {
    s = alpha * x[t * C + c] + (1.0f - alpha) * s;
    y[t * C + c] = s;
  }
}

__global__ void cumsum_thread(const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) {
    s += x[r * cols + j];
    y[r * cols + j] = s;
  }
}

__global__ void linear_recurrence(const float* a, const float* x, const float* h0, float* h, int T, int C) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) return;
  float s = h0[c];
  for (int t = 0; t < T; t++) {
    s = a[t * C + c] * s + x[t * C + c];
    h[t * C + c] = s;
  }
}

__global__ void warp_scan_exclusive(const int* x, int* y, int cols) {
  int lane = threadIdx.x, r = blockIdx.x;
  int v = lane < cols ? x[r * cols + lane] : 0, own = v;
  for (int d = 1; d < 32; d <<= 1) {
    int up = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += up;
  }
  if (lane < cols) y[r * cols + lane] = v - own;
}

__global__ void running_product(const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float p = 1.0f;
  for (int j = 0; j < cols; j++) {
    p *= x[r * cols + j];
    y[r * cols + j] = p;
  }
}

__global__ void running_maximum(const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = x[r * cols];
  y[r * cols] = m;
  for (int j = 1; j < cols; j++) {
    m = fmaxf(m, x[r * cols + j]);
    y[r * cols + j] = m;
  }
}

__global__ void state_space_scan(const float* u, const float* delta, const float* A, const float* B, const float* Cm,
                                 float* y, int T, int D) {
  int d = blockIdx.x * blockDim.x + threadIdx.x;
  if (d >= D) return;
  float h = 0.0f, a = A[d];
  for (int t = 0; t < T; t++) {
    float dt = delta[t * D + d];
    h = expf(-dt * a) * h + dt * B[t] * u[t * D + d];
    y[t * D + d] = Cm[t] * h;
  }
}

__global__ void discounted_return(const float* reward, float* value, float gamma, int T, int N) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= N) return;
  float g = 0.0f;
  for (int t = T - 1; t >= 0; t--) {
    g = reward[t * N + n] + gamma * g;
    value[t * N + n] = g;
  }
}
