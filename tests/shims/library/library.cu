// Kernels whose results follow from what cub, cooperative groups, and the intrinsics promise.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cub/cub.cuh>

namespace cg = cooperative_groups;
constexpr int kThreads = 80;  // two warps and a half
constexpr int kItems = 3;

__global__ void block_reduce(int n, const int* x, int* y) {
  typedef cub::BlockReduce<int, kThreads> Reduce;
  __shared__ Reduce::TempStorage storage;
  int v = threadIdx.x < n ? x[threadIdx.x] : -7777;
  int sum = Reduce(storage).Sum(v, n);
  __syncthreads();
  int top = Reduce(storage).Reduce(v, cub::Max());
  if (threadIdx.x == 0) {
    y[0] = sum;
    y[1] = top;
  }
}

struct RunningPrefix {
  int total;
  __device__ int operator()(int aggregate) {
    int before = total;
    total += aggregate;
    return before;
  }
};
__global__ void block_scan(int n, const int* x, int* inclusive, int* exclusive, int* continued) {
  typedef cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS> Scan;
  typedef cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
  typedef cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
  __shared__ Scan::TempStorage storage;
  __shared__ Load::TempStorage load;
  __shared__ Store::TempStorage store;
  int items[kItems], out[kItems];
  Load(load).Load(x, items, n, 0);
  Scan(storage).InclusiveSum(items, out);
  Store(store).Store(inclusive, out, n);
  __syncthreads();
  Scan(storage).ExclusiveSum(items, out);
  Store(store).Store(exclusive, out, n);
  __syncthreads();
  RunningPrefix prefix = {1000};
  Scan(storage).InclusiveScan(items, out, cub::Sum(), prefix);
  Store(store).Store(continued, out, n);
}

__global__ void block_sort(const float* x, float* keys, int* order) {
  typedef cub::BlockRadixSort<float, kThreads, kItems, int> Sort;
  __shared__ Sort::TempStorage storage;
  float key[kItems];
  int value[kItems];
  for (int i = 0; i < kItems; i++) {
    value[i] = threadIdx.x * kItems + i;
    key[i] = x[value[i]];
  }
  Sort(storage).SortDescending(key, value);
  for (int i = 0; i < kItems; i++) {
    keys[threadIdx.x * kItems + i] = key[i];
    order[threadIdx.x * kItems + i] = value[i];
  }
}

__global__ void block_exchange(const int* x, int* y) {
  typedef cub::BlockExchange<int, kThreads, kItems> Exchange;
  __shared__ Exchange::TempStorage storage;
  int items[kItems];
  for (int i = 0; i < kItems; i++) items[i] = x[threadIdx.x * kItems + i];
  Exchange(storage).BlockedToStriped(items);
  for (int i = 0; i < kItems; i++) y[threadIdx.x * kItems + i] = items[i];
}

__global__ void warp_cub(const int* x, int* sums, int* prefixes) {
  __shared__ cub::WarpReduce<int, 16>::TempStorage reduce[4];
  __shared__ cub::WarpScan<int>::TempStorage scan[2];
  int v = x[threadIdx.x], prefix;
  int sum = cub::WarpReduce<int, 16>(reduce[threadIdx.x / 16]).Sum(v);
  if (threadIdx.x % 16 == 0) sums[threadIdx.x / 16] = sum;
  cub::WarpScan<int>(scan[threadIdx.x / 32]).ExclusiveSum(v, prefix);
  prefixes[threadIdx.x] = prefix;
}

__global__ void groups(const int* x, int* tile_sum, int* tile_scan, int* rotated, int* same, int* few) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(warp);
  int i = block.thread_rank();
  tile_sum[i] = cg::reduce(tile, x[i], cg::plus<int>());
  tile_scan[i] = cg::inclusive_scan(tile, x[i]);
  rotated[i] = tile.shfl(x[i], (tile.thread_rank() + 1) % tile.size());
  auto equal = cg::labeled_partition(warp, x[i] % 3);
  same[i] = (int)equal.size() * 100 + (int)equal.thread_rank();
  few[i] = 0;
  if (i % 5 == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    few[i] = active.shfl(i, 2) * 100 + (int)active.thread_rank();
  }
}

__global__ void integers(const int* a, const int* b, int* y) {
  int i = threadIdx.x;
  unsigned u = (unsigned)a[i], v = (unsigned)b[i];
  int* out = y + 16 * i;
  out[0] = __popc(u);
  out[1] = __clz(a[i]);
  out[2] = __ffs(a[i]);
  out[3] = (int)__brev(u);
  out[4] = __mulhi(a[i], b[i]);
  out[5] = (int)__umulhi(u, v);
  out[6] = (int)__byte_perm(u, v, 0x5140u | ((u & 1u) << 3));
  out[7] = (int)__funnelshift_l(u, v, v & 63u);
  out[8] = (int)__funnelshift_r(u, v, v & 63u);
  out[9] = __dp4a(a[i], b[i], 5);
  out[10] = (int)__fns(u, 0, 3);
  out[11] = __hadd(a[i], b[i]);
  out[12] = (int)__usad(u, v, 1u);
  out[13] = __mul24(a[i], b[i]);
  out[14] = min(a[i], b[i]) ^ max(a[i], 17);
  out[15] = __float2int_rn(__int2float_rn(a[i] % 4096) * 0.5f);
}

__global__ void halves(const half* a, const half* b, half* y, int* flags) {
  int i = threadIdx.x;
  half* out = y + 8 * i;
  out[0] = __hadd(a[i], b[i]);
  out[1] = __hmul(a[i], b[i]);
  out[2] = __hdiv(a[i], b[i]);
  out[3] = __hfma(a[i], b[i], a[0]);
  out[4] = __hmax(a[i], b[i]);
  out[5] = __habs(__hneg(a[i]));
  out[6] = __float2half(__half2float(a[i]) * 3.0f);
  half2 pair = __hmul2(__halves2half2(a[i], b[i]), __float2half2_rn(2.0f));
  out[7] = __hsub(__low2half(pair), __high2half(pair));
  flags[i] = (int)__hgt(a[i], b[i]) + 2 * (int)__heq(a[i], a[i]) + 4 * __half2int_rn(b[i]);
}

__global__ void words(const int* a, const int* b, int* y) {
  int i = threadIdx.x;
  unsigned u = (unsigned)a[i], v = (unsigned)b[i];
  int* out = y + 8 * i;
  out[0] = (int)__vadd4(u, v);
  out[1] = (int)__vsubss4(u, v);
  out[2] = (int)__vcmpgts4(u, v);
  out[3] = (int)__vabsdiffu4(u, v);
  out[4] = (int)__vmaxu4(u, v);
  out[5] = (int)__vaddus2(u, v);
  out[6] = (int)__vmins2(u, v);
  out[7] = (int)__vavgu4(u, v);
}
