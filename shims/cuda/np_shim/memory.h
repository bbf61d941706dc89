// Loads and stores with cache hints (plain accesses here), address spaces, and the C memory functions on the device.
#pragma once
#pragma clang system_header
#include <stddef.h>

#include "../host_defines.h"

#define NP_LOAD(name)                    \
  template <class Type>                  \
  NP_FN Type name(const Type* address) { \
    return *address;                     \
  }
NP_LOAD(__ldg)
NP_LOAD(__ldca)
NP_LOAD(__ldcg)
NP_LOAD(__ldcs)
NP_LOAD(__ldcv)
NP_LOAD(__ldlu)
#undef NP_LOAD
#define NP_STORE(name)                         \
  template <class Type>                        \
  NP_FN void name(Type* address, Type value) { \
    *address = value;                          \
  }
NP_STORE(__stwb)
NP_STORE(__stcg)
NP_STORE(__stcs)
NP_STORE(__stwt)
#undef NP_STORE

#define NP_SPACE(number) __attribute__((address_space(number)))
NP_FN size_t __cvta_generic_to_global(const void* p) { return (size_t)(const NP_SPACE(1) void*)p; }
NP_FN size_t __cvta_generic_to_shared(const void* p) { return (size_t)(const NP_SPACE(3) void*)p; }
NP_FN size_t __cvta_generic_to_constant(const void* p) { return (size_t)(const NP_SPACE(4) void*)p; }
NP_FN size_t __cvta_generic_to_local(const void* p) { return (size_t)(const NP_SPACE(5) void*)p; }
NP_FN void* __cvta_global_to_generic(size_t p) { return (void*)(NP_SPACE(1) void*)p; }
NP_FN void* __cvta_shared_to_generic(size_t p) { return (void*)(NP_SPACE(3) void*)p; }
NP_FN unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
NP_FN unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
NP_FN unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
NP_FN unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
#undef NP_SPACE

NP_FN void* memcpy(void* to, const void* from, size_t size) { return __builtin_memcpy(to, from, size); }
NP_FN void* memmove(void* to, const void* from, size_t size) { return __builtin_memmove(to, from, size); }
NP_FN void* memset(void* to, int byte, size_t size) { return __builtin_memset(to, byte, size); }
extern "C" {
__device__ void* malloc(size_t size);
__device__ void free(void* address);
__device__ int printf(const char* format, ...);
__device__ int vprintf(const char* format, const char* arguments);
__device__ __attribute__((noreturn)) void __assert_fail(const char* condition, const char* file, unsigned int line,
                                                        const char* function);
}
