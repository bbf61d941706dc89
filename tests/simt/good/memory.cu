// Kinds of memory and of access.
struct Point {
  float x, y;
  int tag;
};
__constant__ int kTable[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ Point kPoints[2] = {{1.0f, 2.0f, 3}, {4.0f, 5.0f, 6}};
__device__ int counters[4] = {10, 20, 30, 40};
__device__ float weights[3][2] = {{1, 2}, {3, 4}, {5, 6}};

__global__ void dynamic_shared(const int* x, int* y) {
  extern __shared__ int s[];
  float* floats = (float*)&s[64];
  s[threadIdx.x] = x[threadIdx.x];
  floats[threadIdx.x] = x[threadIdx.x] * 0.5f;
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x] + (int)(2.0f * floats[(threadIdx.x + 1) % 64]);
}
__global__ void constant_table(int* y, float* z) {
  y[threadIdx.x] = kTable[threadIdx.x % 8] * 10;
  z[threadIdx.x] = kPoints[threadIdx.x % 2].y + kPoints[threadIdx.x % 2].tag;
}
__global__ void device_variables(int* y, float* z) {
  int old = atomicAdd(&counters[threadIdx.x % 4], 1);
  y[threadIdx.x] = old - old % 10;
  z[threadIdx.x] = weights[threadIdx.x % 3][threadIdx.x % 2];
}
__global__ void local_array(const int* x, int* y) {
  int a[16];
  for (int k = 0; k < 16; k++) a[k] = x[threadIdx.x] * k;
  int sum = 0;
  for (int k = 0; k < 16; k++) sum += a[(k * 5 + threadIdx.x) % 16] * (k & 1);
  y[threadIdx.x] = sum;
}
__global__ void vectors(const float4* x, float4* y, const int2* a, int2* b) {
  float4 v = x[threadIdx.x];
  y[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
  int2 p = a[threadIdx.x];
  b[threadIdx.x] = make_int2(p.y, p.x + p.y);
}
__global__ void hinted(const float* x, const float4* v, float* y, float4* w) {
  float a = __ldg(x + threadIdx.x) + __ldcg(x + threadIdx.x) + __ldcs(x + threadIdx.x);
  __stcs(y + threadIdx.x, a);
  float4 q = __ldg(v + threadIdx.x);
  __stcg(w + threadIdx.x, q);
}
__global__ void copies(const int* x, int* y) {
  int a[4], b[4];
  memcpy(a, x + 4 * threadIdx.x, sizeof a);
  memset(b, 0, sizeof b);
  memcpy(b, a + 1, 2 * sizeof(int));
  for (int k = 0; k < 4; k++) y[4 * threadIdx.x + k] = b[k];
}
__global__ void by_value(Point p, float* y) { y[threadIdx.x] = p.x * threadIdx.x + p.y + p.tag; }
__global__ void coordinates(int* y) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  y[block * blockDim.x * blockDim.y * blockDim.z + thread] = blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z +
                                                             1000 * threadIdx.x + 10000 * threadIdx.y + 100000 * threadIdx.z;
}
__global__ void bytes_of_words(const unsigned* x, unsigned char* y) {
  const unsigned char* p = (const unsigned char*)x;
  for (int k = 0; k < 4; k++) y[4 * threadIdx.x + k] = p[4 * threadIdx.x + 3 - k];
}
__global__ void structs_in_shared(const float* x, float* y) {
  __shared__ Point s[32];
  s[threadIdx.x] = Point{x[threadIdx.x], -x[threadIdx.x], (int)threadIdx.x};
  __syncthreads();
  Point p = s[31 - threadIdx.x];
  y[threadIdx.x] = p.x * 2 + p.y + p.tag;
}
__global__ void union_bits(const float* x, unsigned* y) {
  union {
    float f;
    unsigned u;
  } v;
  v.f = x[threadIdx.x];
  y[threadIdx.x] = v.u;
}
__global__ void grid_stride(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] + 1.0f;
}
__global__ void negative_offset(const int* x, int* y) {
  const int* end = x + 32;
  y[threadIdx.x] = end[(int)threadIdx.x - 32] + *(end - 1 - threadIdx.x);
}
__global__ void unsigned_halo(const int* x, int* y) {
  // Unsigned arithmetic that stands for -1 on the way.
  int i = threadIdx.x - 1 + 1;
  unsigned left = threadIdx.x - 1;
  y[threadIdx.x] = x[i] + (threadIdx.x > 0 ? x[left] : 0);
}
__global__ void hash_index(const int* x, int* y) {
  unsigned h = threadIdx.x * 2654435761u + 40503u * 65537u;
  y[threadIdx.x] = x[(h * 2246822519u) % 32u];
}
