// Cooperative groups: thread block, static tiles, coalesced group, grid. A tile is a mask of lanes of one warp; tiles
// larger than a warp and clusters are not supported.
#pragma once
#pragma clang system_header
#include "cuda_runtime.h"

extern "C" __device__ __attribute__((convergent)) void np_grid_sync();

namespace cooperative_groups {
// A group whose kind is known at run time only: a block, or lanes of a warp.
class thread_group {
 public:
  __device__ thread_group() {}
  __device__ thread_group(unsigned int mask, unsigned int rank, unsigned int size, bool block)
      : mask_(mask), rank_(rank), size_(size), block_(block) {}
  __device__ unsigned int thread_rank() const { return rank_; }
  __device__ unsigned int size() const { return size_; }
  __device__ unsigned int num_threads() const { return size_; }
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const {
    if (block_) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }

 protected:
  unsigned int mask_ = 0, rank_ = 0, size_ = 0;
  bool block_ = false;
};

// A handle has one initialised byte, so that copying it is a defined read.
class thread_block {
  char np_handle_ = 0;

 public:
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned int num_threads() { return size(); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static dim3 dim_threads() { return group_dim(); }
  __device__ operator thread_group() const { return thread_group(0, thread_rank(), size(), true); }
};
NP_FN thread_block this_thread_block() { return thread_block(); }

class grid_group {
  char np_handle_ = 0;

 public:
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const { np_grid_sync(); }
  __device__ static unsigned long long size() { return num_blocks() * thread_block::size(); }
  __device__ static unsigned long long num_threads() { return size(); }
  __device__ static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __device__ static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 dim_blocks() { return group_dim(); }
  __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
NP_FN grid_group this_grid() { return grid_group(); }

// The warp operations that tiles and coalesced groups share, over a mask of lanes.
class np_lanes {
 public:
  __device__ np_lanes(unsigned int mask) : mask_(mask) {}
  __device__ void sync() const { __syncwarp(mask_); }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned int np_mask() const { return mask_; }

 protected:
  unsigned int mask_;
};

template <unsigned int SIZE, class Parent = void>
class thread_block_tile;

// Threads of a group that is a tile; 0 for a block.
template <class Group>
struct np_size_of {
  static constexpr unsigned int value = 0;
};
template <unsigned int SIZE, class Parent>
struct np_size_of<thread_block_tile<SIZE, Parent>> {
  static constexpr unsigned int value = SIZE;
};

template <unsigned int SIZE, class Parent>
class thread_block_tile : public np_lanes {
  static_assert(SIZE <= 32 && (SIZE & (SIZE - 1)) == 0, "a tile is a power of two of at most 32 threads");
  __device__ static unsigned int lane() { return thread_block::thread_rank() & 31u; }
  __device__ static unsigned int base() { return lane() & ~(SIZE - 1); }
  __device__ static unsigned int tileMask() { return SIZE == 32 ? 0xffffffffu : ((1u << (SIZE & 31)) - 1) << base(); }

 public:
  __device__ thread_block_tile() : np_lanes(tileMask()) {}
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<SIZE, Other>& other) : np_lanes(other.np_mask()) {}
  __device__ static unsigned int thread_rank() { return lane() & (SIZE - 1); }
  __device__ static constexpr unsigned int size() { return SIZE; }
  __device__ static constexpr unsigned int num_threads() { return SIZE; }
  __device__ static unsigned int meta_group_rank() {
    return (thread_block::thread_rank() & (np_size_of<Parent>::value - 1)) / SIZE;
  }
  __device__ static unsigned int meta_group_size() {
    unsigned int parent = np_size_of<Parent>::value;
    return ((parent ? parent : thread_block::size()) + SIZE - 1) / SIZE;
  }
  template <class T>
  __device__ T shfl(T value, int rank) const {
    return __shfl_sync(mask_, value, rank, SIZE);
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    return __shfl_up_sync(mask_, value, delta, SIZE);
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    return __shfl_down_sync(mask_, value, delta, SIZE);
  }
  template <class T>
  __device__ T shfl_xor(T value, int lanes) const {
    return __shfl_xor_sync(mask_, value, lanes, SIZE);
  }
  __device__ unsigned int ballot(int predicate) const { return __ballot_sync(mask_, predicate) >> base(); }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return __match_any_sync(mask_, value) >> base();
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& predicate) const {
    return __match_all_sync(mask_, value, &predicate) >> base();
  }
  __device__ operator thread_group() const { return thread_group(mask_, thread_rank(), SIZE, false); }
};
template <unsigned int SIZE, class Parent>
NP_FN thread_block_tile<SIZE, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<SIZE, Parent>();
}

class coalesced_group : public np_lanes {
  // The lane of the group's thread number `rank`.
  __device__ int laneOf(unsigned int rank) const { return (int)__fns(mask_, 0, (int)rank + 1); }

 public:
  __device__ coalesced_group(unsigned int mask) : np_lanes(mask) {}
  __device__ unsigned int size() const { return (unsigned int)__popc(mask_); }
  __device__ unsigned int num_threads() const { return size(); }
  __device__ unsigned int thread_rank() const {
    return (unsigned int)__popc(mask_ & __nvvm_read_ptx_sreg_lanemask_lt());
  }
  template <class T>
  __device__ T shfl(T value, unsigned int rank) const {
    return __shfl_sync(mask_, value, laneOf(rank), 32);
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    unsigned int from = thread_rank() + delta;
    return __shfl_sync(mask_, value, laneOf(from < size() ? from : thread_rank()), 32);
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return __shfl_sync(mask_, value, laneOf(rank >= delta ? rank - delta : rank), 32);
  }
  __device__ unsigned int ballot(int predicate) const {
    unsigned int lanes = __ballot_sync(mask_, predicate), result = 0;
    for (unsigned int rank = 0; rank < size(); rank++) result |= ((lanes >> laneOf(rank)) & 1u) << rank;
    return result;
  }
  __device__ operator thread_group() const { return thread_group(mask_, thread_rank(), size(), false); }
};
NP_FN coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
template <class Group, class Label>
NP_FN coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.np_mask(), label));
}
template <class Group>
NP_FN coalesced_group binary_partition(const Group& group, bool predicate) {
  unsigned int set = __ballot_sync(group.np_mask(), predicate);
  return coalesced_group(predicate ? set : group.np_mask() & ~set);
}
NP_FN thread_group tiled_partition(const thread_block&, unsigned int size) {
  unsigned int rank = thread_block::thread_rank(), base = (rank & 31u) & ~(size - 1);
  return thread_group(size >= 32 ? 0xffffffffu : ((1u << size) - 1) << base, rank & (size - 1), size, false);
}

template <class Group>
NP_FN void sync(const Group& group) {
  group.sync();
}
template <class Group>
NP_FN unsigned int group_size(const Group& group) {
  return group.size();
}
template <class Group>
NP_FN unsigned int thread_rank(const Group& group) {
  return group.thread_rank();
}
}  // namespace cooperative_groups
