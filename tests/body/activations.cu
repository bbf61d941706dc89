// Elementwise kernels (C0): activations forward and backward, an optimizer step, a quantiser, bf16 data.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#define CUDA_1D_KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

__global__ void gelu_tanh_forward(const int n, const float* in, float* out) {
  CUDA_1D_KERNEL_LOOP(index, n) {
    const float v = in[index];
    const float cube = 0.044715f * v * v * v;
    out[index] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + cube)));
  }
}

__global__ void gelu_tanh_backward(const int n, const float* grad, const float* in, float* grad_in) {
  CUDA_1D_KERNEL_LOOP(index, n) {
    const float v = in[index];
    const float t = tanhf(0.7978845608f * (v + 0.044715f * v * v * v));
    const float slope = 0.7978845608f * (1.0f + 0.134145f * v * v);
    grad_in[index] = grad[index] * (0.5f * (1.0f + t) + 0.5f * v * (1.0f - t * t) * slope);
  }
}

template <typename T>
struct LeakyRelu {
  T slope;
  __device__ T operator()(T v) const { return v >= T(0) ? v : v * slope; }
};

template <typename T, typename Op>
__device__ void apply_to_all(const T* in, T* out, unsigned int n, Op op) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = op(in[i]);
}

__global__ void leaky_relu_functor(const float* in, float* out, float slope, unsigned int n) {
  apply_to_all(in, out, n, LeakyRelu<float>{slope});
}

__global__ void adam_step(float* __restrict__ p, float* __restrict__ m, float* __restrict__ v,
                          const float* __restrict__ g, float lr, float b1, float b2, float eps, float c1, float c2,
                          int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float gi = g[i];
    const float mi = b1 * m[i] + (1.f - b1) * gi;
    const float vi = b2 * v[i] + (1.f - b2) * gi * gi;
    m[i] = mi;
    v[i] = vi;
    p[i] -= lr * (mi / c1) / (sqrtf(vi / c2) + eps);
  }
}

__global__ void axpby_bf16(const __nv_bfloat16* x, const __nv_bfloat16* y, __nv_bfloat16* out, float a, float b,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __float2bfloat16(a * __bfloat162float(x[i]) + b * __bfloat162float(y[i]));
}

__global__ void requantize(const int* acc, float scale, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int q = (int)rintf((float)acc[i] * scale);
  out[i] = q < -128 ? -128 : (q > 127 ? 127 : q);
}
