// Barriers, fences and time: each is one NVVM intrinsic.
#pragma once
#pragma clang system_header
#include "../host_defines.h"

// __syncthreads() itself is a builtin of the NVPTX target (llvm.nvvm.barrier0).
NP_FN int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
NP_FN int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
NP_FN int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
NP_FN void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
NP_FN void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
NP_FN void __barrier_sync_count(unsigned int id, unsigned int count) { __nvvm_barrier_sync_cnt(id, count); }

NP_FN void __threadfence_block() { __nvvm_membar_cta(); }
NP_FN void __threadfence() { __nvvm_membar_gl(); }
NP_FN void __threadfence_system() { __nvvm_membar_sys(); }

NP_FN long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
NP_FN int clock() { return __nvvm_read_ptx_sreg_clock(); }
NP_FN unsigned long long __globaltimer() { return __nvvm_read_ptx_sreg_globaltimer(); }
extern "C" __device__ void __nanosleep(unsigned int nanoseconds);
NP_FN void __trap() { __builtin_trap(); }
NP_FN void __brkpt() {}
NP_FN void __prof_trigger(int) {}
