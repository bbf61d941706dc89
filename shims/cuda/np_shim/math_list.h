// The float and double math functions that device code may call, one line each; read through NP_MATH_* macros.
// NAME stands for the double form `NAME` and the float form `NAMEf`. "std" lists also exist in namespace std.
// This list is the surface of the executor's math library (README.md).
#pragma once
#pragma clang system_header

#define NP_MATH_UNARY_STD(F)                                                                                         \
  F(acos)                                                                                                            \
  F(acosh)                                                                                                           \
  F(asin)                                                                                                            \
  F(asinh)                                                                                                           \
  F(atan)                                                                                                            \
  F(atanh)                                                                                                           \
  F(cbrt)                                                                                                            \
  F(ceil)                                                                                                            \
  F(cos)                                                                                                             \
  F(cosh) F(erf) F(erfc) F(exp) F(exp2) F(expm1) F(fabs) F(floor) F(lgamma) F(log) F(log10) F(log1p) F(log2) F(logb) \
      F(nearbyint) F(rint) F(round) F(sin) F(sinh) F(sqrt) F(tan) F(tanh) F(tgamma) F(trunc)

#define NP_MATH_UNARY_CUDA(F) \
  F(cospi)                    \
  F(cyl_bessel_i0)            \
  F(cyl_bessel_i1)            \
  F(erfcinv)                  \
  F(erfcx) F(erfinv) F(exp10) F(j0) F(j1) F(normcdf) F(normcdfinv) F(rcbrt) F(rsqrt) F(sinpi) F(tanpi) F(y0) F(y1)

#define NP_MATH_BINARY_STD(F) \
  F(atan2) F(copysign) F(fdim) F(fmax) F(fmin) F(fmod) F(hypot) F(nextafter) F(pow) F(remainder)

#define NP_MATH_BINARY_CUDA(F) F(rhypot)

// F(NAME, RESULT)
#define NP_MATH_TO_INTEGER_STD(F) \
  F(ilogb, int) F(llrint, long long) F(llround, long long) F(lrint, long) F(lround, long)

// F(RESULT, NAME, PARAMETERS, ARGUMENTS): reduced precision and directed rounding, float.
#define NP_MATH_FAST_UNARY(F) \
  F(__cosf)                   \
  F(__exp10f)                 \
  F(__expf)                   \
  F(__log10f)                 \
  F(__log2f)                  \
  F(__logf)                   \
  F(__sinf)                   \
  F(__tanf)                   \
  F(__saturatef) F(__frsqrt_rn) F(__frcp_rd) F(__frcp_ru) F(__frcp_rz) F(__fsqrt_rd) F(__fsqrt_ru) F(__fsqrt_rz)

#define NP_MATH_FAST_BINARY(F) \
  F(__fdividef)                \
  F(__powf)                    \
  F(__fadd_rd)                 \
  F(__fadd_ru)                 \
  F(__fadd_rz)                 \
  F(__fsub_rd) F(__fsub_ru) F(__fsub_rz) F(__fmul_rd) F(__fmul_ru) F(__fmul_rz) F(__fdiv_rd) F(__fdiv_ru) F(__fdiv_rz)

#define NP_MATH_FAST_TERNARY(F) F(__fmaf_rd) F(__fmaf_ru) F(__fmaf_rz)

#define NP_MATH_DOUBLE_UNARY(F) F(__drcp_rd) F(__drcp_ru) F(__drcp_rz) F(__dsqrt_rd) F(__dsqrt_ru) F(__dsqrt_rz)

#define NP_MATH_DOUBLE_BINARY(F) \
  F(__dadd_rd)                   \
  F(__dadd_ru)                   \
  F(__dadd_rz)                   \
  F(__dsub_rd) F(__dsub_ru) F(__dsub_rz) F(__dmul_rd) F(__dmul_ru) F(__dmul_rz) F(__ddiv_rd) F(__ddiv_ru) F(__ddiv_rz)

#define NP_MATH_DOUBLE_TERNARY(F) F(__fma_rd) F(__fma_ru) F(__fma_rz)
