// WarpReduce and WarpScan over a logical warp, by shuffles in steps 1, 2, 4, 8, 16.
#pragma once
#pragma clang system_header
#include "types.h"

namespace cub {
namespace np_detail {
// Result in the first lane of each logical warp; valid counts the leading lanes that take part.
template <int WARP, class T, class Op>
NP_FN T warpReduce(unsigned int mask, T value, int valid, Op op) {
  int lane = (int)LaneId() & (WARP - 1);
  for (int offset = 1; offset < WARP; offset *= 2) {
    // A lane whose partner does not take part reads itself: the partner may not exist.
    bool paired = lane + offset < valid;
    T other = shuffle<kDown>(mask, value, paired ? offset : 0);
    if (paired) value = op(value, other);
  }
  return value;
}
template <int WARP, class T, class Op>
NP_FN T warpInclusiveScan(unsigned int mask, T value, Op op) {
  int lane = (int)LaneId() & (WARP - 1);
  for (int offset = 1; offset < WARP; offset *= 2) {
    T other = shuffle<kUp>(mask, value, offset);
    if (lane >= offset) value = op(other, value);
  }
  return value;
}
template <int WARP>
NP_FN unsigned int logicalMask() {
  if constexpr (WARP >= 32) return 0xffffffffu;
  return ((1u << (WARP & 31)) - 1) << (LaneId() & ~(unsigned int)(WARP - 1));
}
}  // namespace np_detail

template <class T, int WARP = 32, int ARCH = 0>
class WarpReduce {
 public:
  struct TempStorage {
    char unused;
  };
  NP_MEMBER WarpReduce(TempStorage&) {}
  template <class Op>
  __device__ T Reduce(T input, Op op) {
    return np_detail::warpReduce<WARP>(np_detail::logicalMask<WARP>(), input, WARP, op);
  }
  template <class Op>
  __device__ T Reduce(T input, Op op, int valid) {
    return np_detail::warpReduce<WARP>(np_detail::logicalMask<WARP>(), input, valid, op);
  }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
};

template <class T, int WARP = 32, int ARCH = 0>
class WarpScan {
 public:
  struct TempStorage {
    char unused;
  };
  NP_MEMBER WarpScan(TempStorage&) {}
  template <class Op>
  __device__ void InclusiveScan(T input, T& output, Op op) {
    output = np_detail::warpInclusiveScan<WARP>(np_detail::logicalMask<WARP>(), input, op);
  }
  template <class Op>
  __device__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    InclusiveScan(input, output, op);
    aggregate = Broadcast(output, WARP - 1);
  }
  template <class Op>
  __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
    T inclusive;
    InclusiveScan(input, inclusive, op);
    T before = np_detail::shuffle<np_detail::kUp>(np_detail::logicalMask<WARP>(), inclusive, 1);
    output = ((int)LaneId() & (WARP - 1)) == 0 ? initial : op(initial, before);
  }
  template <class Op>
  __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
    T inclusive;
    InclusiveScan(input, inclusive, op, aggregate);
    T before = np_detail::shuffle<np_detail::kUp>(np_detail::logicalMask<WARP>(), inclusive, 1);
    output = ((int)LaneId() & (WARP - 1)) == 0 ? initial : op(initial, before);
  }
  // The first lane's output is not defined without an initial value.
  template <class Op>
  __device__ void ExclusiveScan(T input, T& output, Op op) {
    T inclusive;
    InclusiveScan(input, inclusive, op);
    output = np_detail::shuffle<np_detail::kUp>(np_detail::logicalMask<WARP>(), inclusive, 1);
  }
  template <class Op>
  __device__ void Scan(T input, T& inclusive, T& exclusive, Op op) {
    InclusiveScan(input, inclusive, op);
    exclusive = np_detail::shuffle<np_detail::kUp>(np_detail::logicalMask<WARP>(), inclusive, 1);
  }
  __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
  __device__ void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
  }
  __device__ T Broadcast(T input, unsigned int lane) {
    int base = (int)LaneId() & ~(WARP - 1);
    return np_detail::shuffle<np_detail::kIndex>(np_detail::logicalMask<WARP>(), input, base + (int)lane);
  }
};
}  // namespace cub
