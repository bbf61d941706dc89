// Inline PTX.
#include <cuda_fp16.h>

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void loads_and_stores(const float* x, float* y) {
  float a, b;
  const float* p = x + threadIdx.x;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(a) : "l"(p));
  asm volatile("ld.global.cg.f32 %0, [%1+128];" : "=f"(b) : "l"(p));
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(y + threadIdx.x), "f"(a + b) : "memory");
}
__global__ void vector_loads(const uint4* x, uint4* y) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(x + threadIdx.x));
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(y + threadIdx.x), "r"(v.w), "r"(v.z), "r"(v.y), "r"(v.x)
               : "memory");
}
__global__ void narrow_loads(const signed char* x, int* y) {
  int a;
  unsigned b;
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(a) : "l"(x + threadIdx.x));
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(b) : "l"(x + threadIdx.x));
  y[threadIdx.x] = a * 1000 + (int)b;
}
__global__ void shared_space(const int* x, int* y) {
  __shared__ int s[32];
  unsigned at = shared_address(&s[threadIdx.x]);
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(at), "r"(x[threadIdx.x]) : "memory");
  __syncthreads();
  int v;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(shared_address(&s[31 - threadIdx.x])) : "memory");
  y[threadIdx.x] = v;
}
__global__ void relaxed(int* flags, int* y) {
  asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(flags), "r"(7) : "memory");
  int v;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(flags) : "memory");
  y[threadIdx.x] = v;
}
__global__ void multiply_add(const int* x, int* y, long long* z) {
  int a = x[threadIdx.x], b = x[31 - threadIdx.x], lo, hi;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(lo) : "r"(a), "r"(b), "r"(7));
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(hi) : "r"(a), "r"(b));
  long long wide;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide) : "r"(a), "r"(b), "l"(1ll << 40));
  y[threadIdx.x] = lo;
  y[32 + threadIdx.x] = hi;
  z[threadIdx.x] = wide;
}
__global__ void permute(const unsigned* x, unsigned* y) {
  unsigned v;
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(v) : "r"(x[threadIdx.x]), "r"(x[31 - threadIdx.x]));
  y[threadIdx.x] = v;
}
__global__ void fields(const unsigned* x, unsigned* y) {
  unsigned a, b;
  int c;
  asm("bfe.u32 %0, %1, 5, 9;" : "=r"(a) : "r"(x[threadIdx.x]));
  asm("bfe.s32 %0, %1, 4, 6;" : "=r"(c) : "r"(x[threadIdx.x]));
  asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(b) : "r"(x[31 - threadIdx.x]), "r"(x[threadIdx.x]));
  y[threadIdx.x] = a;
  y[32 + threadIdx.x] = (unsigned)c;
  y[64 + threadIdx.x] = b;
}
__global__ void logic(const unsigned* x, unsigned* y) {
  unsigned a = x[threadIdx.x], b = x[31 - threadIdx.x], c = threadIdx.x * 77u, v, w;
  asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(v) : "r"(a), "r"(b), "r"(c));  // (a & b) | c
  asm("shf.l.wrap.b32 %0, %1, %2, 9;" : "=r"(w) : "r"(a), "r"(b));
  y[threadIdx.x] = v;
  y[32 + threadIdx.x] = w;
}
__global__ void lanes(unsigned* y) {
  unsigned id, lt, ge, active;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
  asm volatile("activemask.b32 %0;" : "=r"(active));
  y[threadIdx.x] = id;
  y[64 + threadIdx.x] = lt;
  y[128 + threadIdx.x] = ge;
  y[192 + threadIdx.x] = active;
}
__global__ void shuffles(const int* x, int* y) {
  int v, inside;
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 3, 0, 0xffffffff; selp.s32 %1, 1, 0, p; }"
               : "=r"(v), "=r"(inside)
               : "r"(x[threadIdx.x]));
  y[threadIdx.x] = v;
  y[32 + threadIdx.x] = inside;
}
__global__ void votes_in_ptx(const int* x, unsigned* y) {
  unsigned ballot, same;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(ballot) : "r"(x[threadIdx.x]));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(x[threadIdx.x] & 3));
  y[threadIdx.x] = ballot;
  y[32 + threadIdx.x] = same;
}
__global__ void conversions(const float* x, int* y, unsigned* z) {
  float v = x[threadIdx.x] * 20.0f;
  int n;
  unsigned packed;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(n) : "f"(v));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(v), "f"(-v));
  y[threadIdx.x] = n;
  z[threadIdx.x] = packed;
  short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
  z[32 + threadIdx.x] = (unsigned short)h;
}
__global__ void half_math(const __half2* pairs, unsigned* y) {
  const unsigned* x = (const unsigned*)pairs;
  unsigned v;
  asm("fma.rn.f16x2 %0, %1, %2, %1;" : "=r"(v) : "r"(x[threadIdx.x]), "r"(x[31 - threadIdx.x]));
  y[threadIdx.x] = v;
}
__global__ void predicates(const int* x, int* y) {
  int v = x[threadIdx.x];
  asm volatile(
      "{\n"
      "  .reg .pred p, q;\n"
      "  setp.lt.s32 p, %0, 0;\n"
      "  setp.gt.and.s32 q, %0, 10, !p;\n"
      "  @p neg.s32 %0, %0;\n"
      "  @!p add.s32 %0, %0, 1000;\n"
      "  @q mul.lo.s32 %0, %0, 2;\n"
      "}"
      : "+r"(v));
  y[threadIdx.x] = v;
}
__global__ void guarded_load(const int* x, int* y) {
  int v = -5;
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p ld.global.s32 %0, [%1]; }"
               : "+r"(v)
               : "l"(x + 1000000 * (threadIdx.x % 2 == 0) + threadIdx.x), "r"((int)(threadIdx.x % 2)));
  y[threadIdx.x] = v;
}
__global__ void async_copy(const float4* x, float* y) {
  __shared__ float4 s[64];
  for (int k = 0; k < 2; k++) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&s[k * 32 + threadIdx.x])),
                 "l"(x + k * 32 + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  __syncthreads();
  y[threadIdx.x] = s[31 - threadIdx.x].y;
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  y[32 + threadIdx.x] = s[63 - threadIdx.x].z;
}
__global__ void async_zero_fill(const int* x, int* y) {
  __shared__ __align__(16) int s[128];
  int bytes = threadIdx.x < 10 ? 16 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(&s[4 * threadIdx.x])),
               "l"(x + (threadIdx.x < 10 ? 4 * threadIdx.x : 0)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int k = 0; k < 4; k++) y[4 * threadIdx.x + k] = s[4 * threadIdx.x + k];
}
__global__ void atomics_in_ptx(int* y) {
  int old;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(y), "r"(2) : "memory");
  asm volatile("red.global.max.s32 [%0], %1;" ::"l"(y + 1), "r"((int)threadIdx.x) : "memory");
  asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(y + 2), "f"(0.5f) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], 0, 9;" : "=r"(old) : "l"(y + 3) : "memory");
}
__global__ void float_math(const float* x, float* y) {
  float v = x[threadIdx.x], a, b, c, d;
  asm("ex2.approx.f32 %0, %1;" : "=f"(a) : "f"(v));
  asm("rcp.approx.f32 %0, %1;" : "=f"(b) : "f"(v));
  asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(c) : "f"(v), "f"(1.0f));
  asm("tanh.approx.f32 %0, %1;" : "=f"(d) : "f"(v));
  y[threadIdx.x] = a + b + c + d;
  float flushed;
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(flushed) : "f"(1e-30f), "f"(1e-12f));
  y[32 + threadIdx.x] = flushed;
}
__global__ void packs(const unsigned* x, unsigned long long* y, unsigned* z) {
  unsigned long long both;
  unsigned lo, hi;
  asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(x[threadIdx.x]), "r"(threadIdx.x));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(both + 1));
  y[threadIdx.x] = both;
  z[threadIdx.x] = lo ^ hi;
}
__global__ void dot_products(const int* x, int* y) {
  int a, b;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(a) : "r"(x[threadIdx.x]), "r"(x[31 - threadIdx.x]), "r"(5));
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(b) : "r"(x[threadIdx.x]), "r"(x[31 - threadIdx.x]), "r"(5));
  y[threadIdx.x] = a;
  y[32 + threadIdx.x] = b;
}
__global__ void counts(const unsigned* x, int* y) {
  int a, b, c;
  asm("popc.b32 %0, %1;" : "=r"(a) : "r"(x[threadIdx.x]));
  asm("clz.b32 %0, %1;" : "=r"(b) : "r"(x[threadIdx.x]));
  asm("bfind.u32 %0, %1;" : "=r"(c) : "r"(x[threadIdx.x]));
  y[threadIdx.x] = a + 100 * b + 10000 * c;
}
__global__ void byte_floats(const float* x, unsigned* y) {
  unsigned short a, b;
  float v = x[threadIdx.x] * 100.0f, w = x[31 - threadIdx.x];
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(a) : "f"(v), "f"(w));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(b) : "f"(v), "f"(w));
  unsigned c, d;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(c) : "h"(a));
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(d) : "h"(b));
  y[threadIdx.x] = a | (unsigned)b << 16;
  y[32 + threadIdx.x] = c;
  y[64 + threadIdx.x] = d;
}
__global__ void packed_bytes(const int* x, unsigned* y) {
  unsigned v;
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(x[threadIdx.x]), "r"(x[31 - threadIdx.x]), "r"(7));
  y[threadIdx.x] = v;
}
__global__ void half_relu(const __half2* x, unsigned* y) {
  const unsigned* p = (const unsigned*)x;
  unsigned v;
  asm("fma.rn.relu.f16x2 %0, %1, %2, %1;" : "=r"(v) : "r"(p[threadIdx.x]), "r"(p[31 - threadIdx.x]));
  y[threadIdx.x] = v;
}
