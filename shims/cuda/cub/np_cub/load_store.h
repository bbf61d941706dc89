// BlockLoad, BlockStore, BlockExchange and BlockRadixSort. The algorithm parameters change only how memory is
// traversed, so every one of them is the direct form here, except the striped arrangement.
#pragma once
#pragma clang system_header
#include "types.h"

namespace cub {
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier MODIFIER, class Iterator>
NP_FN auto ThreadLoad(Iterator address) {
  return *address;
}
template <CacheStoreModifier MODIFIER, class Iterator, class T>
NP_FN void ThreadStore(Iterator address, T value) {
  *address = value;
}

template <class T, int X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int ARCH = 0>
class BlockLoad {
  static constexpr int kThreads = X * Y * Z;
  __device__ __forceinline__ static int place(int item) {
    int thread = RowMajorTid(X, Y, Z);
    return ALGORITHM == BLOCK_LOAD_STRIPED ? item * kThreads + thread : thread * ITEMS + item;
  }

 public:
  struct _TempStorage {
    char unused;
  };
  struct TempStorage : Uninitialized<_TempStorage> {};
  __device__ __forceinline__ BlockLoad() {}
  __device__ __forceinline__ BlockLoad(TempStorage&) {}
  template <class Iterator>
  __device__ void Load(Iterator from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) items[i] = from[place(i)];
  }
  template <class Iterator>
  __device__ void Load(Iterator from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++) {
      if (place(i) < valid) items[i] = from[place(i)];
    }
  }
  template <class Iterator, class Default>
  __device__ void Load(Iterator from, T (&items)[ITEMS], int valid, Default fallback) {
    for (int i = 0; i < ITEMS; i++) items[i] = place(i) < valid ? (T)from[place(i)] : (T)fallback;
  }
};

template <class T, int X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int ARCH = 0>
class BlockStore {
  static constexpr int kThreads = X * Y * Z;
  __device__ __forceinline__ static int place(int item) {
    int thread = RowMajorTid(X, Y, Z);
    return ALGORITHM == BLOCK_STORE_STRIPED ? item * kThreads + thread : thread * ITEMS + item;
  }

 public:
  struct _TempStorage {
    char unused;
  };
  struct TempStorage : Uninitialized<_TempStorage> {};
  __device__ __forceinline__ BlockStore() {}
  __device__ __forceinline__ BlockStore(TempStorage&) {}
  template <class Iterator>
  __device__ void Store(Iterator to, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) to[place(i)] = items[i];
  }
  template <class Iterator>
  __device__ void Store(Iterator to, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++) {
      if (place(i) < valid) to[place(i)] = items[i];
    }
  }
};

// Rearranges a block's items between blocked, striped and scattered order through shared memory.
template <class T, int X, int ITEMS, bool TIME_SLICING = false, int Y = 1, int Z = 1, int ARCH = 0>
class BlockExchange {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct _TempStorage {
    T items[kThreads * ITEMS];
  };
  struct TempStorage : Uninitialized<_TempStorage> {};
  __device__ __forceinline__ BlockExchange(TempStorage& storage) : storage_(storage.Alias()) {}
  template <class Out>
  __device__ void StripedToBlocked(T (&input)[ITEMS], Out (&output)[ITEMS]) {
    int thread = RowMajorTid(X, Y, Z);
    for (int i = 0; i < ITEMS; i++) storage_.items[i * kThreads + thread] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) output[i] = storage_.items[thread * ITEMS + i];
  }
  template <class Out>
  __device__ void BlockedToStriped(T (&input)[ITEMS], Out (&output)[ITEMS]) {
    int thread = RowMajorTid(X, Y, Z);
    for (int i = 0; i < ITEMS; i++) storage_.items[thread * ITEMS + i] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) output[i] = storage_.items[i * kThreads + thread];
  }
  template <class Out, class Rank>
  __device__ void ScatterToBlocked(T (&input)[ITEMS], Out (&output)[ITEMS], Rank (&ranks)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage_.items[ranks[i]] = input[i];
    __syncthreads();
    int thread = RowMajorTid(X, Y, Z);
    for (int i = 0; i < ITEMS; i++) output[i] = storage_.items[thread * ITEMS + i];
  }
  template <class Out, class Rank>
  __device__ void ScatterToStriped(T (&input)[ITEMS], Out (&output)[ITEMS], Rank (&ranks)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) storage_.items[ranks[i]] = input[i];
    __syncthreads();
    int thread = RowMajorTid(X, Y, Z);
    for (int i = 0; i < ITEMS; i++) output[i] = storage_.items[i * kThreads + thread];
  }
  __device__ void StripedToBlocked(T (&items)[ITEMS]) { StripedToBlocked(items, items); }
  __device__ void BlockedToStriped(T (&items)[ITEMS]) { BlockedToStriped(items, items); }
  template <class Rank>
  __device__ void ScatterToBlocked(T (&items)[ITEMS], Rank (&ranks)[ITEMS]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class Rank>
  __device__ void ScatterToStriped(T (&items)[ITEMS], Rank (&ranks)[ITEMS]) {
    ScatterToStriped(items, items, ranks);
  }

 private:
  _TempStorage& storage_;
};

