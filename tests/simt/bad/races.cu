// Every kernel races. A mark stands on each line that the report must name, and no other line may be named.
// One launch of each kernel: grid 2, block 64, p and q are 256 integers, p given, q zero.
#define ARGS const int *p, int *q

__global__ void shared_write_read(ARGS) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];  // DEFECT race
  q[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];  // DEFECT race
}
__global__ void shared_write_write(ARGS) {
  __shared__ int s;
  s = threadIdx.x;  // DEFECT race
  __syncthreads();
  q[blockIdx.x * 64 + threadIdx.x] = s * 0;
}
__global__ void read_then_overwritten(ARGS) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  int v = s[(threadIdx.x + 1) % 64];  // DEFECT race
  s[threadIdx.x] = v;  // DEFECT race
  q[blockIdx.x * 64 + threadIdx.x] = v;
}
__global__ void missing_barrier_in_loop(ARGS) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];  // DEFECT race
  }
  __syncthreads();
  if (threadIdx.x == 0) q[blockIdx.x * 64] = s[0];
}
__global__ void blocks_write_one_word(ARGS) {
  if (threadIdx.x == 0) q[0] = blockIdx.x;  // DEFECT race
}
__global__ void block_reads_neighbour(ARGS) {
  int i = blockIdx.x * 64 + threadIdx.x;
  q[i] = p[i];  // DEFECT race
  __syncthreads();
  q[128 + i] = q[(i + 64) % 128];  // DEFECT race
}
__global__ void counter_without_atomic(ARGS) {
  q[0] += p[threadIdx.x];  // DEFECT race
}
__global__ void atomic_and_plain(ARGS) {
  atomicAdd(&q[blockIdx.x], 1);  // DEFECT race
  if (threadIdx.x == 40) q[64 + blockIdx.x] = q[blockIdx.x];  // DEFECT race
}
__global__ void missing_syncwarp(ARGS) {
  // Right in lock step, which no warp has to keep.
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];  // DEFECT race
  q[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1];  // DEFECT race
}
__global__ void missing_syncwarp_in_reduction(ARGS) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile int* v = s;
    v[threadIdx.x] += v[threadIdx.x + 32];  // DEFECT race
    v[threadIdx.x] += v[threadIdx.x + 16];  // DEFECT race
  }
}
__global__ void shuffle_orders_no_memory(ARGS) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];  // DEFECT race
  int v = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
  q[blockIdx.x * 64 + threadIdx.x] = s[v];  // DEFECT race
}
__global__ void wrong_named_barrier(ARGS) {
  // Threads of different teams meet no common barrier.
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];  // DEFECT race
  asm volatile("bar.sync %0, 32;" ::"r"((int)threadIdx.x / 32 + 1) : "memory");
  q[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 32];  // DEFECT race
}
__global__ void partial_syncwarp(ARGS) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];  // DEFECT race
  __syncwarp(threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u);
  q[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 16];  // DEFECT race
}
__global__ void bytes_of_one_word_are_fine_but_not_one_byte(ARGS) {
  char* bytes = (char*)q;
  if (blockIdx.x == 0) bytes[threadIdx.x / 2] = 1;  // DEFECT race
}
__global__ void double_buffer_one_barrier_short(ARGS) {
  __shared__ int s[2][64];
  for (int k = 0; k < 3; k++) {
    s[0][threadIdx.x] = p[threadIdx.x] + k;  // DEFECT race
    __syncthreads();
    q[blockIdx.x * 64 + threadIdx.x] += s[0][63 - threadIdx.x];  // DEFECT race
  }
}
__global__ void histogram_without_atomics(ARGS) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[p[threadIdx.x] & 3]++;  // DEFECT race
  __syncthreads();
  if (threadIdx.x < 4) atomicAdd(&q[threadIdx.x], bins[threadIdx.x]);
}
__global__ void last_block_without_fence(ARGS) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    q[blockIdx.x + 10] = p[blockIdx.x];  // DEFECT race
    last = atomicAdd(&q[0], 1) == 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) q[1] = q[10] + q[11];  // DEFECT race
}
__global__ void fence_too_early(ARGS) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __threadfence();
    q[blockIdx.x + 10] = p[blockIdx.x];  // DEFECT race
    last = atomicAdd(&q[0], 1) == 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) q[1] = q[10] + q[11];  // DEFECT race
}
