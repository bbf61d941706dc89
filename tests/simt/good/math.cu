// Arithmetic: floats, halves, integers, conversions, bit intrinsics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void float_functions(const float* x, float* y) {
  int i = threadIdx.x;
  float v = x[i];
  y[i] = sqrtf(v) + rsqrtf(v + 1.0f) + cbrtf(v);
  y[32 + i] = expf(v) - expm1f(v) + logf(v) + log1pf(v) + log2f(v);
  y[64 + i] = sinf(v) * cosf(v) + tanhf(v) + atan2f(v, 2.0f);
  y[96 + i] = powf(v, 1.5f) + hypotf(v, 3.0f) + fmodf(v, 0.7f);
  y[128 + i] = erff(v) + erfcf(v) + floorf(v) + ceilf(v) + truncf(v) + rintf(v);
  y[160 + i] = fmaxf(v, 1.0f) + fminf(v, 1.0f) + fabsf(-v) + copysignf(v, -1.0f) + fdimf(v, 1.0f);
}
__global__ void fast_functions(const float* x, float* y) {
  int i = threadIdx.x;
  float v = x[i];
  y[i] = __expf(v) + __logf(v) + __sinf(v) + __cosf(v) + __powf(v, 1.5f) + __fdividef(v, 3.0f) + __saturatef(v) + __frcp_rn(v);
}
__global__ void double_functions(const double* x, double* y) {
  int i = threadIdx.x;
  double v = x[i];
  y[i] = sqrt(v) + exp(v) + log(v) + sin(v) * cos(v) + tanh(v) + pow(v, 2.5) + fma(v, v, -1.0) + rsqrt(v);
}
__global__ void directed(const float* x, float* y) {
  int i = threadIdx.x;
  float v = x[i];
  y[4 * i] = __fadd_rd(v, 1e-9f);
  y[4 * i + 1] = __fadd_ru(v, 1e-9f);
  y[4 * i + 2] = __fmul_rz(v, 1.1f);
  y[4 * i + 3] = __fmaf_rn(v, v, -1.0f);
}
__global__ void to_integers(const float* x, int* y) {
  int i = threadIdx.x;
  float v = x[i] * 10.0f;
  y[i] = __float2int_rn(v);
  y[32 + i] = __float2int_rz(v);
  y[64 + i] = __float2int_rd(v);
  y[96 + i] = __float2int_ru(v);
  y[128 + i] = (int)v;
  y[160 + i] = __float2uint_rz(v);
  y[192 + i] = __float2int_rz(v * 1e9f);
}
__global__ void from_integers(const int* x, float* y, double* z) {
  int i = threadIdx.x;
  y[i] = (float)x[i] + __int2float_rn(x[i]) + __uint2float_rn((unsigned)i);
  y[32 + i] = __int2float_rz(16777217 + 2 * i);
  z[i] = __int2double_rn(x[i]) + __ll2double_rn((long long)x[i] << 32);
}
__global__ void bit_casts(const float* x, int* y, const double* a, long long* b) {
  y[threadIdx.x] = __float_as_int(x[threadIdx.x]) ^ __float_as_uint(1.0f);
  b[threadIdx.x] = __double_as_longlong(a[threadIdx.x]) + (__hiloint2double(1, 2) > 1.0);
}
__global__ void bits(const unsigned* x, int* y) {
  int i = threadIdx.x;
  unsigned v = x[i];
  y[i] = __popc(v) + 100 * __clz(v) + 10000 * __ffs(v);
  y[32 + i] = __brev(v);
  y[64 + i] = __byte_perm(v, ~v, 0x3175);
  y[96 + i] = __funnelshift_l(v, ~v, 7);
  y[128 + i] = __popcll((unsigned long long)v << 20 | v) + __clzll((unsigned long long)v << 9) + __ffsll((unsigned long long)v << 9);
}
__global__ void integer_products(const int* x, int* y, long long* z) {
  int i = threadIdx.x, a = x[i], b = x[31 - i];
  y[i] = __mulhi(a, b);
  y[32 + i] = __umulhi(a, b);
  y[64 + i] = __mul24(a & 0xffff, b & 0xff);
  y[96 + i] = __sad(a, b, 7u) + __hadd(a, b);
  z[i] = __mul64hi((long long)a << 20, (long long)b << 25);
  z[32 + i] = (long long)a * b;
}
__global__ void divisions(const int* x, int* y) {
  int i = threadIdx.x, a = x[i], b = i % 7 - 9;
  y[i] = a / b;
  y[32 + i] = a % b;
  y[64 + i] = (unsigned)a / 7u;
  y[96 + i] = a >> 3;
  y[128 + i] = (unsigned)a >> 3;
  y[160 + i] = a << 5;
}
__global__ void wide_integers(const long long* x, long long* y) {
  int i = threadIdx.x;
  long long a = x[i];
  y[i] = a * a - (a >> 5) + (a % 1000003);
  y[32 + i] = (long long)((unsigned long long)a / 3u);
  y[64 + i] = max(a, 0ll) + min(a, 5ll) + llabs(a);
}
__global__ void small_types(const signed char* x, short* y, unsigned char* z) {
  int i = threadIdx.x;
  y[i] = x[i] * 300;
  z[i] = x[i];
}
__global__ void special_values(float* y, int* z) {
  float zero = threadIdx.x * 0.0f, inf = 1.0f / zero, nan = inf - inf;
  y[threadIdx.x] = threadIdx.x < 16 ? inf : -inf;
  z[threadIdx.x] = isnan(nan) + 2 * isinf(inf) + 4 * (nan == nan) + 8 * (nan != nan) + 16 * !(nan < 1.0f) + 32 * signbit(-0.0f);
}
__global__ void out_through_pointers(const float* x, float* y, int* z) {
  int i = threadIdx.x;
  float s, c, whole;
  sincosf(x[i], &s, &c);
  float part = modff(x[i], &whole);
  int exponent;
  float mantissa = frexpf(x[i], &exponent);
  y[i] = s * s + c * c;
  y[32 + i] = part + whole;
  y[64 + i] = ldexpf(mantissa, exponent);
  z[i] = exponent;
}
__global__ void halves(const __half* a, const __half* b, __half* y) {
  int i = threadIdx.x;
  y[i] = __hadd(a[i], b[i]);
  y[32 + i] = __hmul(a[i], b[i]);
  y[64 + i] = __hfma(a[i], b[i], a[0]);
  y[96 + i] = __hdiv(a[i], __float2half(3.0f));
  y[128 + i] = hexp(a[i]);
  y[160 + i] = __hgt(a[i], b[i]) ? __hneg(a[i]) : __habs(b[i]);
  y[192 + i] = a[i] + b[i] * __float2half(2.0f);
}
__global__ void half_pairs(const __half2* a, const __half2* b, __half2* y) {
  int i = threadIdx.x;
  y[i] = __hfma2(a[i], b[i], __float2half2_rn(1.0f));
  y[32 + i] = __hadd2(__hmax2(a[i], b[i]), __lowhigh2highlow(a[i]));
  float2 f = __half22float2(a[i]);
  y[64 + i] = __floats2half2_rn(f.x * 2.0f, f.y + 1.0f);
}
__global__ void bfloats(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* y, float* z) {
  int i = threadIdx.x;
  y[i] = __hadd(a[i], b[i]);
  y[32 + i] = __hmul(a[i], b[i]);
  y[64 + i] = __float2bfloat16(__bfloat162float(a[i]) * 1.01f);
  z[i] = __bfloat162float(a[i]) + __bfloat162float(b[i]);
}
__global__ void fp8(const float* x, unsigned char* y, float* z) {
  int i = threadIdx.x;
  __nv_fp8_e4m3 a(x[i] * 60.0f);
  __nv_fp8_e5m2 b(x[i] * 60.0f);
  y[i] = a.__x;
  y[32 + i] = b.__x;
  z[i] = (float)a;
  z[32 + i] = (float)b;
  z[64 + i] = __half2float(__half(__nv_cvt_fp8_to_halfraw(a.__x, __NV_E4M3)));
  y[64 + i] = __nv_cvt_float_to_fp8(x[i] * 1e-3f, __NV_SATFINITE, __NV_E4M3);
  y[96 + i] = __nv_cvt_float_to_fp8(x[i] * 1e6f, __NV_SATFINITE, __NV_E5M2);
}
__global__ void simd_words(const unsigned* a, const unsigned* b, unsigned* y) {
  int i = threadIdx.x;
  y[i] = __vadd4(a[i], b[i]);
  y[32 + i] = __vabsdiffu4(a[i], b[i]);
  y[64 + i] = __vmaxs2(a[i], b[i]);
  y[96 + i] = __dp4a(a[i], b[i], 3u);
}
__global__ void no_contraction(const float* x, float* y) {
  float a = x[threadIdx.x];
  y[threadIdx.x] = __fadd_rn(__fmul_rn(a, a), -1.0f);
}
