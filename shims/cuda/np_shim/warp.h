// Warp shuffles, votes, match and reduce over a mask of lanes.
// A float is shuffled as a float (llvm.nvvm.shfl.sync.*.f32), 64 bits as two 32-bit halves, low half first.
#pragma once
#pragma clang system_header
#include "../host_defines.h"

NP_FN unsigned int __activemask() { return __nvvm_activemask(); }
NP_FN unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate != 0);
}
NP_FN int __any_sync(unsigned int mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate != 0); }
NP_FN int __all_sync(unsigned int mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate != 0); }
NP_FN int __uni_sync(unsigned int mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate != 0); }

// `clamp` is the segment bound that the instruction takes beside the width: 0 for up, 31 otherwise.
#define NP_SHUFFLE(name, kind, clamp, Lane)                                                                    \
  NP_FN int name(unsigned int mask, int value, Lane lane, int width = 32) {                                    \
    return __nvvm_shfl_sync_##kind##_i32(mask, value, (int)lane, ((32 - width) << 8) | clamp);                 \
  }                                                                                                            \
  NP_FN float name(unsigned int mask, float value, Lane lane, int width = 32) {                                \
    return __nvvm_shfl_sync_##kind##_f32(mask, value, (int)lane, ((32 - width) << 8) | clamp);                 \
  }                                                                                                            \
  NP_FN unsigned int name(unsigned int mask, unsigned int value, Lane lane, int width = 32) {                  \
    return (unsigned int)name(mask, (int)value, lane, width);                                                  \
  }                                                                                                            \
  NP_FN unsigned long long name(unsigned int mask, unsigned long long value, Lane lane, int width = 32) {      \
    unsigned int low = (unsigned int)name(mask, (int)(unsigned int)value, lane, width);                        \
    unsigned int high = (unsigned int)name(mask, (int)(unsigned int)(value >> 32), lane, width);               \
    return ((unsigned long long)high << 32) | low;                                                             \
  }                                                                                                            \
  NP_FN long long name(unsigned int mask, long long value, Lane lane, int width = 32) {                        \
    return (long long)name(mask, (unsigned long long)value, lane, width);                                      \
  }                                                                                                            \
  NP_FN long name(unsigned int mask, long value, Lane lane, int width = 32) {                                  \
    return (long)name(mask, (unsigned long long)value, lane, width);                                           \
  }                                                                                                            \
  NP_FN unsigned long name(unsigned int mask, unsigned long value, Lane lane, int width = 32) {                \
    return (unsigned long)name(mask, (unsigned long long)value, lane, width);                                  \
  }                                                                                                            \
  NP_FN double name(unsigned int mask, double value, Lane lane, int width = 32) {                              \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(unsigned long long, value), lane, width)); \
  }
NP_SHUFFLE(__shfl_sync, idx, 31, int)
NP_SHUFFLE(__shfl_up_sync, up, 0, unsigned int)
NP_SHUFFLE(__shfl_down_sync, down, 31, unsigned int)
NP_SHUFFLE(__shfl_xor_sync, bfly, 31, int)
#undef NP_SHUFFLE

// The forms without a mask, gone since compute capability 7.0: all lanes of the warp.
#define NP_SHUFFLE(name, Lane)                               \
  template <class Value>                                     \
  NP_FN Value name(Value value, Lane lane, int width = 32) { \
    return name##_sync(0xffffffffu, value, lane, width);     \
  }
NP_SHUFFLE(__shfl, int)
NP_SHUFFLE(__shfl_up, unsigned int)
NP_SHUFFLE(__shfl_down, unsigned int)
NP_SHUFFLE(__shfl_xor, int)
#undef NP_SHUFFLE
NP_FN unsigned int __ballot(int predicate) { return __ballot_sync(0xffffffffu, predicate); }
NP_FN int __any(int predicate) { return __any_sync(0xffffffffu, predicate); }
NP_FN int __all(int predicate) { return __all_sync(0xffffffffu, predicate); }

template <class Value>
NP_FN unsigned int __match_any_sync(unsigned int mask, Value value) {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8, "match takes 32 or 64 bits");
  if constexpr (sizeof(Value) == 4) {
    return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned int, value));
  } else {
    return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(long long, value));
  }
}
template <class Value>
NP_FN unsigned int __match_all_sync(unsigned int mask, Value value, int* predicate) {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8, "match takes 32 or 64 bits");
  if constexpr (sizeof(Value) == 4) {
    return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned int, value), predicate);
  } else {
    return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(long long, value), predicate);
  }
}

NP_FN int __reduce_add_sync(unsigned int mask, int v) { return __nvvm_redux_sync_add(v, (int)mask); }
NP_FN int __reduce_min_sync(unsigned int mask, int v) { return __nvvm_redux_sync_min(v, (int)mask); }
NP_FN int __reduce_max_sync(unsigned int mask, int v) { return __nvvm_redux_sync_max(v, (int)mask); }
NP_FN unsigned int __reduce_add_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__nvvm_redux_sync_add((int)v, (int)mask);
}
NP_FN unsigned int __reduce_min_sync(unsigned int mask, unsigned int v) { return __nvvm_redux_sync_umin(v, (int)mask); }
NP_FN unsigned int __reduce_max_sync(unsigned int mask, unsigned int v) { return __nvvm_redux_sync_umax(v, (int)mask); }
NP_FN unsigned int __reduce_and_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__nvvm_redux_sync_and((int)v, (int)mask);
}
NP_FN unsigned int __reduce_or_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__nvvm_redux_sync_or((int)v, (int)mask);
}
NP_FN unsigned int __reduce_xor_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__nvvm_redux_sync_xor((int)v, (int)mask);
}
