// Atomic functions: relaxed `atomicrmw` and `cmpxchg`, whatever the scope suffix; inc and dec are NVVM intrinsics.
#pragma once
#pragma clang system_header
#include "../host_defines.h"

#define NP_FETCH(Type, name, builtin) \
  NP_FN Type name(Type* address, Type value) { return builtin(address, value, __ATOMIC_RELAXED); }
#define NP_CAS(Type)                                                                                  \
  NP_FN Type atomicCAS(Type* address, Type compare, Type value) {                                     \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return compare;                                                                                   \
  }
#define NP_INTEGER(Type)                          \
  NP_FETCH(Type, atomicAdd, __atomic_fetch_add)   \
  NP_FETCH(Type, atomicSub, __atomic_fetch_sub)   \
  NP_FETCH(Type, atomicMin, __atomic_fetch_min)   \
  NP_FETCH(Type, atomicMax, __atomic_fetch_max)   \
  NP_FETCH(Type, atomicAnd, __atomic_fetch_and)   \
  NP_FETCH(Type, atomicOr, __atomic_fetch_or)     \
  NP_FETCH(Type, atomicXor, __atomic_fetch_xor)   \
  NP_FETCH(Type, atomicExch, __atomic_exchange_n) \
  NP_CAS(Type)
NP_INTEGER(int)
NP_INTEGER(unsigned int)
NP_INTEGER(long)
NP_INTEGER(unsigned long)
NP_INTEGER(long long)
NP_INTEGER(unsigned long long)
NP_CAS(unsigned short)
NP_FETCH(float, atomicAdd, __atomic_fetch_add)
NP_FETCH(double, atomicAdd, __atomic_fetch_add)
#undef NP_FETCH
#undef NP_CAS
#undef NP_INTEGER

NP_FN float atomicExch(float* address, float value) {
  float old;
  __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
  return old;
}
NP_FN unsigned int atomicInc(unsigned int* address, unsigned int bound) {
  return __nvvm_atom_inc_gen_ui(address, bound);
}
NP_FN unsigned int atomicDec(unsigned int* address, unsigned int bound) {
  return __nvvm_atom_dec_gen_ui(address, bound);
}

#define NP_SCOPED(name)                                  \
  template <class Type, class Value>                     \
  NP_FN Type name##_block(Type* address, Value value) {  \
    return name(address, (Type)value);                   \
  }                                                      \
  template <class Type, class Value>                     \
  NP_FN Type name##_system(Type* address, Value value) { \
    return name(address, (Type)value);                   \
  }
NP_SCOPED(atomicAdd)
NP_SCOPED(atomicSub)
NP_SCOPED(atomicMin)
NP_SCOPED(atomicMax)
NP_SCOPED(atomicAnd)
NP_SCOPED(atomicOr)
NP_SCOPED(atomicXor)
NP_SCOPED(atomicExch)
NP_SCOPED(atomicInc)
NP_SCOPED(atomicDec)
#undef NP_SCOPED
template <class Type, class Value>
NP_FN Type atomicCAS_block(Type* address, Value compare, Value value) {
  return atomicCAS(address, (Type)compare, (Type)value);
}
template <class Type, class Value>
NP_FN Type atomicCAS_system(Type* address, Value compare, Value value) {
  return atomicCAS(address, (Type)compare, (Type)value);
}
