// BlockReduce and BlockScan: warp shuffles, then the warps' results in order through shared memory.
#pragma once
#pragma clang system_header
#include "warp.h"

namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace internal {
template <int LENGTH, class T, class Op>
NP_FN T ThreadReduce(T (&input)[LENGTH], Op op) {
  T result = input[0];
  for (int i = 1; i < LENGTH; i++) result = op(result, input[i]);
  return result;
}
template <int LENGTH, class T, class Op>
NP_FN T ThreadReduce(T (&input)[LENGTH], Op op, T prefix) {
  T result = prefix;
  for (int i = 0; i < LENGTH; i++) result = op(result, input[i]);
  return result;
}
template <int LENGTH, class T, class Op>
NP_FN T ThreadReduce(T* input, Op op) {
  T result = input[0];
  for (int i = 1; i < LENGTH; i++) result = op(result, input[i]);
  return result;
}
template <int LENGTH, class T, class Op>
NP_FN T ThreadScanExclusive(T* input, T* output, Op op, T prefix, bool apply = true) {
  T sum = prefix;
  for (int i = 0; i < LENGTH; i++) {
    T next = i == 0 && !apply ? input[0] : op(sum, input[i]);
    output[i] = sum;
    sum = next;
  }
  return sum;
}
template <int LENGTH, class T, class Op>
NP_FN T ThreadScanInclusive(T* input, T* output, Op op, T prefix, bool apply = true) {
  T sum = prefix;
  for (int i = 0; i < LENGTH; i++) {
    sum = i == 0 && !apply ? input[0] : op(sum, input[i]);
    output[i] = sum;
  }
  return sum;
}
}  // namespace internal

template <class T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int ARCH = 0>
class BlockReduce {
  static constexpr int kThreads = X * Y * Z;
  static constexpr int kWarps = (kThreads + 31) / 32;

 public:
  struct _TempStorage {
    T warps[kWarps];
  };
  struct TempStorage : Uninitialized<_TempStorage> {};
  __device__ __forceinline__ BlockReduce(TempStorage& storage) : storage_(storage.Alias()) {}
  // The result is defined in thread 0 only.
  template <class Op>
  __device__ T Reduce(T input, Op op) {
    return Reduce(input, op, kThreads);
  }
  template <class Op>
  __device__ T Reduce(T input, Op op, int valid) {
    int thread = RowMajorTid(X, Y, Z);
    int warp = thread / 32;
    T value = np_detail::warpReduce<32>(np_detail::warpMask<kThreads>(thread), input, min(32, valid - warp * 32), op);
    if (thread % 32 == 0) storage_.warps[warp] = value;
    __syncthreads();
    if (thread == 0) {
      for (int i = 1; i < kWarps; i++) {
        if (i * 32 < valid) value = op(value, storage_.warps[i]);
      }
    }
    return value;
  }
  template <int ITEMS, class Op>
  __device__ T Reduce(T (&inputs)[ITEMS], Op op) {
    return Reduce(internal::ThreadReduce(inputs, op), op);
  }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int ITEMS>
  __device__ T Sum(T (&inputs)[ITEMS]) {
    return Reduce(inputs, cub::Sum());
  }

 private:
  _TempStorage& storage_;
};

template <class T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCH = 0>
class BlockScan {
  static constexpr int kThreads = X * Y * Z;
  static constexpr int kWarps = (kThreads + 31) / 32;

 public:
  struct _TempStorage {
    T warps[kWarps];
    T prefix;
  };
  struct TempStorage : Uninitialized<_TempStorage> {};
  __device__ __forceinline__ BlockScan(TempStorage& storage) : storage_(storage.Alias()) {}

