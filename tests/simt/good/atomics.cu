// Atomics of every type and operation.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void add_int(const int* x, int* y) { atomicAdd(&y[x[threadIdx.x] & 3], threadIdx.x); }
__global__ void sub_unsigned(unsigned* y) { atomicSub(y, threadIdx.x); }
__global__ void min_max(const int* x, int* y) {
  atomicMin(&y[0], x[threadIdx.x]);
  atomicMax(&y[1], x[threadIdx.x]);
  atomicMin((unsigned*)&y[2], (unsigned)x[threadIdx.x]);
  atomicMax((unsigned*)&y[3], (unsigned)x[threadIdx.x]);
}
__global__ void bits(const unsigned* x, unsigned* y) {
  atomicAnd(&y[0], x[threadIdx.x] | 0xf0f0u);
  atomicOr(&y[1], x[threadIdx.x] & 0x0ff0u);
  atomicXor(&y[2], x[threadIdx.x]);
}
__global__ void exchange(int* slot, int* seen) {
  int old = atomicExch(slot, threadIdx.x + 1);
  atomicAdd(&seen[old], 1);
}
__global__ void exchange_float(float* slot) { atomicExch(slot, 2.5f); }
__global__ void cas_multiply(const float* x, float* y) {
  int* bits = (int*)y;
  int old = atomicCAS(bits, 0, 0), assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(__int_as_float(assumed) * x[threadIdx.x]));
  } while (old != assumed);
}
__global__ void increment(unsigned* y) { atomicInc(y, 9); }
__global__ void decrement(unsigned* y) { atomicDec(y, 6); }
__global__ void wide(unsigned long long* y) {
  atomicAdd(&y[0], 1ull << 33);
  atomicMax(&y[1], (unsigned long long)threadIdx.x << 40);
  atomicExch(&y[2], 77ull);
  atomicCAS(&y[3], 5ull, 1ull << 50);
}
__global__ void signed_wide(long long* y) {
  atomicMin(&y[0], -(long long)threadIdx.x << 40);
  atomicMax(&y[1], (long long)threadIdx.x - 5);
}
__global__ void add_float(float* y) { atomicAdd(y, 0.5f); }
__global__ void add_double(const double* x, double* y) { atomicAdd(y, x[threadIdx.x]); }
__global__ void add_half(__half* y) { atomicAdd(y, __float2half(0.25f)); }
__global__ void add_half2(__half2* y) { atomicAdd(y, __floats2half2_rn(1.0f, 0.5f)); }
__global__ void add_bfloat(__nv_bfloat16* y) { atomicAdd(y, __float2bfloat16(0.5f)); }
__global__ void add_bfloat2(__nv_bfloat162* y) { atomicAdd(y, __floats2bfloat162_rn(1.0f, 2.0f)); }
__global__ void cas_short(unsigned short* y) { atomicCAS(&y[threadIdx.x], (unsigned short)threadIdx.x, (unsigned short)9); }
__global__ void scopes(int* y) {
  atomicAdd_block(&y[0], 1);
  atomicAdd_system(&y[1], 2);
  atomicMax_block(&y[2], (int)threadIdx.x);
  atomicCAS_system(&y[3], 0, 4);
}
__global__ void shared_histogram(const int* x, int* y) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 500; i += blockDim.x) atomicAdd(&bins[x[i]], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}
__global__ void float_max_by_cas(const float* x, float* y) {
  unsigned* bits = (unsigned*)y;
  float value = x[blockIdx.x * 32 + threadIdx.x];
  unsigned old = atomicAdd(bits, 0u);
  while (value > __uint_as_float(old)) {
    unsigned seen = atomicCAS(bits, old, __float_as_uint(value));
    if (seen == old) break;
    old = seen;
  }
}
__global__ void ticket_order(int* counter, int* slots) {
  int ticket = atomicAdd(counter, 1);
  slots[ticket] = 7;
}
__global__ void last_block_adds_up(const int* x, int* partial, unsigned* tickets, int* y) {
  // The pattern of the "thread fence reduction": the block that finishes last sees the others' sums.
  __shared__ bool last;
  atomicAdd(&partial[blockIdx.x], x[blockIdx.x * 64 + threadIdx.x]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[4 + blockIdx.x] = 2 * partial[blockIdx.x];
    __threadfence();
    last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < 32) {
    int sum = 0;
    for (unsigned k = 0; k < gridDim.x; k++) sum += partial[4 + k];
    y[threadIdx.x] = sum;
  }
}
__global__ void lock(int* mutex, int* total) {
  // One thread of each block holds the lock and adds plainly.
  if (threadIdx.x == 0) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
    *total += blockIdx.x + 1;
    __threadfence();
    atomicExch(mutex, 0);
  }
}
