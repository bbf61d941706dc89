// TensorInfo: a tensor as a pointer with up to 25 sizes and strides, and the map from a linear index to an offset.
#pragma once
#pragma clang system_header
#include "cuda.h"

#define MAX_TENSORINFO_DIMS 25
namespace at::cuda {
inline constexpr int CUDA_NUM_THREADS = 1024;
namespace detail {
template <class T, class IndexType>
struct TensorInfo {
  T* data;
  IndexType sizes[MAX_TENSORINFO_DIMS];
  IndexType strides[MAX_TENSORINFO_DIMS];
  int dims;
  TensorInfo() = default;
  TensorInfo(T* data, int dims, IndexType sizes[MAX_TENSORINFO_DIMS], IndexType strides[MAX_TENSORINFO_DIMS]);
  void reduceDim(int dim);
  int collapseDims(int exclude = -1);
  NP_MEMBER bool isContiguous() const { return dims == 1 && strides[0] == 1; }
};
// Dims is the number of dimensions where it is known, -2 for a contiguous tensor, -1 to read it from the info.
template <class T, class IndexType, int Dims>
struct IndexToOffset {
  static NP_MEMBER IndexType get(IndexType linear, const TensorInfo<T, IndexType>& info) {
    if constexpr (Dims == -2) return linear;
    IndexType offset = 0;
    for (int i = (Dims > 0 ? Dims : info.dims) - 1; i > 0; --i) {
      offset += linear % info.sizes[i] * info.strides[i];
      linear /= info.sizes[i];
    }
    return offset + linear * info.strides[0];
  }
};
template <class T, class IndexType>
TensorInfo<T, IndexType> getTensorInfo(const at::TensorBase& tensor);
bool canUse32BitIndexMath(const at::TensorBase& tensor, int64_t limit = 0x7fffffff);
bool maybeOverlappingIndices(const at::TensorBase& tensor);
constexpr int CUDA_NUM_THREADS = 1024;
inline int GET_BLOCKS(int64_t count, int64_t threads = CUDA_NUM_THREADS) {
  return int((count + threads - 1) / threads);
}
}  // namespace detail
}  // namespace at::cuda
