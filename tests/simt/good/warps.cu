// Shuffles, votes, match and reduce.
#include <cuda_fp16.h>

#define FULL 0xffffffffu
__global__ void shuffle_index(const int* x, int* y) { y[threadIdx.x] = __shfl_sync(FULL, x[threadIdx.x], 35); }
__global__ void shuffle_up(const int* x, int* y) { y[threadIdx.x] = __shfl_up_sync(FULL, x[threadIdx.x], 3); }
__global__ void shuffle_down(const int* x, int* y) { y[threadIdx.x] = __shfl_down_sync(FULL, x[threadIdx.x], 5); }
__global__ void shuffle_xor(const float* x, float* y) { y[threadIdx.x] = __shfl_xor_sync(FULL, x[threadIdx.x], 9); }
__global__ void shuffle_widths(const int* x, int* y) {
  int v = x[threadIdx.x];
  y[threadIdx.x] = __shfl_sync(FULL, v, 11, 8);
  y[32 + threadIdx.x] = __shfl_up_sync(FULL, v, 2, 8);
  y[64 + threadIdx.x] = __shfl_down_sync(FULL, v, 3, 4);
  y[96 + threadIdx.x] = __shfl_xor_sync(FULL, v, 6, 4);
}
__global__ void shuffle_64(const double* x, double* y, long long* z) {
  y[threadIdx.x] = __shfl_xor_sync(FULL, x[threadIdx.x], 1);
  z[threadIdx.x] = __shfl_down_sync(FULL, (1ll << 40) + threadIdx.x, 1);
}
__global__ void shuffle_half(const __half* x, __half* y, __half2* z) {
  y[threadIdx.x] = __shfl_down_sync(FULL, x[threadIdx.x], 2);
  z[threadIdx.x] = __shfl_xor_sync(FULL, __halves2half2(x[threadIdx.x], x[threadIdx.x ^ 2]), 4);
}
__global__ void votes(const int* x, unsigned* y) {
  int v = x[threadIdx.x];
  y[threadIdx.x] = __ballot_sync(FULL, v > 0);
  y[32 + threadIdx.x] = __any_sync(FULL, v > 95) * 4 + __all_sync(FULL, v > -101) * 2 + __all_sync(FULL, v > 0);
}
__global__ void match_any(const int* x, unsigned* y) { y[threadIdx.x] = __match_any_sync(FULL, x[threadIdx.x]); }
__global__ void match_all(const int* x, unsigned* y) {
  int same;
  y[threadIdx.x] = __match_all_sync(FULL, x[threadIdx.x], &same);
  y[32 + threadIdx.x] = same;
  y[64 + threadIdx.x] = __match_all_sync(FULL, 5ll, &same);
  y[96 + threadIdx.x] = same;
}
__global__ void reduce_all(const int* x, unsigned* y) {
  int v = x[threadIdx.x];
  y[0 * 32 + threadIdx.x] = __reduce_add_sync(FULL, v);
  y[1 * 32 + threadIdx.x] = __reduce_min_sync(FULL, v);
  y[2 * 32 + threadIdx.x] = __reduce_max_sync(FULL, v);
  y[3 * 32 + threadIdx.x] = __reduce_max_sync(FULL, (unsigned)v);
  y[4 * 32 + threadIdx.x] = __reduce_and_sync(FULL, (unsigned)v | 9u);
  y[5 * 32 + threadIdx.x] = __reduce_or_sync(FULL, (unsigned)v & 9u);
  y[6 * 32 + threadIdx.x] = __reduce_xor_sync(FULL, (unsigned)v);
}
__global__ void active_in_branch(unsigned* y) {
  unsigned mask = 0;
  if (threadIdx.x % 3 == 1) mask = __activemask();
  y[threadIdx.x] = mask;
}
__global__ void short_warp(const int* x, int* y) {
  unsigned mask = __ballot_sync(FULL, threadIdx.x < 40);
  int v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) {
    int other = __shfl_down_sync(mask, v, threadIdx.x % 32 + d < __popc(mask) ? d : 0);
    if (threadIdx.x % 32 + d < __popc(mask)) v += other;
  }
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}
__global__ void masked_shuffle(const int* x, int* y) {
  int v = 0;
  if (threadIdx.x & 1) v = __shfl_xor_sync(0xaaaaaaaau, x[threadIdx.x], 2);
  y[threadIdx.x] = v;
}
__global__ void lane_and_warp(int* y) { y[threadIdx.x] = (threadIdx.x % warpSize) * 10 + threadIdx.x / warpSize; }
__global__ void warp_sum(const float* x, float* y) {
  float v = x[blockIdx.x * 32 + threadIdx.x];
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
__global__ void warp_scan(const int* x, int* y) {
  int v = x[threadIdx.x], lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += other;
  }
  y[threadIdx.x] = v;
}
