// Data-dependent addresses (C9, C10): gathers, a segmented mean, embedding gradients, counts.
#include <cuda_runtime.h>

__global__ void gather_rows_scaled(const float* table, const long long* ids, const float* w, float* out, int count,
                                   int dim) {
  int i = blockIdx.x;
  for (int d = threadIdx.x; d < dim; d += blockDim.x) out[i * dim + d] = table[ids[i] * dim + d] * w[i];
}

__global__ void segment_mean(const float* values, const int* offsets, float* out, int segments) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= segments) return;
  int begin = offsets[s], end = offsets[s + 1];
  float sum = 0.0f;
  for (int i = begin; i < end; i++) sum += values[i];
  out[s] = end > begin ? sum / (float)(end - begin) : 0.0f;
}

__global__ void embedding_backward(const float* grad, const int* ids, float* grad_table, int count, int dim) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count * dim) atomicAdd(&grad_table[ids[i / dim] * dim + i % dim], grad[i]);
}

__global__ void expert_counts(const int* expert, int* counts, int tokens) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < tokens; i += blockDim.x * gridDim.x)
    atomicAdd(counts + expert[i], 1);
}
