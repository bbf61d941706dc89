// Wild, uninitialised and misaligned accesses. One launch of each: grid 2, block 64, p and q are 256 integers, p given,
// q zero.
#include <cuda_fp16.h>
#define ARGS const int *p, int *q

__global__ void one_past_the_end(ARGS) {
  q[128 + blockIdx.x * 64 + threadIdx.x + 1] = p[threadIdx.x];  // DEFECT bounds
}
__global__ void before_the_start(ARGS) {
  q[blockIdx.x * 64 + threadIdx.x] = p[(int)threadIdx.x - 1];  // DEFECT bounds
}
__global__ void far_outside(ARGS) {
  if (threadIdx.x == 0) q[1000000 * (blockIdx.x + 1)] = 1;  // DEFECT bounds
}
__global__ void vector_over_the_end(ARGS) {
  const int4* v = (const int4*)p;
  if (blockIdx.x == 1) q[threadIdx.x] = v[threadIdx.x + 1].w;  // DEFECT bounds
}
__global__ void shared_outside(ARGS) {
  __shared__ int s[32];
  s[threadIdx.x] = p[threadIdx.x];  // DEFECT bounds
  __syncthreads();
  if (threadIdx.x < 32) q[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}
__global__ void next_shared_array(ARGS) {
  __shared__ int a[64];
  __shared__ int b[64];
  a[threadIdx.x] = p[threadIdx.x];
  b[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  q[blockIdx.x * 64 + threadIdx.x] = (threadIdx.x % 2 ? a : b)[threadIdx.x + 40];  // DEFECT bounds
}
__global__ void local_outside(ARGS) {
  int a[4] = {1, 2, 3, 4};
  q[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x % 5];  // DEFECT bounds
}
__global__ void null_pointer(ARGS) {
  int* nothing = p[0] > 1000 ? q : nullptr;
  nothing[threadIdx.x] = 1;  // DEFECT bounds
}
__global__ void made_up_pointer(ARGS) {
  int* wild = (int*)(0x123456789abcull + 4 * threadIdx.x);
  q[blockIdx.x * 64 + threadIdx.x] = *wild;  // DEFECT bounds
}
__global__ void uninitialised_shared(ARGS) {
  __shared__ int s[64];
  if (threadIdx.x != 5) s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  q[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];  // DEFECT uninitialised
}
__global__ void shared_of_the_last_block(ARGS) {
  __shared__ int s[64];
  if (blockIdx.x == 0) s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  q[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];  // DEFECT uninitialised
}
__global__ void uninitialised_local(ARGS) {
  int v;
  if (p[threadIdx.x] > 1000) v = 3;
  q[blockIdx.x * 64 + threadIdx.x] = v;  // DEFECT uninitialised
}
__global__ void uninitialised_local_array(ARGS) {
  int a[8];
  for (int k = 0; k < 7; k++) a[k] = k;
  q[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x % 8];  // DEFECT uninitialised
}
__global__ void uninitialised_sum(ARGS) {
  int sum;
  for (int k = 0; k < 4; k++) sum += p[k];  // DEFECT uninitialised
  q[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void misaligned_vector(ARGS) {
  const int2* v = (const int2*)(p + 1);
  q[blockIdx.x * 64 + threadIdx.x] = v[threadIdx.x].x;  // DEFECT misaligned
}
__global__ void misaligned_float4_in_shared(ARGS) {
  __shared__ __align__(16) float s[72];
  float4* v = (float4*)(s + 2);
  if (threadIdx.x < 16) v[threadIdx.x] = make_float4(1, 2, 3, 4);  // DEFECT misaligned
}
__global__ void misaligned_half2(ARGS) {
  __half2* v = (__half2*)((char*)q + 2);
  if (blockIdx.x == 0) v[threadIdx.x] = __floats2half2_rn(1, 2);  // DEFECT misaligned
}
__global__ void index_overflow(ARGS) {
  int row = threadIdx.x + 70000, width = 70000;
  int i = row * width;  // DEFECT overflow
  q[blockIdx.x * 64 + threadIdx.x] = p[i - i];  // DEFECT overflow
}
__global__ void unsigned_index_overflow(ARGS) {
  unsigned stride = 1u << 20;
  unsigned i = (threadIdx.x + 4096u) * stride;  // DEFECT overflow
  if (threadIdx.x == 0) q[blockIdx.x] = p[i];  // DEFECT overflow
}
__global__ void async_copy_without_wait(ARGS) {
  __shared__ __align__(16) int s[64];
  unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(p + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  q[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];  // DEFECT uninitialised
}
__constant__ int kFixed[4] = {1, 2, 3, 4};
__global__ void write_to_constant(ARGS) {
  int* writable = (int*)kFixed;
  if (threadIdx.x == 0) writable[0] = 5;  // DEFECT read-only
}
__global__ void atomic_misaligned(ARGS) {
  unsigned long long* wide = (unsigned long long*)(q + 1);
  atomicAdd(wide, 1ull);  // DEFECT misaligned
}
__global__ void wild_shared_address(ARGS) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]) ^ 0x00f00000u;
  int v;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");  // DEFECT bounds
  q[blockIdx.x * 64 + threadIdx.x] = v;
}
__global__ void generic_address_as_shared(ARGS) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  asm volatile("st.shared.s32 [%0], %1;" ::"r"((unsigned)(size_t)&q[threadIdx.x]), "r"(1) : "memory");  // DEFECT bounds
}
