// half and bfloat16 are IR types; their functions are the float functions, rounded.
// calls: llvm.nvvm.read.ptx.sreg.tid.x expf llvm.fma.f16 llvm.fma.bf16 np_float2half_rz __float2int_rn
// calls: llvm.nvvm.shfl.sync.down.i32
// instructions: fadd_half fmul_half fptrunc_float fpext_half fpext_bfloat fcmp_ogt_half cmpxchg
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(half* y, const half* x, half2* y2, const half2* x2) {
  int i = threadIdx.x;
  half v = __hadd(x[i], __hmul(x[0], x[1]));
  if (__hgt(v, x[2])) v = hexp(v);
  y[0] = __hfma(v, v, x[3]);
  y[1] = __float2half(__half2float(v) * 2.0f);
  y[2] = __float2half_rz(__half2float(v));
  y[3] = __shfl_down_sync(0xffffffffu, v, 4);
  y[4] = __int2half_rn(__half2int_rn(v));
  y[5] = __ushort_as_half(__half_as_ushort(v));
  y2[0] = __hadd2(x2[i], __float2half2_rn(1.0f));
  y2[1] = __floats2half2_rn(__low2float(x2[0]), __high2float(x2[1]));
  y2[2] = __halves2half2(__low2half(x2[0]), v);
  atomicAdd(y, v);
}

__global__ void brains(__nv_bfloat16* y, const __nv_bfloat16* x, __nv_bfloat162* y2) {
  int i = threadIdx.x;
  y[0] = __hadd(x[i], x[0]);
  y[1] = __hfma(x[i], x[1], x[2]);
  y[2] = __float2bfloat16(__bfloat162float(x[i]) + 1.0f);
  y2[0] = __hmul2(y2[1], __floats2bfloat162_rn(1.0f, 2.0f));
  y[3] = __hmax(x[1], x[2]);
}
