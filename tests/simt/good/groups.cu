// Cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void block_group(const int* x, int* y) {
  __shared__ int s[64];
  cg::thread_block block = cg::this_thread_block();
  s[block.thread_rank()] = x[block.thread_rank()];
  block.sync();
  y[block.thread_rank()] = s[block.size() - 1 - block.thread_rank()] + block.group_index().x;
}
template <int SIZE>
__global__ void tiles(const int* x, int* y) {
  auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
  int v = x[threadIdx.x];
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  y[threadIdx.x] = tile.shfl(v, 0) * 100 + tile.meta_group_rank() * 10 + tile.meta_group_size();
}
template __global__ void tiles<4>(const int*, int*);
template __global__ void tiles<16>(const int*, int*);
template __global__ void tiles<32>(const int*, int*);
__global__ void nested_tiles(int* y) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto tile = cg::tiled_partition<8>(warp);
  y[threadIdx.x] = warp.meta_group_rank() * 100 + tile.meta_group_rank() * 10 + tile.thread_rank();
}
__global__ void tile_votes(const int* x, unsigned* y) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int v = x[threadIdx.x];
  y[threadIdx.x] = tile.ballot(v > 0) + 1000 * tile.any(v > 50) + 2000 * tile.all(v > -50) + 10000 * tile.match_any(v & 1);
}
__global__ void coalesced(int* y) {
  y[threadIdx.x] = -1;
  if (threadIdx.x % 4 == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    y[threadIdx.x] = active.size() * 100 + active.thread_rank() + active.shfl(1000 * (int)threadIdx.x, 2);
  }
}
__global__ void aggregated_atomic(const int* x, int* y, int* ranks) {
  ranks[threadIdx.x] = -1;
  if (x[threadIdx.x] > 0) {
    auto active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(y, (int)active.size());
    ranks[threadIdx.x] = active.shfl(first, 0) + active.thread_rank();
  }
}
__global__ void labeled(const int* x, int* y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto same = cg::labeled_partition(tile, x[threadIdx.x]);
  y[threadIdx.x] = same.size() * 100 + same.thread_rank();
}
__global__ void binary(const int* x, int* y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto side = cg::binary_partition(tile, x[threadIdx.x] > 0);
  y[threadIdx.x] = side.size();
}
__global__ void reduce_and_scan(const int* x, int* y) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = x[threadIdx.x];
  y[threadIdx.x] = cg::reduce(tile, v, cg::plus<int>());
  y[64 + threadIdx.x] = cg::reduce(tile, v, cg::greater<int>());
  y[128 + threadIdx.x] = cg::inclusive_scan(tile, v);
  y[192 + threadIdx.x] = cg::exclusive_scan(tile, v);
}
__global__ void grid_barrier(const int* x, int* partial, int* y) {
  cg::grid_group grid = cg::this_grid();
  partial[blockIdx.x * blockDim.x + threadIdx.x] = x[grid.thread_rank()] * 2;
  grid.sync();
  // Every thread reads what the neighbouring block wrote.
  int other = (blockIdx.x + 1) % gridDim.x;
  int v = partial[other * blockDim.x + threadIdx.x];
  grid.sync();
  partial[blockIdx.x * blockDim.x + threadIdx.x] = v + 1;
  grid.sync();
  y[grid.thread_rank()] = partial[other * blockDim.x + threadIdx.x];
}
__global__ void grid_barrier_with_shared(const int* x, int* sums, int* y) {
  __shared__ int s[32];
  s[threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int k = 0; k < 32; k++) sum += s[k];
    sums[blockIdx.x] = sum;
  }
  cg::this_grid().sync();
  int total = 0;
  for (unsigned k = 0; k < gridDim.x; k++) total += sums[k];
  y[blockIdx.x * 32 + threadIdx.x] = total + s[31 - threadIdx.x];
}
