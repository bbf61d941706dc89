// Barriers of every form.

__global__ void reversed(const int* x, int* y) {
  __shared__ int s[128];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void counted(const int* x, int* y) { y[threadIdx.x] = __syncthreads_count(x[threadIdx.x] > 0); }
__global__ void all_positive(const int* x, int* y) {
  y[threadIdx.x] = __syncthreads_and(x[threadIdx.x] > -1000) * 2 + __syncthreads_and(x[threadIdx.x] > 0);
}
__global__ void any_large(const int* x, int* y) {
  y[threadIdx.x] = __syncthreads_or(x[threadIdx.x] > 1000) * 2 + __syncthreads_or(x[threadIdx.x] > 0);
}

__global__ void warp_exchange(const int* x, int* y) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = s[threadIdx.x ^ 31];
}

__global__ void half_warp_exchange(const int* x, int* y) {
  __shared__ int s[32];
  unsigned mask = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
  s[threadIdx.x] = x[threadIdx.x];
  __syncwarp(mask);
  y[threadIdx.x] = s[threadIdx.x ^ 15];
}

__global__ void two_teams(const int* x, int* y) {
  // Each team of 64 threads has a barrier of its own.
  __shared__ int s[128];
  int team = threadIdx.x / 64;
  s[threadIdx.x] = x[threadIdx.x];
  asm volatile("bar.sync %0, 64;" ::"r"(team + 1) : "memory");
  y[threadIdx.x] = s[threadIdx.x ^ 63];
}

__global__ void hand_over(const int* x, int* y) {
  // Warp 0 produces and does not wait; warp 1 consumes.
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = 3 * x[threadIdx.x];
    asm volatile("bar.arrive 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    y[threadIdx.x - 32] = s[31 - (threadIdx.x - 32)];
  }
}

__global__ void reduction(const int* x, int* y) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 128; step > 0; step >>= 1) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

__global__ void scan_ping_pong(const int* x, int* y) {
  __shared__ int s[2][64];
  int t = threadIdx.x, from = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    s[1 - from][t] = t >= step ? s[from][t] + s[from][t - step] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  y[t] = s[from][t];
}

__global__ void uniform_branch(const int* x, int* y, int mode) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (mode == 1) {
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
  } else {
    y[threadIdx.x] = 0;
  }
}

__global__ void transpose_2d(const float* x, float* y) {
  __shared__ float tile[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = x[row * 48 + column];
  __syncthreads();
  y[(blockIdx.x * 16 + threadIdx.y) * 32 + blockIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void barrier_in_function_loop(int* y) {
  __shared__ int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  for (int k = 0; k < 40; k++) {
    if (turn == threadIdx.x) y[threadIdx.x] = 100 + k;
    __syncthreads();
    if (threadIdx.x == 0) turn++;
    __syncthreads();
  }
}
