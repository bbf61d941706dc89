// y = softmax(scale * x) over the last dimension; one block a row, reduced by warp shuffles and shared memory.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime.h>
#include <float.h>

#include "ops.h"

namespace {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;

__device__ __forceinline__ float warp_max(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
  return v;
}

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

__device__ float block_max(float v, float* shared) {
  v = warp_max(v);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
  __syncthreads();
  v = shared[0];
  for (int w = 1; w < kWarps; ++w) v = fmaxf(v, shared[w]);
  __syncthreads();
  return v;
}

__device__ float block_sum(float v, float* shared) {
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
  __syncthreads();
  v = shared[0];
  for (int w = 1; w < kWarps; ++w) v += shared[w];
  __syncthreads();
  return v;
}

__global__ void scaled_softmax_forward_kernel(const float* __restrict__ x, float* __restrict__ y, float scale, int cols) {
  __shared__ float shared[kWarps];
  const float* row = x + blockIdx.x * cols;
  float* out = y + blockIdx.x * cols;
  float m = -FLT_MAX;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, scale * row[c]);
  m = block_max(m, shared);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(scale * row[c] - m);
  sum = block_sum(sum, shared);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) out[c] = expf(scale * row[c] - m) / sum;
}

__global__ void scaled_softmax_backward_kernel(const float* __restrict__ grad_y, const float* __restrict__ y,
                                               float* __restrict__ grad_x, float scale, int cols) {
  __shared__ float shared[kWarps];
  const float* g = grad_y + blockIdx.x * cols;
  const float* p = y + blockIdx.x * cols;
  float* out = grad_x + blockIdx.x * cols;
  float dot = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) dot += g[c] * p[c];
  dot = block_sum(dot, shared);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) out[c] = scale * p[c] * (g[c] - dot);
}

}  // namespace

torch::Tensor scaled_softmax_forward(torch::Tensor x, double scale) {
  CHECK_INPUT(x);
  TORCH_CHECK(x.dim() == 2, "x must be 2-D");
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  const int rows = x.size(0);
  const int cols = x.size(1);
  auto y = torch::empty_like(x);
  scaled_softmax_forward_kernel<<<rows, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), static_cast<float>(scale), cols);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

torch::Tensor scaled_softmax_backward(torch::Tensor grad_y, torch::Tensor y, double scale) {
  CHECK_INPUT(grad_y);
  CHECK_INPUT(y);
  TORCH_CHECK(y.dim() == 2, "y must be 2-D");
  TORCH_CHECK(grad_y.sizes() == y.sizes(), "grad_y must have the shape of y");
  const at::cuda::OptionalCUDAGuard guard(device_of(y));
  const int rows = y.size(0);
  const int cols = y.size(1);
  auto grad_x = torch::empty_like(y);
  scaled_softmax_backward_kernel<<<rows, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      grad_y.data_ptr<float>(), y.data_ptr<float>(), grad_x.data_ptr<float>(), static_cast<float>(scale), cols);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return grad_x;
}
