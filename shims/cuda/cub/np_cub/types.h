// Operators, pairs and small helpers of namespace cub.
#pragma once
#pragma clang system_header
#include "../../cuda_runtime.h"

#define CUB_VERSION 200500
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_WARP_THREADS(arch) 32
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_LOG_SMEM_BANKS(arch) 5
#define CUB_PTX_LOG_SMEM_BANKS 5
#define CUB_PTX_SMEM_BANKS 32
#define CUB_PTX_PREFER_CONFLICT_OVER_PADDING 1
#define CUB_PTX_ARCH 800
#define CUB_MAX(a, b) ((a) > (b) ? (a) : (b))
#define CUB_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CUB_QUOTIENT_FLOOR(a, b) ((a) / (b))
#define CUB_QUOTIENT_CEILING(a, b) (((a) + (b) - 1) / (b))
#define CUB_ROUND_UP_NEAREST(a, b) (CUB_QUOTIENT_CEILING(a, b) * (b))
#define CUB_STATIC_ASSERT(condition, message) static_assert(condition, message)
#define CubDebug(call) (call)
#define CubDebugExit(call) (void)(call)

namespace cub {
#define NP_CUB_OPERATOR(Name, expression)                     \
  struct Name {                                               \
    template <class A, class B>                               \
    NP_MEMBER auto operator()(const A& a, const B& b) const { \
      return expression;                                      \
    }                                                         \
  };
NP_CUB_OPERATOR(Sum, (a + b))
NP_CUB_OPERATOR(Difference, (a - b))
NP_CUB_OPERATOR(Max, (a < b ? b : a))
NP_CUB_OPERATOR(Min, (b < a ? b : a))
NP_CUB_OPERATOR(Equality, (a == b))
NP_CUB_OPERATOR(Inequality, (a != b))
NP_CUB_OPERATOR(ArgMax, (b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a))
NP_CUB_OPERATOR(ArgMin, (b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a))
#undef NP_CUB_OPERATOR
template <class Key, class Value>
struct KeyValuePair {
  typedef Key KeyT;
  typedef Value ValueT;
  Key key;
  Value value;
  KeyValuePair() = default;
  NP_MEMBER KeyValuePair(const Key& key, const Value& value) : key(key), value(value) {}
  NP_MEMBER bool operator!=(const KeyValuePair& b) const { return key != b.key || value != b.value; }
};
struct NullType {};
template <int number>
struct Log2 {
  enum { VALUE = number <= 1 ? 0 : 1 + Log2<(number + 1) / 2>::VALUE };
};
template <>
struct Log2<1> {
  enum { VALUE = 0 };
};
template <>
struct Log2<0> {
  enum { VALUE = 0 };
};
template <int number>
struct PowerOfTwo {
  enum { VALUE = (number & (number - 1)) == 0 };
};
template <int number>
struct Int2Type {
  enum { VALUE = number };
};
// Storage for a T that is not constructed.
template <class T>
struct Uninitialized {
  alignas(T) char storage[sizeof(T)];
  NP_MEMBER T& Alias() { return *reinterpret_cast<T*>(this); }
};
template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;
  NP_MEMBER DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  NP_MEMBER DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate}, selector(0) {}
  NP_MEMBER T* Current() { return d_buffers[selector]; }
  NP_MEMBER T* Alternate() { return d_buffers[selector ^ 1]; }
};
struct CachingDeviceAllocator {
  cudaError_t DeviceAllocate(void** address, size_t size, cudaStream_t stream = 0);
  cudaError_t DeviceFree(void* address);
};

NP_FN unsigned int LaneId() { return __nvvm_read_ptx_sreg_laneid(); }
NP_FN unsigned int WarpId() { return __nvvm_read_ptx_sreg_warpid(); }
NP_FN int RowMajorTid(int x, int y, int z) { return (int)((threadIdx.z * y + threadIdx.y) * x + threadIdx.x); }
NP_FN void CTA_SYNC() { __syncthreads(); }
NP_FN int CTA_SYNC_OR(int predicate) { return __syncthreads_or(predicate); }
NP_FN void WARP_SYNC(unsigned int mask) { __syncwarp(mask); }

namespace np_detail {
// The lanes of this warp that a block of BLOCK threads has.
template <int BLOCK>
NP_FN unsigned int warpMask(int thread) {
  int lanes = BLOCK - (thread & ~31);
  return lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
}
enum Shuffle { kIndex, kUp, kDown };
// Any trivially copyable value, shuffled as 32-bit words.
template <Shuffle kind, class T>
NP_FN T shuffle(unsigned int mask, const T& value, int lane) {
  if constexpr (__is_same(T, float) || __is_same(T, int) || __is_same(T, unsigned int) || __is_same(T, double) ||
                __is_same(T, long long) || __is_same(T, unsigned long long)) {
    if constexpr (kind == kUp) return __shfl_up_sync(mask, value, (unsigned int)lane);
    if constexpr (kind == kDown) return __shfl_down_sync(mask, value, (unsigned int)lane);
    return __shfl_sync(mask, value, lane);
  } else {
    T result = value;
    constexpr int words = (int)((sizeof(T) + 3) / 4);
    unsigned int buffer[words] = {};
    __builtin_memcpy(buffer, &value, sizeof(T));
    for (int i = 0; i < words; i++) {
      if constexpr (kind == kUp) buffer[i] = __shfl_up_sync(mask, buffer[i], (unsigned int)lane);
      if constexpr (kind == kDown) buffer[i] = __shfl_down_sync(mask, buffer[i], (unsigned int)lane);
      if constexpr (kind == kIndex) buffer[i] = __shfl_sync(mask, buffer[i], lane);
    }
    __builtin_memcpy(&result, buffer, sizeof(T));
    return result;
  }
}
}  // namespace np_detail
template <int LOGICAL_WARP_THREADS, class T>
NP_FN T ShuffleDown(T input, int offset, int last, unsigned int mask) {
  return np_detail::shuffle<np_detail::kDown>(mask, input, offset);
}
template <int LOGICAL_WARP_THREADS, class T>
NP_FN T ShuffleUp(T input, int offset, int first, unsigned int mask) {
  return np_detail::shuffle<np_detail::kUp>(mask, input, offset);
}
template <int LOGICAL_WARP_THREADS, class T>
NP_FN T ShuffleIndex(T input, int lane, unsigned int mask) {
  return np_detail::shuffle<np_detail::kIndex>(mask, input, lane);
}
}  // namespace cub
namespace cub {
// The lanes of logical warp number `warp`, of WARP threads.
template <int WARP>
NP_FN unsigned int WarpMask(unsigned int warp) {
  if constexpr (WARP >= 32) return 0xffffffffu;
  return ((1u << (WARP & 31)) - 1) << (warp * WARP % 32);
}
}  // namespace cub
