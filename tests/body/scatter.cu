// Atomics (C10): histograms, scatter-add of rows and values, sums into one place, maxima.
#include <cuda_runtime.h>

__global__ void histogram_global(const int* value, int* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[value[i]], 1);
}

__global__ void histogram_private(const unsigned char* value, unsigned int* bins, int n, int count) {
  __shared__ unsigned int local[64];
  for (int b = threadIdx.x; b < count; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[value[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < count; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

__global__ void index_add_rows(const float* src, const int* index, float* out, float scale, int rows, int dim) {
  int d = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (d < dim) atomicAdd(out + index[r] * dim + d, scale * src[r * dim + d]);
}

__global__ void weighted_bincount(const int* key, const float* weight, float* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&total[key[i]], weight[i]);
}

__global__ void column_sum_atomic(const float* x, float* y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c < cols && r < rows) atomicAdd(y + c, x[r * cols + c]);
}

__global__ void total_atomic(const float* x, float* y, int n) {
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(y, v);
}

__global__ void coo_transposed_matvec(const int* row, const int* col, const float* val, const float* x, float* y,
                                      int nnz) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < nnz) atomicAdd(&y[col[e]], val[e] * x[row[e]]);
}

__global__ void scatter_max(const int* key, const int* value, int* best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(&best[key[i]], value[i]);
}

__global__ void cell_count(const int* px, const int* py, int* grid, int n, int W) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&grid[py[i] * W + px[i]], 1);
}
