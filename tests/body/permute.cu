// Layout (C2): permutations, concatenation, splits, shifts, padding. Every output is one input or a constant.
#include <cuda_runtime.h>

__global__ void transpose_naive(const float* in, float* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}

__global__ void heads_first(const float* in, float* out, int T, int H, int D) {
  int t = blockIdx.x, b = blockIdx.y;
  for (int k = threadIdx.x; k < H * D; k += blockDim.x) {
    int h = k / D, d = k - h * D;
    out[((b * H + h) * T + t) * D + d] = in[((b * T + t) * H + h) * D + d];
  }
}

__global__ void concat_columns(const float* a, const float* b, float* out, int rows, int left, int right) {
  int width = left + right;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * width; i += gridDim.x * blockDim.x) {
    int r = i / width, c = i % width;
    out[i] = c < left ? a[r * left + c] : b[r * right + (c - left)];
  }
}

__global__ void split_qkv(const float* qkv, float* q, float* k, float* v, int tokens, int dim) {
  int d = blockIdx.x * blockDim.x + threadIdx.x, t = blockIdx.y;
  if (d >= dim || t >= tokens) return;
  const float* row = qkv + t * 3 * dim;
  q[t * dim + d] = row[d];
  k[t * dim + d] = row[dim + d];
  v[t * dim + d] = row[2 * dim + d];
}

__global__ void pixel_shuffle2(const float* in, float* out, int C, int H, int W) {
  int total = C * 4 * H * W;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int x = i % (2 * W), y = (i / (2 * W)) % (2 * H), c = i / (4 * H * W);
  int channel = c * 4 + (y % 2) * 2 + x % 2;
  out[i] = in[(channel * H + y / 2) * W + x / 2];
}

__global__ void flip_columns(const float* in, float* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c < cols) out[r * cols + c] = in[r * cols + (cols - 1 - c)];
}

__global__ void pad_plane(const float* in, float* out, float value, int H, int W, int top, int left, int OH, int OW) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= OW || y >= OH) return;
  int sy = y - top, sx = x - left;
  bool inside = sy >= 0 && sy < H && sx >= 0 && sx < W;
  out[y * OW + x] = inside ? in[sy * W + sx] : value;
}

__global__ void every_third(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[3 * i + 1];
}

__global__ void unfold1d(const float* in, float* out, int length, int width, int windows) {
  int w = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y;
  if (w < windows) out[w * width + k] = in[w + k];
}
