// Gathers and compressed rows (C9): embeddings, sparse products, selections, segments, tables.
#include <cuda_runtime.h>

__global__ void embedding_padding(const float* table, const long long* ids, float* out, long long pad, int dim) {
  int t = blockIdx.x;
  long long id = ids[t];
  for (int d = threadIdx.x; d < dim; d += blockDim.x) out[t * dim + d] = id == pad ? 0.0f : table[id * dim + d];
}

__global__ void csr_matvec(const int* rowptr, const int* col, const float* val, const float* x, float* y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int e = rowptr[r]; e < rowptr[r + 1]; e++) s += val[e] * x[col[e]];
  y[r] = s;
}

__global__ void csr_matmat(const int* rowptr, const int* col, const float* x, float* y, int rows, int dim) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * dim) return;
  int r = i / dim, d = i % dim;
  float s = 0.0f;
  for (int e = rowptr[r]; e < rowptr[r + 1]; e++) s += x[col[e] * dim + d];
  y[i] = s;
}

__global__ void select_columns(const float* x, const int* index, float* y, int rows, int cols, int picked) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (j < picked) y[r * picked + j] = x[r * cols + index[j]];
}

__global__ void take_along_rows(const float* x, const int* index, float* y, int rows, int cols, int picked) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * picked) return;
  y[i] = x[(i / picked) * cols + index[i]];
}

__global__ void segment_max(const float* x, const int* offsets, float* y, int segments) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= segments) return;
  float m = -1e30f;
  for (int i = offsets[s]; i < offsets[s + 1]; i++) m = fmaxf(m, x[i]);
  y[s] = m;
}

__global__ void bag_sum(const float* table, const int* ids, const int* offsets, float* y, int bags, int dim) {
  int d = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
  if (d >= dim) return;
  float s = 0.0f;
  for (int k = offsets[b]; k < offsets[b + 1]; k++) s += table[ids[k] * dim + d];
  y[b * dim + d] = s;
}

__global__ void lookup_dequant(const unsigned char* code, const float* book, const float* scale, float* y, int rows,
                               int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  y[i] = book[code[i]] * scale[i / cols];
}
