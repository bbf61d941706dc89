// y = gelu(x + bias), tanh form; one thread an element.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime.h>

#include "ops.h"

namespace {

constexpr int kThreads = 256;

__device__ __forceinline__ float gelu_inner(float v) {
  return 0.7978845608f * (v + 0.044715f * v * v * v);
}

__global__ void bias_gelu_forward_kernel(const float* __restrict__ x, const float* __restrict__ bias,
                                         float* __restrict__ y, int rows, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  const float v = x[i] + bias[i % cols];
  y[i] = 0.5f * v * (1.0f + tanhf(gelu_inner(v)));
}

__global__ void bias_gelu_backward_kernel(const float* __restrict__ grad_y, const float* __restrict__ x,
                                          const float* __restrict__ bias, float* __restrict__ grad_x,
                                          int rows, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  const float v = x[i] + bias[i % cols];
  const float t = tanhf(gelu_inner(v));
  const float dt = (1.0f - t * t) * 0.7978845608f * (1.0f + 3.0f * 0.044715f * v * v);
  grad_x[i] = grad_y[i] * (0.5f * (1.0f + t) + 0.5f * v * dt);
}

}  // namespace

torch::Tensor bias_gelu_forward(torch::Tensor x, torch::Tensor bias) {
  CHECK_INPUT(x);
  CHECK_INPUT(bias);
  TORCH_CHECK(x.dim() == 2, "x must be 2-D");
  TORCH_CHECK(bias.size(0) == x.size(1), "bias must have one entry a column");
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  const int rows = x.size(0);
  const int cols = x.size(1);
  auto y = torch::empty_like(x);
  const int blocks = (rows * cols + kThreads - 1) / kThreads;
  bias_gelu_forward_kernel<<<blocks, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), rows, cols);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

torch::Tensor bias_gelu_backward(torch::Tensor grad_y, torch::Tensor x, torch::Tensor bias) {
  CHECK_INPUT(grad_y);
  CHECK_INPUT(x);
  CHECK_INPUT(bias);
  TORCH_CHECK(x.dim() == 2, "x must be 2-D");
  TORCH_CHECK(bias.size(0) == x.size(1), "bias must have one entry a column");
  TORCH_CHECK(grad_y.sizes() == x.sizes(), "grad_y must have the shape of x");
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  const int rows = x.size(0);
  const int cols = x.size(1);
  auto grad_x = torch::empty_like(x);
  const int blocks = (rows * cols + kThreads - 1) / kThreads;
  bias_gelu_backward_kernel<<<blocks, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      grad_y.data_ptr<float>(), x.data_ptr<float>(), bias.data_ptr<float>(), grad_x.data_ptr<float>(), rows, cols);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return grad_x;
}
