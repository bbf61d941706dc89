// Device-wide algorithms: host calls, declarations only.
#pragma once
#pragma clang system_header
#include "types.h"

namespace cub {
#define NP_CUB_CALL(name)       \
  template <class... Arguments> \
  static cudaError_t name(void* storage, size_t& size, Arguments&&... arguments);
struct DeviceReduce {
  NP_CUB_CALL(Reduce)
  NP_CUB_CALL(Sum)
  NP_CUB_CALL(Min)
  NP_CUB_CALL(Max) NP_CUB_CALL(ArgMin) NP_CUB_CALL(ArgMax) NP_CUB_CALL(ReduceByKey) NP_CUB_CALL(TransformReduce)
};
struct DeviceSegmentedReduce {
  NP_CUB_CALL(Reduce) NP_CUB_CALL(Sum) NP_CUB_CALL(Min) NP_CUB_CALL(Max) NP_CUB_CALL(ArgMin) NP_CUB_CALL(ArgMax)
};
struct DeviceScan {
  NP_CUB_CALL(ExclusiveSum)
  NP_CUB_CALL(InclusiveSum)
  NP_CUB_CALL(ExclusiveScan)
  NP_CUB_CALL(InclusiveScan)
  NP_CUB_CALL(InclusiveScanByKey)
  NP_CUB_CALL(ExclusiveScanByKey) NP_CUB_CALL(InclusiveSumByKey) NP_CUB_CALL(ExclusiveSumByKey)
};
struct DeviceRadixSort {
  NP_CUB_CALL(SortPairs) NP_CUB_CALL(SortPairsDescending) NP_CUB_CALL(SortKeys) NP_CUB_CALL(SortKeysDescending)
};
struct DeviceSegmentedRadixSort : DeviceRadixSort {};
struct DeviceSegmentedSort : DeviceRadixSort {
  NP_CUB_CALL(StableSortPairs) NP_CUB_CALL(StableSortKeys)
};
struct DeviceMergeSort {
  NP_CUB_CALL(SortPairs) NP_CUB_CALL(SortKeys) NP_CUB_CALL(StableSortPairs) NP_CUB_CALL(StableSortKeys)
};
struct DeviceSelect {
  NP_CUB_CALL(Flagged) NP_CUB_CALL(If) NP_CUB_CALL(Unique) NP_CUB_CALL(UniqueByKey)
};
struct DevicePartition {
  NP_CUB_CALL(Flagged) NP_CUB_CALL(If)
};
struct DeviceRunLengthEncode {
  NP_CUB_CALL(Encode) NP_CUB_CALL(NonTrivialRuns)
};
struct DeviceHistogram {
  NP_CUB_CALL(HistogramEven) NP_CUB_CALL(HistogramRange)
};
struct DeviceSpmv {
  NP_CUB_CALL(CsrMV)
};
#undef NP_CUB_CALL
}  // namespace cub
#include "../../thrust/np_thrust/iterators.h"
namespace cub {
template <class T>
using CountingInputIterator = thrust::counting_iterator<T>;
template <class T>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <class T, class Op, class Iterator>
class TransformInputIterator : public thrust::transform_iterator<Op, Iterator> {
 public:
  NP_MEMBER TransformInputIterator(Iterator base, Op op) : thrust::transform_iterator<Op, Iterator>(base, op) {}
};
}  // namespace cub
