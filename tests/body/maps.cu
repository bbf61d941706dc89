// Elementwise and broadcast kernels (C0, C1) in the usual styles: grid-stride, AT_DISPATCH-like template, functor,
// float4.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <typename scalar_t>
__global__ void hardswish_forward(const scalar_t* __restrict__ in, scalar_t* __restrict__ out, int64_t numel) {
  const int64_t stride = (int64_t)blockDim.x * gridDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < numel; i += stride) {
    const scalar_t v = in[i];
    scalar_t gate = v + scalar_t(3);
    gate = gate < scalar_t(0) ? scalar_t(0) : (gate > scalar_t(6) ? scalar_t(6) : gate);
    out[i] = v * gate / scalar_t(6);
  }
}

__global__ void sgd_momentum(float* weight, float* velocity, const float* grad, float lr, float mu, float decay,
                             int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float g = grad[i] + decay * weight[i];
  float v = mu * velocity[i] + g;
  velocity[i] = v;
  weight[i] -= lr * v;
}

__global__ void clamp_counts(const int* in, int* out, int low, int high, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = min(max(in[i], low), high) * 2 + 1;
}

__global__ void bias_silu_half(const __half* x, const __half* bias, __half* y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y;
  if (r >= rows || c >= cols) return;
  float v = __half2float(x[r * cols + c]) + __half2float(bias[c]);
  y[r * cols + c] = __float2half(v / (1.0f + expf(-v)));
}

__global__ void channel_affine4(const float4* x, const float* scale, const float* shift, float4* y, int channels,
                                int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= channels * quads) return;
  int c = i / quads;
  float4 v = x[i];
  float a = scale[c], b = shift[c];
  v.x = v.x * a + b;
  v.y = v.y * a + b;
  v.z = v.z * a + b;
  v.w = v.w * a + b;
  y[i] = v;
}
