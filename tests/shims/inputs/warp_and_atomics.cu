// Barriers, votes, shuffles and atomics are NVVM intrinsics and atomic instructions.
// calls: llvm.nvvm.read.ptx.sreg.tid.x llvm.nvvm.read.ptx.sreg.ctaid.y llvm.nvvm.read.ptx.sreg.ntid.z
// calls: llvm.nvvm.read.ptx.sreg.nctaid.x llvm.nvvm.barrier0 llvm.nvvm.barrier0.popc llvm.nvvm.bar.warp.sync
// calls: llvm.nvvm.shfl.sync.down.f32 llvm.nvvm.shfl.sync.bfly.i32 llvm.nvvm.shfl.sync.up.i32
// calls: llvm.nvvm.shfl.sync.idx.i32 llvm.nvvm.vote.ballot.sync llvm.nvvm.vote.any.sync llvm.nvvm.vote.all.sync
// calls: llvm.nvvm.activemask llvm.nvvm.match.any.sync.i32 llvm.nvvm.redux.sync.add llvm.nvvm.membar.gl
// calls: llvm.nvvm.atomic.load.inc.32.p0 vprintf __assert_fail llvm.nvvm.read.ptx.sreg.clock64
// instructions: atomicrmw_fadd atomicrmw_add atomicrmw_max atomicrmw_umin atomicrmw_xchg cmpxchg addrspace(3)
// addrspace(4)
#include <assert.h>
#include <stdio.h>

__constant__ float table[8];
extern __shared__ float dynamic[];

__global__ void warps(float* f, int* n, unsigned* u, unsigned long long* q, double* d) {
  __shared__ float fixed[32];
  int i = threadIdx.x + blockIdx.y + blockDim.z + gridDim.x;
  fixed[i] = table[i] + dynamic[i];
  assert(i >= 0);
  __syncthreads();
  n[0] = __syncthreads_count(i > 3);
  __syncwarp();
  f[0] = __shfl_down_sync(0xffffffffu, fixed[i], 16);
  n[1] = __shfl_xor_sync(0xffffffffu, n[i], 1, 8);
  q[0] = __shfl_up_sync(0xffffffffu, q[1], 1);
  u[0] = __shfl_sync(0xffffffffu, u[1], 0);
  u[1] = __ballot_sync(__activemask(), i) + __any_sync(~0u, i) + __all_sync(~0u, i);
  u[2] = __match_any_sync(~0u, i) + __reduce_add_sync(~0u, u[3]);
  __threadfence();
  atomicAdd(f, 1.0f);
  atomicAdd(d, 1.0);
  atomicAdd(n, 1);
  atomicMax(n, 3);
  atomicMin(u, 4u);
  atomicExch(q, 5ull);
  atomicCAS(n, 1, 2);
  atomicInc(u, 7u);
  if (i == 0) printf("%d %f\n", n[0], f[0]);
  d[1] = (double)clock64();
}
