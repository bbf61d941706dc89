// Cooperation (C7, C8): warp per row, a two-stage sum with scratch, cooperative groups, scans.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void nll_warp_row(const float* logits, const int* target, float* loss, int rows, int classes) {
  int lane = threadIdx.x % 32;
  int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (r >= rows) return;
  const float* row = logits + r * classes;
  float top = -INFINITY;
  for (int j = lane; j < classes; j += 32) top = fmaxf(top, row[j]);
  for (int o = 16; o > 0; o >>= 1) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, o));
  float sum = 0.0f;
  for (int j = lane; j < classes; j += 32) sum += expf(row[j] - top);
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, o);
  if (lane == 0) loss[r] = logf(sum) + top - row[target[r]];
}

__global__ void partial_squares(const float* x, float* partial, int n) {
  __shared__ float s[64];
  float v = 0.0f;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64 * gridDim.x) v += x[i] * x[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int h = 32; h > 0; h /= 2) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

__global__ void finish_norm(const float* partial, float* norm, int blocks) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float v = 0.0f;
  for (int i = warp.thread_rank(); i < blocks; i += 32) v += partial[i];
  for (int o = warp.size() / 2; o > 0; o /= 2) v += warp.shfl_down(v, o);
  if (warp.thread_rank() == 0) norm[0] = sqrtf(v);
}

__global__ void inclusive_scan_rows(const int* in, int* out, int cols) {
  __shared__ int s[2][128];
  int t = threadIdx.x, cur = 0;
  s[0][t] = t < cols ? in[blockIdx.x * cols + t] : 0;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    s[1 - cur][t] = t >= d ? s[cur][t] + s[cur][t - d] : s[cur][t];
    cur = 1 - cur;
    __syncthreads();
  }
  if (t < cols) out[blockIdx.x * cols + t] = s[cur][t];
}

__global__ void gated_recurrence(const float* gate, const float* x, float* h, int channels, int steps) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  float state = 0.0f;
  for (int t = 0; t < steps; t++) {
    float g = gate[t * channels + c];
    state = g * state + (1.0f - g) * x[t * channels + c];
    h[t * channels + c] = state;
  }
}
