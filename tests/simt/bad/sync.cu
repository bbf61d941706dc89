// Barriers, warp operations and arithmetic that cannot be. One launch of each: grid 2, block 64, p and q are 256
// integers, p given, q zero.
#include <assert.h>
#define ARGS const int *p, int *q
#define FULL 0xffffffffu

__global__ void barrier_in_both_branches(ARGS) {
  if (threadIdx.x < 32)
    __syncthreads();  // DEFECT divergent-barrier
  else
    __syncthreads();  // DEFECT divergent-barrier
}
__global__ void barriers_of_other_numbers(ARGS) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1;" ::: "memory");  // DEFECT deadlock
  else
    asm volatile("bar.sync 2;" ::: "memory");  // DEFECT deadlock
}
__global__ void barrier_waits_for_more_threads(ARGS) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");  // DEFECT deadlock
}
__global__ void shuffle_with_missing_lanes(ARGS) {
  int v = 0;
  if (threadIdx.x % 32 < 16) v = __shfl_xor_sync(FULL, p[threadIdx.x], 1);  // DEFECT inactive-lane
  __syncthreads();  // DEFECT inactive-lane
  q[blockIdx.x * 64 + threadIdx.x] = v;
}
__global__ void shuffle_from_inactive_lane(ARGS) {
  int v = 0;
  if (threadIdx.x % 32 < 16) v = __shfl_sync(0xffffu, p[threadIdx.x], 20);  // DEFECT inactive-lane
  q[blockIdx.x * 64 + threadIdx.x] = v;
}
__global__ void lane_not_in_its_mask(ARGS) {
  q[blockIdx.x * 64 + threadIdx.x] = __ballot_sync(0x0000ffffu, p[threadIdx.x] > 0);  // DEFECT inactive-lane
}
__global__ void vote_in_divergent_loop(ARGS) {
  int n = threadIdx.x % 4;
  for (int k = 0; k < n; k++) q[blockIdx.x * 64 + threadIdx.x] += __any_sync(FULL, k > 1);  // DEFECT inactive-lane
  __syncthreads();  // DEFECT inactive-lane
}
__global__ void syncwarp_with_missing_lanes(ARGS) {
  if (threadIdx.x % 32 < 8)
    __syncwarp();  // DEFECT inactive-lane
  else
    __syncwarp(0xffffff00u);
  __syncthreads();  // DEFECT inactive-lane
}
__global__ void matrix_needs_the_whole_warp(ARGS) {
  unsigned v = 0, at;
  __shared__ __align__(16) int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x % 8 * 4]);
  if (threadIdx.x % 32 < 16)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(at));  // DEFECT inactive-lane
  q[blockIdx.x * 64 + threadIdx.x] = (int)v;
}
__global__ void division_by_zero(ARGS) {
  q[blockIdx.x * 64 + threadIdx.x] = 100 / (p[threadIdx.x] * 0);  // DEFECT division-by-zero
}
__global__ void remainder_of_zero(ARGS) {
  q[blockIdx.x * 64 + threadIdx.x] = 100 % ((int)threadIdx.x / 64);  // DEFECT division-by-zero
}
__global__ void failed_assertion(ARGS) {
  assert(p[threadIdx.x] > 1000);  // DEFECT assertion
}
__global__ void trapped(ARGS) {
  if (threadIdx.x == 7) __trap();  // DEFECT trap
}
__device__ int helper(const int* p, int i) {
  return p[i];  // DEFECT bounds
}
__global__ void in_a_called_function(ARGS) { q[blockIdx.x * 64 + threadIdx.x] = helper(p, threadIdx.x + 250); }
