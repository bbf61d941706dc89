// Kernels as they appear in PyTorch extensions: a fused forward and the gradients that go with it.
#include <cuda_runtime.h>
#include <math.h>

__device__ __forceinline__ float gelu_value(float v) {
    return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

__device__ __forceinline__ float gelu_slope(float v) {
    float t = tanhf(0.7978845608f * (v + 0.044715f * v * v * v));
    return 0.5f * (1.0f + t) + 0.5f * v * (1.0f - t * t) * 0.7978845608f * (1.0f + 3.0f * 0.044715f * v * v);
}

template <typename T>
__global__ void bias_gelu_forward(const T* __restrict__ x, const T* __restrict__ bias, T* __restrict__ y, int rows, int cols) {
    int total = rows * cols;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += blockDim.x * gridDim.x) {
        y[i] = gelu_value(x[i] + bias[i % cols]);
    }
}

__global__ void bias_gelu_backward(const float* grad, const float* x, const float* bias, float* grad_x, int rows, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) grad_x[i] = grad[i] * gelu_slope(x[i] + bias[i % cols]);
}

// column sums: one thread per column
__global__ void column_sum(const float* grad, float* out, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols) return;
    float s = 0.0f;
    for (int r = 0; r < rows; ++r) s += grad[r * cols + c];
    out[c] = s;
}

// column sums of a product with the slope, one block per column
__global__ void bias_gelu_backward_bias(const float* grad, const float* x, const float* bias, float* grad_bias, int rows, int cols) {
    __shared__ float part[64];
    int c = blockIdx.x;
    float s = 0.0f;
    for (int r = threadIdx.x; r < rows; r += blockDim.x) s += grad[r * cols + c] * gelu_slope(x[r * cols + c] + bias[c]);
    part[threadIdx.x] = s;
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o /= 2) {
        if (threadIdx.x < o) part[threadIdx.x] += part[threadIdx.x + o];
        __syncthreads();
    }
    if (threadIdx.x == 0) grad_bias[c] = part[0];
}

__device__ float warp_sum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    return __shfl_sync(0xffffffffu, v, 0);
}

// one warp per row; y = x / rms(x) * w
__global__ void rms_norm(const float* x, const float* w, float* y, float* inv_rms, float eps, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* in = x + row * cols;
    float s = 0.0f;
    for (int j = lane; j < cols; j += 32) s += in[j] * in[j];
    s = warp_sum(s);
    float r = rsqrtf(s / cols + eps);
    if (lane == 0) inv_rms[row] = r;
    for (int j = lane; j < cols; j += 32) y[row * cols + j] = in[j] * r * w[j];
}

// dx of rms_norm
__global__ void rms_norm_backward(const float* dy, const float* x, const float* w, const float* inv_rms, float* dx, int rows, int cols) {
    int row = blockIdx.x;
    float s = 0.0f;
    for (int j = threadIdx.x; j < cols; j += 32) s += dy[row * cols + j] * w[j] * x[row * cols + j];
    s = warp_sum(s);
    float r = inv_rms[row];
    for (int j = threadIdx.x; j < cols; j += 32) {
        int k = row * cols + j;
        dx[k] = r * dy[k] * w[j] - x[k] * r * r * r * s / cols;
    }
}

// dx of layer norm from saved mean and 1/std
__global__ void layer_norm_backward(const float* dy, const float* x, const float* gamma, const float* mean, const float* rstd,
                                    float* dx, int rows, int cols) {
    __shared__ float shared_a[32];
    __shared__ float shared_b[32];
    int row = blockIdx.x;
    float m = mean[row];
    float rs = rstd[row];
    float a = 0.0f;
    float b = 0.0f;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        float g = dy[row * cols + j] * gamma[j];
        a += g;
        b += g * (x[row * cols + j] - m) * rs;
    }
    shared_a[threadIdx.x] = a;
    shared_b[threadIdx.x] = b;
    __syncthreads();
    for (int o = 16; o > 0; o >>= 1) {
        if (threadIdx.x < o) {
            shared_a[threadIdx.x] += shared_a[threadIdx.x + o];
            shared_b[threadIdx.x] += shared_b[threadIdx.x + o];
        }
        __syncthreads();
    }
    float mean_a = shared_a[0] / cols;
    float mean_b = shared_b[0] / cols;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        float g = dy[row * cols + j] * gamma[j];
        float xhat = (x[row * cols + j] - m) * rs;
        dx[row * cols + j] = (g - mean_a - xhat * mean_b) * rs;
    }
}

// softmax(scale * x + mask) over the last dimension of [heads, queries, keys]; the mask is shared by the heads
__global__ void scale_mask_softmax(const float* x, const float* mask, float* y, float scale, int queries, int keys) {
    __shared__ float buf[32];
    int row = blockIdx.x;
    int q = row % queries;
    const float* in = x + row * keys;
    float m = -INFINITY;
    for (int j = threadIdx.x; j < keys; j += blockDim.x) m = fmaxf(m, in[j] * scale + mask[q * keys + j]);
    buf[threadIdx.x] = m;
    __syncthreads();
    for (int o = 16; o > 0; o >>= 1) {
        if (threadIdx.x < o) buf[threadIdx.x] = fmaxf(buf[threadIdx.x], buf[threadIdx.x + o]);
        __syncthreads();
    }
    m = buf[0];
    __syncthreads();
    float s = 0.0f;
    for (int j = threadIdx.x; j < keys; j += blockDim.x) s += __expf(in[j] * scale + mask[q * keys + j] - m);
    buf[threadIdx.x] = s;
    __syncthreads();
    for (int o = 16; o > 0; o >>= 1) {
        if (threadIdx.x < o) buf[threadIdx.x] += buf[threadIdx.x + o];
        __syncthreads();
    }
    float inv = 1.0f / buf[0];
    for (int j = threadIdx.x; j < keys; j += blockDim.x)
        y[row * keys + j] = __expf(in[j] * scale + mask[q * keys + j] - m) * inv;
}

// dx = y * (dy - sum(y * dy))
__global__ void softmax_backward(const float* dy, const float* y, float* dx, int rows, int cols) {
    int row = blockIdx.x;
    float s = 0.0f;
    for (int j = threadIdx.x; j < cols; j += 32) s += y[row * cols + j] * dy[row * cols + j];
    s = warp_sum(s);
    for (int j = threadIdx.x; j < cols; j += 32) {
        int k = row * cols + j;
        dx[k] = y[k] * (dy[k] - s);
    }
}

__global__ void swiglu(const float* gate, const float* up, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float g = gate[i];
        y[i] = g / (1.0f + __expf(-g)) * up[i];
    }
}

// gate and up are the halves of one row
__global__ void swiglu_packed(const float* x, float* y, int rows, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    int r = i / cols;
    int c = i % cols;
    float g = x[r * 2 * cols + c];
    float u = x[r * 2 * cols + cols + c];
    y[i] = g / (1.0f + expf(-g)) * u;
}

// two launches over a scratch buffer: partial sums, then their total
__global__ void partial_sums(const float* x, float* part, int n, int chunk) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int chunks = (n + chunk - 1) / chunk;
    if (c >= chunks) return;
    float s = 0.0f;
    for (int k = c * chunk; k < min(n, (c + 1) * chunk); ++k) s += x[k];
    part[c] = s;
}

__global__ void total_sum(const float* part, float* out, int n, int chunk) {
    float s = 0.0f;
    for (int c = 0; c < (n + chunk - 1) / chunk; ++c) s += part[c];
    out[0] = s;
}
