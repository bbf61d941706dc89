// Math functions keep their CUDA names in the IR; std forms, overloads and integer arguments reach the same names.
// calls: llvm.nvvm.read.ptx.sreg.tid.x expf exp sqrt sqrtf tanhf fmaxf fminf fabsf fabs powf __expf __fdividef
// calls: __fadd_rz __float2int_rn sincosf rsqrtf erff fmaf floorf frexpf __double2ll_rz __ll2float_rd llvm.ctpop.i32
#include <algorithm>
#include <cmath>
#include <limits>

#include <math.h>

__global__ void floats(float* y, const float* x, const double* d) {
  int i = threadIdx.x;
  float v = x[i];
  y[0] = expf(v) + exp(v) + std::exp(v) + std::expf(v);
  y[1] = (float)(exp(d[i]) + std::exp(d[i]) + std::sqrt(i) + sqrt(d[i]));
  y[2] = std::sqrt(v) + std::tanh(v) + tanhf(v) + std::max(v, 0.0f) + max(v, 1.0f) + min(v, 2.0f) + fmaxf(v, 3.0f);
  y[3] = fabs(v) + std::abs(v) + abs(v) + (float)std::abs(d[i]) + std::pow(v, 2.0f) + pow(v, 3);
  y[4] = __expf(v) + __fdividef(v, 3.0f) + __fadd_rz(v, v) + __fadd_rn(v, v) + __frcp_rn(v);
  y[5] = (float)__float2int_rn(v) + (float)__double2ll_rz(d[i]) + __ll2float_rd(i) + __int2float_rn(i);
  float s, c;
  int e;
  sincosf(v, &s, &c);
  y[6] = s + c + rsqrtf(v) + rsqrt(v) + erff(v) + __fmaf_rn(v, v, v) + std::floor(v) + frexpf(v, &e) + (float)e;
  y[7] = (isnan(v) || std::isinf(v) || !isfinite(v)) ? std::numeric_limits<float>::infinity() : -INFINITY;
  y[8] = (float)__popc(i) + (float)__float_as_int(v) + (float)M_PI + (float)abs(i) + (float)std::min(i, 3);
}
