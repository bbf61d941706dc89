// Stencils, pooling, convolutions (C4), one output a thread.
#include <cuda_runtime.h>

__global__ void conv1d_valid(const float* x, const float* w, const float* b, float* y, int C, int O, int L, int K) {
  int out_len = L - K + 1;
  int p = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y;
  if (p >= out_len) return;
  float acc = b[o];
  for (int c = 0; c < C; c++)
    for (int k = 0; k < K; k++) acc += x[c * L + p + k] * w[(o * C + c) * K + k];
  y[o * out_len + p] = acc;
}

__global__ void depthwise3x3(const float* x, const float* w, float* y, int C, int H, int W) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= C * H * W) return;
  int col = i % W, row = (i / W) % H, c = i / (H * W);
  float acc = 0.0f;
#pragma unroll
  for (int dy = -1; dy <= 1; dy++)
#pragma unroll
    for (int dx = -1; dx <= 1; dx++) {
      int yy = row + dy, xx = col + dx;
      if (yy >= 0 && yy < H && xx >= 0 && xx < W) acc += x[(c * H + yy) * W + xx] * w[c * 9 + (dy + 1) * 3 + dx + 1];
    }
  y[i] = acc;
}

__global__ void maxpool2(const float* x, float* y, int C, int H, int W) {
  int OH = H / 2, OW = W / 2;
  int ox = blockIdx.x * blockDim.x + threadIdx.x;
  int oy = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.z;
  if (ox >= OW || oy >= OH) return;
  const float* p = x + (c * H + 2 * oy) * W + 2 * ox;
  y[(c * OH + oy) * OW + ox] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[W], p[W + 1]));
}

__global__ void heat_step(const float* u, float* next, float k, int H, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  int i = y * W + x;
  if (x == 0 || y == 0 || x == W - 1 || y == H - 1)
    next[i] = u[i];
  else
    next[i] = u[i] + k * (u[i - 1] + u[i + 1] + u[i - W] + u[i + W] - 4.0f * u[i]);
}

__global__ void causal_conv4(const float* x, const float* w, const float* bias, float* y, int T, int C) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, t = blockIdx.y;
  if (c >= C) return;
  float acc = bias[c];
  for (int k = 0; k < 4; k++) {
    int s = t - 3 + k;
    if (s >= 0) acc += x[s * C + c] * w[c * 4 + k];
  }
  y[t * C + c] = acc;
}

__global__ void upsample2_nearest(const float* x, float* y, int C, int H, int W) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= C * H * W * 4) return;
  int ox = i % (2 * W), oy = i / (2 * W) % (2 * H), c = i / (4 * H * W);
  y[i] = x[(c * H + (oy >> 1)) * W + (ox >> 1)];
}

__global__ void dilated_conv3(const float* x, const float* w, float* y, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = w[1] * x[i + d];
  s += w[0] * x[i];
  s += w[2] * x[i + 2 * d];
  y[i] = s;
}

__global__ void gradient_magnitude(const float* x, float* y, int H, int W) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= W - 1 || r >= H - 1) return;
  float gx = x[r * W + c + 1] - x[r * W + c], gy = x[(r + 1) * W + c] - x[r * W + c];
  y[r * (W - 1) + c] = sqrtf(gx * gx + gy * gy);
}