// A stable sort of the block's keys in blocked order: each key's rank is the number of keys before it.
template <class Key, int X, int ITEMS, class Value = NullType, int RADIX_BITS = 4, bool MEMOIZE = true, int SCAN = 0,
          int SHARED_MODE = 0, int Y = 1, int Z = 1, int ARCH = 0>
class BlockRadixSort {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct _TempStorage {
    Key keys[kThreads * ITEMS];
    Value values[__is_same(Value, NullType) ? 1 : kThreads * ITEMS];
  };
  struct TempStorage : Uninitialized<_TempStorage> {};
  __device__ __forceinline__ BlockRadixSort(TempStorage& storage) : storage_(storage.Alias()) {}
  __device__ void Sort(Key (&keys)[ITEMS], int begin = 0, int end = 8 * sizeof(Key)) {
    NullType none[ITEMS];
    sort<false>(keys, none, begin, end);
  }
  __device__ void Sort(Key (&keys)[ITEMS], Value (&values)[ITEMS], int begin = 0, int end = 8 * sizeof(Key)) {
    sort<false>(keys, values, begin, end);
  }
  __device__ void SortDescending(Key (&keys)[ITEMS], int begin = 0, int end = 8 * sizeof(Key)) {
    NullType none[ITEMS];
    sort<true>(keys, none, begin, end);
  }
  __device__ void SortDescending(Key (&keys)[ITEMS], Value (&values)[ITEMS], int begin = 0, int end = 8 * sizeof(Key)) {
    sort<true>(keys, values, begin, end);
  }

 private:
  template <bool wide>
  struct Word {
    typedef unsigned int type;
  };
  template <>
  struct Word<true> {
    typedef unsigned long long type;
  };
  typedef typename Word<(sizeof(Key) > 4)>::type Bits;
  // Order-preserving bits of a key, cut to [begin, end).
  __device__ __forceinline__ static Bits bits(Key key, int begin, int end) {
    constexpr int width = 8 * sizeof(Key), spare = 8 * sizeof(Bits) - width;
    Bits raw = 0;
    __builtin_memcpy(&raw, &key, sizeof(Key));
    constexpr Bits sign = (Bits)1 << (width - 1);
    if constexpr (!__is_integral(Key)) raw = raw & sign ? ~raw : raw ^ sign;
    if constexpr (__is_integral(Key) && (Key)-1 < (Key)0) raw ^= sign;
    raw = (Bits)(raw << spare) >> spare >> begin;
    int dropped = 8 * (int)sizeof(Bits) - (end - begin);
    return (Bits)(raw << dropped) >> dropped;
  }
  template <bool descending, class V>
  __device__ void sort(Key (&keys)[ITEMS], V (&values)[ITEMS], int begin, int end) {
    int thread = RowMajorTid(X, Y, Z);
    for (int i = 0; i < ITEMS; i++) storage_.keys[thread * ITEMS + i] = keys[i];
    __syncthreads();
    int ranks[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
      int self = thread * ITEMS + i;
      Bits mine = bits(keys[i], begin, end);
      int rank = 0;
      for (int j = 0; j < kThreads * ITEMS; j++) {
        Bits other = bits(storage_.keys[j], begin, end);
        bool before = descending ? other > mine : other < mine;
        rank += before || (other == mine && j < self);
      }
      ranks[i] = rank;
    }
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) {
      storage_.keys[ranks[i]] = keys[i];
      if constexpr (!__is_same(V, NullType)) storage_.values[ranks[i]] = values[i];
    }
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) {
      keys[i] = storage_.keys[thread * ITEMS + i];
      if constexpr (!__is_same(V, NullType)) values[i] = storage_.values[thread * ITEMS + i];
    }
  }
  _TempStorage& storage_;
};
}  // namespace cub
