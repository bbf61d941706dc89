// Broadcasts and packed vectors (C1): biases, gates, rotary embedding, normalisation by given statistics, masks.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void bias_residual(const float* x, const float* bias, const float* res, float* y, int M, int N) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && col < N) {
    size_t at = (size_t)row * N + col;
    y[at] = x[at] + bias[col] + res[at];
  }
}

__global__ void swiglu_packed(const float* x, float* y, int rows, int half) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * half; i += gridDim.x * blockDim.x) {
    int r = i / half, c = i % half;
    const float* base = x + r * 2 * half;
    float gate = base[c], up = base[half + c];
    y[i] = gate / (1.0f + __expf(-gate)) * up;
  }
}

__global__ void rotary_half(const float* q, const float* cosine, const float* sine, float* out, int heads, int half) {
  int token = blockIdx.x, head = blockIdx.y, d = threadIdx.x;
  if (d >= half) return;
  int base = (token * heads + head) * 2 * half;
  float a = q[base + d], b = q[base + half + d];
  float c = cosine[token * half + d], s = sine[token * half + d];
  out[base + d] = a * c - b * s;
  out[base + half + d] = b * c + a * s;
}

__global__ void film_modulate(const float* x, const float* gamma, const float* beta, float* y, int C, int P) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y, b = blockIdx.z;
  if (p >= P) return;
  int plane = b * C + c;
  y[plane * P + p] = (1.0f + gamma[plane]) * x[plane * P + p] + beta[plane];
}

__global__ void batchnorm_infer(const float* x, const float* mean, const float* var, const float* w, const float* b,
                                float* y, float eps, int channels, int plane, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int c = (i / plane) % channels;
  y[i] = (x[i] - mean[c]) * rsqrtf(var[c] + eps) * w[c] + b[c];
}

__global__ void mask_fill_rows(const float* x, const unsigned char* keep, float* y, float value, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  y[i] = keep[i % cols] ? x[i] : value;
}

__global__ void outer_sum2(const float* a, const float2* b, float2* y, int rows, int pairs) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y;
  if (j >= pairs) return;
  float2 v = b[j];
  float s = a[i];
  y[i * pairs + j] = make_float2(s + v.x, s + v.y);
}

__global__ void scale_half2(const __half2* x, const float* scale, __half2* y, int rows, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * pairs) return;
  float2 v = __half22float2(x[i]);
  float s = scale[i / pairs];
  y[i] = __floats2half2_rn(v.x * s, v.y * s);
}
