// Block and warp reductions (C7): sums, extremes, softmax, norms, Welford, online softmax, a loss in two launches.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__device__ inline float warp_sum(float v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  return v;
}

__global__ void row_sum_tree(const float* x, float* y, int cols) {
  extern __shared__ float s[];
  float v = 0.0f;
  for (int j = threadIdx.x; j < cols; j += blockDim.x) v += x[blockIdx.x * cols + j];
  s[threadIdx.x] = v;
  __syncthreads();
  for (unsigned int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}

__global__ void row_absmax(const float* x, float* y, int cols) {
  __shared__ float s[4];
  float v = 0.0f;
  for (int j = threadIdx.x; j < cols; j += 128) v = fmaxf(v, fabsf(x[blockIdx.x * cols + j]));
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, o));
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = fmaxf(fmaxf(s[0], s[1]), fmaxf(s[2], s[3]));
}

__global__ void softmax_block(const float* x, float* y, int cols) {
  __shared__ float s[64];
  const float* in = x + blockIdx.x * cols;
  int t = threadIdx.x;
  float top = -INFINITY;
  for (int j = t; j < cols; j += 64) top = fmaxf(top, in[j]);
  s[t] = top;
  __syncthreads();
  for (int h = 32; h > 0; h >>= 1) {
    if (t < h) s[t] = fmaxf(s[t], s[t + h]);
    __syncthreads();
  }
  top = s[0];
  __syncthreads();
  float sum = 0.0f;
  for (int j = t; j < cols; j += 64) sum += expf(in[j] - top);
  s[t] = sum;
  __syncthreads();
  for (int h = 32; h > 0; h >>= 1) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  float inv = 1.0f / s[0];
  for (int j = t; j < cols; j += 64) y[blockIdx.x * cols + j] = expf(in[j] - top) * inv;
}

__global__ void layer_norm_warp(const float* x, const float* w, const float* b, float* y, int rows, int cols,
                                float eps) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int r = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (r >= rows) return;
  float sum = 0.0f;
  for (int j = warp.thread_rank(); j < cols; j += warp.size()) sum += x[r * cols + j];
  float mean = cg::reduce(warp, sum, cg::plus<float>{}) / cols;
  float sq = 0.0f;
  for (int j = warp.thread_rank(); j < cols; j += warp.size()) {
    float d = x[r * cols + j] - mean;
    sq += d * d;
  }
  float inv = rsqrtf(cg::reduce(warp, sq, cg::plus<float>{}) / cols + eps);
  for (int j = warp.thread_rank(); j < cols; j += warp.size())
    y[r * cols + j] = (x[r * cols + j] - mean) * inv * w[j] + b[j];
}

__global__ void moments_block(const float* x, float* mean, float* var, int cols) {
  __shared__ float ss[2], qs[2];
  float s = 0.0f, q = 0.0f;
  for (int j = threadIdx.x; j < cols; j += 64) {
    float v = x[blockIdx.x * cols + j];
    s += v;
    q += v * v;
  }
  s = warp_sum(s);
  q = warp_sum(q);
  if ((threadIdx.x & 31) == 0) {
    ss[threadIdx.x >> 5] = s;
    qs[threadIdx.x >> 5] = q;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float m = (ss[0] + ss[1]) / cols;
    mean[blockIdx.x] = m;
    var[blockIdx.x] = (qs[0] + qs[1]) / cols - m * m;
  }
}

__global__ void online_softmax_warp(const float* x, float* y, int cols) {
  const float* in = x + blockIdx.x * cols;
  float top = -INFINITY, sum = 0.0f;
  for (int j = threadIdx.x; j < cols; j += 32) {
    float v = in[j], next = fmaxf(top, v);
    sum = sum * expf(top - next) + expf(v - next);
    top = next;
  }
  for (int o = 16; o > 0; o >>= 1) {
    float other_top = __shfl_xor_sync(0xffffffff, top, o), other_sum = __shfl_xor_sync(0xffffffff, sum, o);
    float next = fmaxf(top, other_top);
    if (next > -INFINITY) sum = sum * expf(top - next) + other_sum * expf(other_top - next);
    top = next;
  }
  for (int j = threadIdx.x; j < cols; j += 32) y[blockIdx.x * cols + j] = expf(in[j] - top) / sum;
}

__global__ void rms_norm_half(const __half* x, const __half* w, __half* y, int cols, float eps) {
  __shared__ float s[2];
  __shared__ float inv;
  const __half* in = x + blockIdx.x * cols;
  float q = 0.0f;
  for (int j = threadIdx.x; j < cols; j += 64) {
    float v = __half2float(in[j]);
    q += v * v;
  }
  q = warp_sum(q);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = q;
  __syncthreads();
  if (threadIdx.x == 0) inv = rsqrtf((s[0] + s[1]) / cols + eps);
  __syncthreads();
  for (int j = threadIdx.x; j < cols; j += 64)
    y[blockIdx.x * cols + j] = __float2half(__half2float(in[j]) * inv * __half2float(w[j]));
}

__global__ void squared_error_parts(const float* a, const float* b, float* part, int n) {
  __shared__ float s[2];
  float v = 0.0f;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
    float d = a[i] - b[i];
    v += d * d;
  }
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) part[blockIdx.x] = s[0] + s[1];
}

__global__ void finish_mean(const float* part, float* loss, int parts, int n) {
  float v = threadIdx.x < parts ? part[threadIdx.x] : 0.0f;
  v = warp_sum(v);
  if (threadIdx.x == 0) *loss = v / n;
}

__global__ void dot_one_block(const float* a, const float* b, float* y, int n) {
  __shared__ float s[128];
  float v = 0.0f;
  for (int i = threadIdx.x; i < n; i += 128) v += a[i] * b[i];
  s[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x < 64) s[threadIdx.x] += s[threadIdx.x + 64];
  __syncthreads();
  if (threadIdx.x < 32) {
    v = s[threadIdx.x] + s[threadIdx.x + 32];
    v = warp_sum(v);
    if (threadIdx.x == 0) y[0] = v;
  }
}
