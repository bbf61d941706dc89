// gpuAtomicAdd and its kin for every scalar type: the hardware operation where there is one, else compare and swap on
// the containing bits.
#pragma once
#pragma clang system_header
#include "scalar_type.h"

#ifdef __CUDA__
namespace np_torch {
// old = *address; *address = op(old, value), atomically.
template <class T, class Op>
NP_FN T atomicUpdate(T* address, T value, Op op) {
  if constexpr (sizeof(T) == 4) {
    unsigned int* word = (unsigned int*)address;
    unsigned int seen = atomicCAS(word, (unsigned int)0, (unsigned int)0), expected;  // an atomic read
    do {
      expected = seen;
      seen = atomicCAS(word, expected, __builtin_bit_cast(unsigned int, op(__builtin_bit_cast(T, expected), value)));
    } while (seen != expected);
    return __builtin_bit_cast(T, seen);
  } else if constexpr (sizeof(T) == 8) {
    unsigned long long* word = (unsigned long long*)address;
    unsigned long long seen = atomicCAS(word, (unsigned long long)0, (unsigned long long)0),
                       expected;  // an atomic read
    do {
      expected = seen;
      seen =
          atomicCAS(word, expected, __builtin_bit_cast(unsigned long long, op(__builtin_bit_cast(T, expected), value)));
    } while (seen != expected);
    return __builtin_bit_cast(T, seen);
  } else if constexpr (sizeof(T) == 2) {
    unsigned short* word = (unsigned short*)address;
    unsigned short seen = atomicCAS(word, (unsigned short)0, (unsigned short)0), expected;  // an atomic read
    do {
      expected = seen;
      seen = atomicCAS(word, expected, __builtin_bit_cast(unsigned short, op(__builtin_bit_cast(T, expected), value)));
    } while (seen != expected);
    return __builtin_bit_cast(T, seen);
  } else {
    static_assert(sizeof(T) == 1, "no atomic update for this size");
    unsigned int* word = (unsigned int*)((size_t)address & ~(size_t)3);
    unsigned int shift = 8 * (unsigned int)((size_t)address & 3);
    unsigned int seen = atomicCAS(word, (unsigned int)0, (unsigned int)0), expected;  // an atomic read
    unsigned char old;
    do {
      expected = seen;
      old = (unsigned char)(expected >> shift);
      unsigned int next = __builtin_bit_cast(unsigned char, op(__builtin_bit_cast(T, old), value));
      seen = atomicCAS(word, expected, (expected & ~(0xffu << shift)) | (next << shift));
    } while (seen != expected);
    return __builtin_bit_cast(T, old);
  }
}
template <class T>
constexpr bool has_integer_atomic =
    __is_same(T, int) || __is_same(T, unsigned int) || __is_same(T, long long) || __is_same(T, unsigned long long) ||
    __is_same(T, long) || __is_same(T, unsigned long);
template <class T>
constexpr bool has_atomic_add = has_integer_atomic<T> || __is_same(T, float) || __is_same(T, double);
}  // namespace np_torch

template <class T>
NP_FN T gpuAtomicAdd(T* address, T value) {
  if constexpr (np_torch::has_atomic_add<T>) {
    return atomicAdd(address, value);
  } else {
    return np_torch::atomicUpdate(address, value, [](T a, T b) { return (T)(a + b); });
  }
}
template <class T>
NP_FN T gpuAtomicMul(T* address, T value) {
  return np_torch::atomicUpdate(address, value, [](T a, T b) { return (T)(a * b); });
}
template <class T>
NP_FN T gpuAtomicMax(T* address, T value) {
  return np_torch::atomicUpdate(address, value, [](T a, T b) { return a != a || a > b ? a : b; });
}
template <class T>
NP_FN T gpuAtomicMin(T* address, T value) {
  return np_torch::atomicUpdate(address, value, [](T a, T b) { return a != a || a < b ? a : b; });
}
template <class T>
NP_FN void gpuAtomicAddNoReturn(T* address, T value) {
  gpuAtomicAdd(address, value);
}
NP_FN c10::Half atomicAdd(c10::Half* address, c10::Half value) { return gpuAtomicAdd(address, value); }
NP_FN c10::BFloat16 atomicAdd(c10::BFloat16* address, c10::BFloat16 value) { return gpuAtomicAdd(address, value); }
NP_FN uint8_t atomicAdd(uint8_t* address, uint8_t value) { return gpuAtomicAdd(address, value); }
NP_FN int8_t atomicAdd(int8_t* address, int8_t value) { return gpuAtomicAdd(address, value); }
NP_FN int16_t atomicAdd(int16_t* address, int16_t value) { return gpuAtomicAdd(address, value); }
NP_FN bool atomicAdd(bool* address, bool value) { return gpuAtomicAdd(address, value); }
namespace at::native {
template <class T, class Index>
NP_FN void fastAtomicAdd(T* tensor, Index index, Index count, T value, bool fast) {
  gpuAtomicAdd(tensor + index, value);
}
}  // namespace at::native
using at::native::fastAtomicAdd;
#endif
