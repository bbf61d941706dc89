// One thread a row or group (C5): softmax and relatives, norms forward and backward, losses.
#include <cuda_runtime.h>
#include <cfloat>

__global__ void softmax_thread(const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* in = x + r * cols;
  float* out = y + r * cols;
  float top = -INFINITY;
  for (int j = 0; j < cols; j++) top = fmaxf(top, in[j]);
  float sum = 0.0f;
  for (int j = 0; j < cols; j++) {
    out[j] = expf(in[j] - top);
    sum += out[j];
  }
  for (int j = 0; j < cols; j++) out[j] /= sum;
}

__global__ void log_softmax_thread(const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = x[r * cols];
  for (int j = 1; j < cols; j++)
    if (x[r * cols + j] > top) top = x[r * cols + j];
  float sum = 0.0f;
  for (int j = 0; j < cols; j++) sum += expf(x[r * cols + j] - top);
  float shift = top + logf(sum);
  for (int j = 0; j < cols; j++) y[r * cols + j] = x[r * cols + j] - shift;
}

__global__ void layer_norm_thread(const float* x, const float* w, const float* b, float* y, int rows, int cols,
                                  float eps) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float mean = 0.0f, var = 0.0f;
  for (int j = 0; j < cols; j++) mean += x[r * cols + j];
  mean /= cols;
  for (int j = 0; j < cols; j++) {
    float d = x[r * cols + j] - mean;
    var += d * d;
  }
  float inv = rsqrtf(var / cols + eps);
  for (int j = 0; j < cols; j++) y[r * cols + j] = (x[r * cols + j] - mean) * inv * w[j] + b[j];
}

__global__ void l2_normalize(const float* x, float* y, int rows, int cols, float eps) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) s += x[r * cols + j] * x[r * cols + j];
  float norm = fmaxf(sqrtf(s), eps);
  for (int j = 0; j < cols; j++) y[r * cols + j] = x[r * cols + j] / norm;
}

__global__ void group_norm_thread(const float* x, const float* w, float* y, int batch, int groups, int per, int plane,
                                  float eps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * groups) return;
  int g = i % groups, n = per * plane;
  const float* in = x + i * n;
  float s = 0.0f, q = 0.0f;
  for (int j = 0; j < n; j++) {
    s += in[j];
    q += in[j] * in[j];
  }
  float mean = s / n;
  float inv = 1.0f / sqrtf(q / n - mean * mean + eps);
  for (int c = 0; c < per; c++)
    for (int p = 0; p < plane; p++) y[i * n + c * plane + p] = (in[c * plane + p] - mean) * inv * w[g * per + c];
}

__global__ void softmax_backward(const float* y, const float* dy, float* dx, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float dot = 0.0f;
  for (int j = 0; j < cols; j++) dot += y[r * cols + j] * dy[r * cols + j];
  for (int j = 0; j < cols; j++) dx[r * cols + j] = y[r * cols + j] * (dy[r * cols + j] - dot);
}

__global__ void smooth_cross_entropy(const float* x, const int* target, float* loss, int rows, int cols, float smooth) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = -FLT_MAX, sum = 0.0f, mean = 0.0f;
  for (int j = 0; j < cols; j++) top = fmaxf(top, x[r * cols + j]);
  for (int j = 0; j < cols; j++) {
    sum += expf(x[r * cols + j] - top);
    mean += x[r * cols + j];
  }
  float lse = top + logf(sum);
  loss[r] = (1.0f - smooth) * (lse - x[r * cols + target[r]]) + smooth * (lse - mean / cols);
}

__global__ void rms_norm_backward(const float* x, const float* w, const float* dy, float* dx, int rows, int cols,
                                  float eps) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sq = 0.0f, dot = 0.0f;
  for (int j = 0; j < cols; j++) {
    float v = x[r * cols + j];
    sq += v * v;
    dot += dy[r * cols + j] * w[j] * v;
  }
  float inv = rsqrtf(sq / cols + eps);
  for (int j = 0; j < cols; j++)
    dx[r * cols + j] = inv * (dy[r * cols + j] * w[j] - x[r * cols + j] * inv * inv * dot / cols);
}
