// CUB inside a block or warp, thrust inside a thread, atomic objects.
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <thrust/binary_search.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct Most {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a > b ? a : b;
  }
};
__global__ void block_reduce(const int* x, int* y) {
  typedef cub::BlockReduce<int, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int sum = Reduce(storage).Sum(x[threadIdx.x]);
  __syncthreads();
  int most = Reduce(storage).Reduce(x[threadIdx.x], Most());
  if (threadIdx.x == 0) y[0] = sum, y[1] = most;
}
__global__ void block_scan(const int* x, int* y) {
  typedef cub::BlockScan<int, 64> Scan;
  __shared__ typename Scan::TempStorage storage;
  int before, total;
  Scan(storage).ExclusiveSum(x[threadIdx.x], before, total);
  y[threadIdx.x] = before + 1000 * total;
}
__global__ void block_load_store(const int* x, int* y) {
  typedef cub::BlockLoad<int, 32, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
  typedef cub::BlockStore<int, 32, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  int items[4];
  Load(storage.load).Load(x, items);
  for (int k = 0; k < 4; k++) items[k] = items[k] * 10 + k;
  __syncthreads();
  Store(storage.store).Store(y, items);
}
__global__ void block_sort(const int* x, int* y) {
  typedef cub::BlockRadixSort<int, 64, 2> Sort;
  __shared__ typename Sort::TempStorage storage;
  int keys[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]};
  Sort(storage).Sort(keys);
  y[2 * threadIdx.x] = keys[0];
  y[2 * threadIdx.x + 1] = keys[1];
}
__global__ void warp_reduce_scan(const float* x, float* y, int* z) {
  typedef cub::WarpReduce<float> Reduce;
  typedef cub::WarpScan<int> Scan;
  __shared__ typename Reduce::TempStorage reduce[2];
  __shared__ typename Scan::TempStorage scan[2];
  int warp = threadIdx.x / 32, sum;
  float most = Reduce(reduce[warp]).Reduce(x[threadIdx.x], Most());
  if (threadIdx.x % 32 == 0) y[warp] = most;
  Scan(scan[warp]).InclusiveSum((int)threadIdx.x, sum);
  z[threadIdx.x] = sum;
}
__global__ void sort_in_thread(const int* x, int* y) {
  int a[8], order[8];
  for (int k = 0; k < 8; k++) a[k] = x[8 * threadIdx.x + k];
  thrust::sequence(thrust::seq, order, order + 8);
  thrust::sort_by_key(thrust::seq, a, a + 8, order);
  for (int k = 0; k < 8; k++) y[8 * threadIdx.x + k] = a[k] * 10 + order[k];
}
__global__ void sort_descending(const int* x, int* y) {
  for (int k = 0; k < 8; k++) y[8 * threadIdx.x + k] = x[8 * threadIdx.x + k];
  thrust::sort(thrust::seq, y + 8 * threadIdx.x, y + 8 * threadIdx.x + 8, thrust::greater<int>());
}
struct Doubled {
  __host__ __device__ int operator()(int v) const { return 2 * v; }
};
__global__ void algorithms(const int* x, int* y) {
  const int *first = x + 8 * threadIdx.x, *last = first + 8;
  int a[8], b[8];
  thrust::transform(thrust::seq, first, last, a, Doubled());
  thrust::inclusive_scan(thrust::seq, a, a + 8, b);
  int* out = y + 6 * threadIdx.x;
  out[0] = thrust::reduce(thrust::seq, first, last);
  out[1] = thrust::reduce(thrust::seq, first, last, -1000, thrust::maximum<int>());
  out[2] = b[7] + b[2];
  out[3] = (int)(thrust::min_element(thrust::seq, first, last) - first);
  out[4] = (int)thrust::count(thrust::seq, first, last, first[3]);
  out[5] = (int)(thrust::find(thrust::seq, first, last, first[5]) - first);
}
__global__ void searches(const int* x, int* y) {
  y[threadIdx.x] = (int)(thrust::lower_bound(thrust::seq, x, x + 32, (int)threadIdx.x * 3) - x) * 100 +
                   (int)(thrust::upper_bound(thrust::seq, x, x + 32, (int)threadIdx.x * 3) - x);
}
__global__ void reversed_in_thread(const int* x, int* y) {
  int a[4];
  for (int k = 0; k < 4; k++) a[k] = x[4 * threadIdx.x + k];
  thrust::reverse(thrust::seq, a, a + 4);
  for (int k = 0; k < 4; k++) y[4 * threadIdx.x + k] = a[k];
}
__global__ void atomic_objects(int* y) {
  cuda::atomic_ref<int, cuda::thread_scope_device> total(y[0]);
  total.fetch_add((int)threadIdx.x);
  cuda::atomic_ref<int, cuda::thread_scope_device> most(y[1]);
  int seen = most.load();
  while (seen < (int)threadIdx.x && !most.compare_exchange_weak(seen, (int)threadIdx.x)) {
  }
}
