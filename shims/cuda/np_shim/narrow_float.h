// Arithmetic that __half and __nv_bfloat16 share by name. No include guard: cuda_fp16.h and cuda_bf16.h each include it
// after defining NP_T (the scalar), NP_T2 (the pair), NP_RAW (the compiler's type) and NP_FMA (its fused multiply-add).
// Every operation rounds once to the narrow type. Comparisons with a NaN are false; the "u" forms are true.
#pragma clang system_header

#define NP_BINARY(name, op) \
  NP_HD NP_T name(const NP_T a, const NP_T b) { return NP_T::np_make((NP_RAW)(a.np_value op b.np_value)); }
NP_BINARY(__hadd, +)
NP_BINARY(__hsub, -)
NP_BINARY(__hmul, *)
NP_BINARY(__hdiv, /)
NP_BINARY(__hadd_rn, +)
NP_BINARY(__hsub_rn, -)
NP_BINARY(__hmul_rn, *)
#undef NP_BINARY
NP_HD NP_T __hneg(const NP_T a) { return NP_T::np_make(-a.np_value); }
NP_HD NP_T __habs(const NP_T a) {
  return NP_T::np_make(
      __builtin_bit_cast(NP_RAW, (unsigned short)(__builtin_bit_cast(unsigned short, a.np_value) & 0x7fff)));
}
NP_HD NP_T np_saturate(const NP_T a) {
  return NP_T::np_make(a.np_value > (NP_RAW)0.0f ? (a.np_value < (NP_RAW)1.0f ? a.np_value : (NP_RAW)1.0f)
                                                 : (NP_RAW)0.0f);
}
NP_HD NP_T __hfma(const NP_T a, const NP_T b, const NP_T c) {
  return NP_T::np_make(NP_FMA(a.np_value, b.np_value, c.np_value));
}
NP_HD NP_T __hadd_sat(const NP_T a, const NP_T b) { return np_saturate(__hadd(a, b)); }
NP_HD NP_T __hsub_sat(const NP_T a, const NP_T b) { return np_saturate(__hsub(a, b)); }
NP_HD NP_T __hmul_sat(const NP_T a, const NP_T b) { return np_saturate(__hmul(a, b)); }
NP_HD NP_T __hfma_sat(const NP_T a, const NP_T b, const NP_T c) { return np_saturate(__hfma(a, b, c)); }

