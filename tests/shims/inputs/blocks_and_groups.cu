// cub's block and warp algorithms and cooperative groups, with their device bodies.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>

namespace cg = cooperative_groups;

template <class T>
__global__ void blocks(const T* x, T* y) {
  typedef cub::BlockLoad<T, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
  typedef cub::BlockStore<T, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
  typedef cub::BlockReduce<T, 128> Reduce;
  typedef cub::BlockScan<T, 128, cub::BLOCK_SCAN_WARP_SCANS> Scan;
  typedef cub::BlockRadixSort<T, 128, 4, int> Sort;
  typedef cub::BlockExchange<T, 128, 4> Exchange;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename Exchange::TempStorage exchange;
  } shared;
  T items[4], aggregate;
  int values[4] = {0, 1, 2, 3};
  Load(shared.load).Load(x, items, 500, T(0));
  __syncthreads();
  Scan(shared.scan).InclusiveSum(items, items, aggregate);
  __syncthreads();
  Sort(shared.sort).SortDescending(items, values);
  __syncthreads();
  Exchange(shared.exchange).BlockedToStriped(items, items);
  __syncthreads();
  T sum = Reduce(shared.reduce).Sum(items);
  T top = Reduce(shared.reduce).Reduce(items[0], cub::Max());
  if (threadIdx.x == 0) y[0] = sum + top + aggregate;
  __syncthreads();
  Store(shared.store).Store(y, items, 500);
}

__global__ void warps(const float* x, float* y) {
  __shared__ typename cub::WarpReduce<float, 16>::TempStorage reduce;
  __shared__ typename cub::WarpScan<int>::TempStorage scan;
  int prefix;
  cub::WarpScan<int>(scan).ExclusiveSum((int)threadIdx.x, prefix);
  y[prefix] = cub::WarpReduce<float, 16>(reduce).Sum(x[threadIdx.x]);
}

__device__ float sum(const cg::thread_block_tile<16>& tile, float v) {
  for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
  return v;
}
__global__ void groups(const float* x, float* y) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(warp);
  float v = cg::reduce(warp, x[block.thread_rank()], cg::plus<float>());
  v += sum(half, v);
  if (warp.thread_rank() < 7) {
    cg::coalesced_group active = cg::coalesced_threads();
    v += active.shfl(v, 0) + (float)active.size();
  }
  auto same = cg::labeled_partition(warp, (int)v);
  block.sync();
  cg::this_grid().sync();
  y[block.thread_rank()] = v + (float)same.thread_rank() + (float)warp.ballot(v > 0);
}
void launch(float* x, int* n) {
  blocks<<<1, 128>>>(x, x);
  blocks<<<1, 128>>>(n, n);
}