  template <class Op>
  __device__ void InclusiveScan(T input, T& output, Op op) {
    T aggregate;
    InclusiveScan(input, output, op, aggregate);
  }
  template <class Op>
  __device__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    T exclusive;
    scan(input, output, exclusive, op, aggregate);
  }
  // prefix_op(aggregate), called by the first warp, gives the value before the block; thread 0's is used.
  template <class Op, class PrefixOp>
  __device__ void InclusiveScan(T input, T& output, Op op, PrefixOp& prefix_op) {
    T exclusive, aggregate;
    scan(input, output, exclusive, op, aggregate);
    output = op(blockPrefix(prefix_op, aggregate), output);
  }
  template <int ITEMS, class Op>
  __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op) {
    T aggregate;
    InclusiveScan(input, output, op, aggregate);
  }
  template <int ITEMS, class Op>
  __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, T& aggregate) {
    T inclusive, exclusive;
    scan(internal::ThreadReduce(input, op), inclusive, exclusive, op, aggregate);
    internal::ThreadScanInclusive<ITEMS>(input, output, op, exclusive, RowMajorTid(X, Y, Z) != 0);
  }
  template <int ITEMS, class Op, class PrefixOp>
  __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, PrefixOp& prefix_op) {
    T inclusive, exclusive, aggregate;
    scan(internal::ThreadReduce(input, op), inclusive, exclusive, op, aggregate);
    T prefix = blockPrefix(prefix_op, aggregate);
    prefix = RowMajorTid(X, Y, Z) == 0 ? prefix : op(prefix, exclusive);
    internal::ThreadScanInclusive<ITEMS>(input, output, op, prefix);
  }
  template <class Op>
  __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
    T aggregate;
    ExclusiveScan(input, output, initial, op, aggregate);
  }
  template <class Op>
  __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
    T inclusive, exclusive;
    scan(input, inclusive, exclusive, op, aggregate);
    output = RowMajorTid(X, Y, Z) == 0 ? initial : op(initial, exclusive);
  }
  template <class Op, class PrefixOp>
  __device__ void ExclusiveScan(T input, T& output, Op op, PrefixOp& prefix_op) {
    T inclusive, exclusive, aggregate;
    scan(input, inclusive, exclusive, op, aggregate);
    T prefix = blockPrefix(prefix_op, aggregate);
    output = RowMajorTid(X, Y, Z) == 0 ? prefix : op(prefix, exclusive);
  }
  // Without an initial value thread 0's output is not defined.
  template <class Op>
  __device__ void ExclusiveScan(T input, T& output, Op op) {
    T inclusive, aggregate;
    scan(input, inclusive, output, op, aggregate);
  }
  template <int ITEMS, class Op>
  __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial, Op op) {
    T aggregate;
    ExclusiveScan(input, output, initial, op, aggregate);
  }
  template <int ITEMS, class Op>
  __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T initial, Op op, T& aggregate) {
    T prefix;
    ExclusiveScan(internal::ThreadReduce(input, op), prefix, initial, op, aggregate);
    internal::ThreadScanExclusive<ITEMS>(input, output, op, prefix);
  }
  template <int ITEMS, class Op, class PrefixOp>
  __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, PrefixOp& prefix_op) {
    T prefix;
    ExclusiveScan(internal::ThreadReduce(input, op), prefix, op, prefix_op);
    internal::ThreadScanExclusive<ITEMS>(input, output, op, prefix);
  }
  __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  template <class PrefixOp>
  __device__ void InclusiveSum(T input, T& output, PrefixOp& prefix_op) {
    InclusiveScan(input, output, cub::Sum(), prefix_op);
  }
  template <int ITEMS>
  __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
    InclusiveScan(input, output, cub::Sum());
  }
  template <int ITEMS, class Extra>
  __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], Extra& extra) {
    InclusiveScan(input, output, cub::Sum(), extra);
  }
  __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
  __device__ void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
  }
  template <class PrefixOp>
  __device__ void ExclusiveSum(T input, T& output, PrefixOp& prefix_op) {
    ExclusiveScan(input, output, cub::Sum(), prefix_op);
  }
  template <int ITEMS>
  __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
    ExclusiveScan(input, output, T(0), cub::Sum());
  }
  template <int ITEMS>
  __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& aggregate) {
    ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
  }

 private:
  // Inclusive and exclusive results over the block; exclusive is not defined in thread 0.
  template <class Op>
  __device__ void scan(T input, T& inclusive, T& exclusive, Op op, T& aggregate) {
    int thread = RowMajorTid(X, Y, Z);
    int warp = thread / 32;
    unsigned int mask = np_detail::warpMask<kThreads>(thread);
    T in_warp = np_detail::warpInclusiveScan<32>(mask, input, op);
    T before = np_detail::shuffle<np_detail::kUp>(mask, in_warp, 1);
    if (thread % 32 == 31 || thread == kThreads - 1) storage_.warps[warp] = in_warp;
    __syncthreads();
    inclusive = in_warp;
    exclusive = before;
    aggregate = storage_.warps[0];
    for (int i = 1; i < kWarps; i++) {
      if (warp == i) {
        inclusive = op(aggregate, in_warp);
        exclusive = thread % 32 == 0 ? aggregate : op(aggregate, before);
      }
      aggregate = op(aggregate, storage_.warps[i]);
    }
  }
  template <class PrefixOp>
  __device__ T blockPrefix(PrefixOp& prefix_op, T aggregate) {
    int thread = RowMajorTid(X, Y, Z);
    if (thread < 32) {
      T prefix = prefix_op(aggregate);
      if (thread == 0) storage_.prefix = prefix;
    }
    __syncthreads();
    return storage_.prefix;
  }
  _TempStorage& storage_;
};

// Padded layout of one element per thread for a raking warp; sources that write their own scans build on it.
template <class T, int BLOCK_THREADS, int ARCH = 0>
struct BlockRakingLayout {
  enum {
    SHARED_ELEMENTS = BLOCK_THREADS,
    MAX_RAKING_THREADS = BLOCK_THREADS < 32 ? BLOCK_THREADS : 32,
    SEGMENT_LENGTH = (SHARED_ELEMENTS + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS,
    RAKING_THREADS = (SHARED_ELEMENTS + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH,
    HAS_CONFLICTS = 32 % SEGMENT_LENGTH == 0,
    CONFLICT_DEGREE = HAS_CONFLICTS ? (RAKING_THREADS * SEGMENT_LENGTH) / 32 : 1,
    USE_SEGMENT_PADDING = (SEGMENT_LENGTH & 1) == 0 && SEGMENT_LENGTH > 2,
    GRID_ELEMENTS = RAKING_THREADS * (SEGMENT_LENGTH + USE_SEGMENT_PADDING),
    UNGUARDED = SHARED_ELEMENTS % RAKING_THREADS == 0
  };
  struct __align__(16) _TempStorage {
    T buff[GRID_ELEMENTS];
  };
  struct TempStorage : Uninitialized<_TempStorage> {};
  static __device__ __forceinline__ T* PlacementPtr(TempStorage& storage, unsigned int thread) {
    unsigned int offset = thread;
    if (USE_SEGMENT_PADDING) offset += offset / SEGMENT_LENGTH;
    return storage.Alias().buff + offset;
  }
  static __device__ __forceinline__ T* RakingPtr(TempStorage& storage, unsigned int thread) {
    return storage.Alias().buff + thread * (SEGMENT_LENGTH + USE_SEGMENT_PADDING);
  }
};
}  // namespace cub