#define NP_COMPARE(name, op)                                                                                           \
  NP_HD bool __h##name(const NP_T a, const NP_T b) { return a.np_value op b.np_value; }                                \
  NP_HD bool __h##name##u(const NP_T a, const NP_T b) {                                                                \
    return a.np_value != a.np_value || b.np_value != b.np_value || a.np_value op b.np_value;                           \
  }                                                                                                                    \
  NP_HD NP_T2 __h##name##2(const NP_T2 a, const NP_T2 b) {                                                             \
    return NP_T2(NP_T::np_make((NP_RAW)(float)__h##name(a.x, b.x)),                                                    \
                 NP_T::np_make((NP_RAW)(float)__h##name(a.y, b.y)));                                                   \
  }                                                                                                                    \
  NP_HD NP_T2 __h##name##u2(const NP_T2 a, const NP_T2 b) {                                                            \
    return NP_T2(NP_T::np_make((NP_RAW)(float)__h##name##u(a.x, b.x)),                                                 \
                 NP_T::np_make((NP_RAW)(float)__h##name##u(a.y, b.y)));                                                \
  }                                                                                                                    \
  NP_HD bool __hb##name##2(const NP_T2 a, const NP_T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }        \
  NP_HD bool __hb##name##u2(const NP_T2 a, const NP_T2 b) { return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); } \
  NP_HD unsigned int __h##name##2_mask(const NP_T2 a, const NP_T2 b) {                                                 \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                            \
  }
NP_COMPARE(eq, ==)
NP_COMPARE(le, <=)
NP_COMPARE(ge, >=)
NP_COMPARE(lt, <)
NP_COMPARE(gt, >)
#undef NP_COMPARE
// "Not equal" is ordered in its plain form: false when an operand is a NaN.
NP_HD bool __hne(const NP_T a, const NP_T b) { return a.np_value < b.np_value || a.np_value > b.np_value; }
NP_HD bool __hneu(const NP_T a, const NP_T b) { return a.np_value != b.np_value; }
NP_HD NP_T2 __hne2(const NP_T2 a, const NP_T2 b) {
  return NP_T2(NP_T::np_make((NP_RAW)(float)__hne(a.x, b.x)), NP_T::np_make((NP_RAW)(float)__hne(a.y, b.y)));
}
NP_HD bool __hbne2(const NP_T2 a, const NP_T2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
NP_HD bool __hisnan(const NP_T a) { return a.np_value != a.np_value; }
NP_HD int __hisinf(const NP_T a) {
  float x = (float)a.np_value;
  return x == __builtin_huge_valf() ? 1 : (x == -__builtin_huge_valf() ? -1 : 0);
}
NP_HD NP_T2 __hisnan2(const NP_T2 a) {
  return NP_T2(NP_T::np_make((NP_RAW)(float)__hisnan(a.x)), NP_T::np_make((NP_RAW)(float)__hisnan(a.y)));
}

// A NaN operand loses, except in the _nan forms.
NP_HD NP_T __hmax(const NP_T a, const NP_T b) { return __hisnan(a) || b.np_value > a.np_value ? b : a; }
NP_HD NP_T __hmin(const NP_T a, const NP_T b) { return __hisnan(a) || b.np_value < a.np_value ? b : a; }
NP_HD NP_T __hmax_nan(const NP_T a, const NP_T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
NP_HD NP_T __hmin_nan(const NP_T a, const NP_T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }
NP_HD NP_T __hfma_relu(const NP_T a, const NP_T b, const NP_T c) {
  return __hmax_nan(__hfma(a, b, c), NP_T::np_make((NP_RAW)0.0f));
}

#define NP_PAIR2(name, scalar) \
  NP_HD NP_T2 name(const NP_T2 a, const NP_T2 b) { return NP_T2(scalar(a.x, b.x), scalar(a.y, b.y)); }
NP_PAIR2(__hadd2, __hadd)
NP_PAIR2(__hsub2, __hsub)
NP_PAIR2(__hmul2, __hmul)
NP_PAIR2(__h2div, __hdiv)
NP_PAIR2(__hadd2_rn, __hadd)
NP_PAIR2(__hsub2_rn, __hsub)
NP_PAIR2(__hmul2_rn, __hmul)
NP_PAIR2(__hadd2_sat, __hadd_sat)
NP_PAIR2(__hsub2_sat, __hsub_sat)
NP_PAIR2(__hmul2_sat, __hmul_sat)
NP_PAIR2(__hmax2, __hmax)
NP_PAIR2(__hmin2, __hmin)
NP_PAIR2(__hmax2_nan, __hmax_nan)
NP_PAIR2(__hmin2_nan, __hmin_nan)
#undef NP_PAIR2
NP_HD NP_T2 __hneg2(const NP_T2 a) { return NP_T2(__hneg(a.x), __hneg(a.y)); }
NP_HD NP_T2 __habs2(const NP_T2 a) { return NP_T2(__habs(a.x), __habs(a.y)); }
NP_HD NP_T2 __hfma2(const NP_T2 a, const NP_T2 b, const NP_T2 c) {
  return NP_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
NP_HD NP_T2 __hfma2_sat(const NP_T2 a, const NP_T2 b, const NP_T2 c) {
  return NP_T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
NP_HD NP_T2 __hfma2_relu(const NP_T2 a, const NP_T2 b, const NP_T2 c) {
  return NP_T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}

#ifdef __CUDA__
// Functions: the float function, rounded.
#define NP_FUNCTION(name, function)                                                               \
  NP_FN NP_T h##name(const NP_T a) { return NP_T::np_make((NP_RAW)function((float)a.np_value)); } \
  NP_FN NP_T2 h2##name(const NP_T2 a) { return NP_T2(h##name(a.x), h##name(a.y)); }
NP_FUNCTION(exp, expf)
NP_FUNCTION(exp2, exp2f)
NP_FUNCTION(exp10, exp10f)
NP_FUNCTION(log, logf)
NP_FUNCTION(log2, log2f)
NP_FUNCTION(log10, log10f)
NP_FUNCTION(sqrt, sqrtf)
NP_FUNCTION(rsqrt, rsqrtf)
NP_FUNCTION(rcp, __frcp_rn)
NP_FUNCTION(sin, sinf)
NP_FUNCTION(cos, cosf)
NP_FUNCTION(tanh, tanhf)
NP_FUNCTION(ceil, ceilf)
NP_FUNCTION(floor, floorf)
NP_FUNCTION(trunc, truncf)
NP_FUNCTION(rint, rintf)
#undef NP_FUNCTION
NP_FN NP_T htanh_approx(const NP_T a) { return htanh(a); }

// Atomic addition: compare and swap of the containing bits (no 16-bit floating atomicrmw on every host).
NP_FN NP_T atomicAdd(NP_T* address, NP_T value) {
  unsigned short* bits = (unsigned short*)address;
  unsigned short seen = atomicCAS(bits, (unsigned short)0, (unsigned short)0);  // an atomic read
  NP_T old;
  do {
    old = NP_T::np_make(__builtin_bit_cast(NP_RAW, seen));
  } while (!__atomic_compare_exchange_n(bits, &seen, __builtin_bit_cast(unsigned short, __hadd(old, value)), false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
NP_FN NP_T2 atomicAdd(NP_T2* address, NP_T2 value) {
  return NP_T2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}

#define NP_SHUFFLE(name, Lane)                                                                       \
  NP_FN NP_T name(unsigned int mask, NP_T value, Lane lane, int width = 32) {                        \
    int bits = __builtin_bit_cast(unsigned short, value);                                            \
    return NP_T::np_make(__builtin_bit_cast(NP_RAW, (unsigned short)name(mask, bits, lane, width))); \
  }                                                                                                  \
  NP_FN NP_T2 name(unsigned int mask, NP_T2 value, Lane lane, int width = 32) {                      \
    return __builtin_bit_cast(NP_T2, name(mask, __builtin_bit_cast(int, value), lane, width));       \
  }
NP_SHUFFLE(__shfl_sync, int)
NP_SHUFFLE(__shfl_up_sync, unsigned int)
NP_SHUFFLE(__shfl_down_sync, unsigned int)
NP_SHUFFLE(__shfl_xor_sync, int)
#undef NP_SHUFFLE
#endif
