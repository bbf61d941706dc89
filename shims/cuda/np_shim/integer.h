// Integer and bit intrinsics, as plain IR or an LLVM bit intrinsic (ctpop, ctlz, cttz, bitreverse).
#pragma once
#pragma clang system_header
#include "../host_defines.h"

NP_FN int __popc(unsigned int x) { return __builtin_popcount(x); }
NP_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
NP_FN int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
NP_FN int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
NP_FN int __ffs(int x) { return x ? __builtin_ctz((unsigned int)x) + 1 : 0; }
NP_FN int __ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0; }
NP_FN unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
NP_FN unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
NP_FN unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  int step = offset < 0 ? -1 : 1;
  int left = offset < 0 ? -offset : offset;
  if (left == 0) return (mask >> base) & 1 ? base : 0xffffffffu;
  for (int bit = (int)base; bit >= 0 && bit < 32; bit += step) {
    if (((mask >> bit) & 1) && --left == 0) return (unsigned int)bit;
  }
  return 0xffffffffu;
}

NP_FN int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
NP_FN unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a * b) >> 32);
}
// In 32-bit halves: 128-bit integers are more than the executor has.
NP_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
  unsigned long long low = al * bl, one = ah * bl + (low >> 32), two = al * bh + (one & 0xffffffffu);
  return ah * bh + (one >> 32) + (two >> 32);
}
NP_FN long long __mul64hi(long long a, long long b) {
  return (long long)(__umul64hi((unsigned long long)a, (unsigned long long)b) - (a < 0 ? (unsigned long long)b : 0) -
                     (b < 0 ? (unsigned long long)a : 0));
}
// The 24-bit product keeps only the low 24 bits of its operands, sign-extended in the signed form.
NP_FN int __mul24(int a, int b) {
  return (int)((unsigned int)((int)((unsigned int)a << 8) >> 8) * (unsigned int)((int)((unsigned int)b << 8) >> 8));
}
NP_FN unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
NP_FN int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
NP_FN int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
NP_FN unsigned int __uhadd(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a + b) >> 1); }
NP_FN unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
NP_FN unsigned int __sad(int a, int b, unsigned int sum) {
  return sum + (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a);
}
NP_FN unsigned int __usad(unsigned int a, unsigned int b, unsigned int sum) { return sum + (a > b ? a - b : b - a); }

// Each nibble of the selector names one of the eight bytes of b:a; its top bit replicates that byte's sign.
NP_FN unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
  unsigned long long bytes = ((unsigned long long)b << 32) | a;
  unsigned int result = 0;
  for (int i = 0; i < 4; i++) {
    unsigned int pick = selector >> (4 * i);
    unsigned int byte = (unsigned int)(bytes >> (8 * (pick & 7))) & 255u;
    if (pick & 8) byte = byte & 128u ? 255u : 0u;
    result |= byte << (8 * i);
  }
  return result;
}
NP_FN unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned int)((((((unsigned long long)high << 32) | low) << (shift & 31)) >> 32));
}
NP_FN unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned int)((((unsigned long long)high << 32) | low) >> (shift & 31));
}
NP_FN unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
NP_FN unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Dot products of packed bytes (dp4a) and of packed 16-bit with bytes (dp2a), accumulated into c.
template <class Word, class Byte>
NP_FN Word np_dot4(Word a, Word b, Word c) {
  for (int i = 0; i < 4; i++) c += (Word)(Byte)(a >> (8 * i)) * (Word)(Byte)(b >> (8 * i));
  return c;
}
NP_FN int __dp4a(int a, int b, int c) { return np_dot4<int, signed char>(a, b, c); }
NP_FN unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  return np_dot4<unsigned int, unsigned char>(a, b, c);
}
NP_FN int __dp2a_lo(int a, int b, int c) {
  return c + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8);
}
NP_FN int __dp2a_hi(int a, int b, int c) {
  return c + (short)a * (signed char)(b >> 16) + (short)(a >> 16) * (signed char)(b >> 24);
}

// min and max of integers; the float forms are fminf and fmaxf.
#define NP_MIN_MAX(Type)                                             \
  NP_HD constexpr Type min(Type a, Type b) { return b < a ? b : a; } \
  NP_HD constexpr Type max(Type a, Type b) { return a < b ? b : a; }
NP_MIN_MAX(int)
NP_MIN_MAX(unsigned int)
NP_MIN_MAX(long)
NP_MIN_MAX(unsigned long)
NP_MIN_MAX(long long)
NP_MIN_MAX(unsigned long long)
#undef NP_MIN_MAX
// Mixed operands convert as in the usual arithmetic conversions.
#define NP_MIN_MAX(A, B, Common)                                             \
  NP_HD constexpr Common min(A a, B b) { return min((Common)a, (Common)b); } \
  NP_HD constexpr Common max(A a, B b) { return max((Common)a, (Common)b); } \
  NP_HD constexpr Common min(B a, A b) { return min((Common)a, (Common)b); } \
  NP_HD constexpr Common max(B a, A b) { return max((Common)a, (Common)b); }
NP_MIN_MAX(int, unsigned int, unsigned int)
NP_MIN_MAX(int, long, long)
NP_MIN_MAX(int, unsigned long, unsigned long)
NP_MIN_MAX(int, long long, long long)
NP_MIN_MAX(int, unsigned long long, unsigned long long)
NP_MIN_MAX(unsigned int, long, long)
NP_MIN_MAX(unsigned int, unsigned long, unsigned long)
NP_MIN_MAX(unsigned int, long long, long long)
NP_MIN_MAX(unsigned int, unsigned long long, unsigned long long)
NP_MIN_MAX(long, unsigned long, unsigned long)
NP_MIN_MAX(long, long long, long long)
NP_MIN_MAX(long, unsigned long long, unsigned long long)
NP_MIN_MAX(unsigned long, long long, unsigned long)
NP_MIN_MAX(unsigned long, unsigned long long, unsigned long long)
NP_MIN_MAX(long long, unsigned long long, unsigned long long)
#undef NP_MIN_MAX
NP_FN unsigned int umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
NP_FN unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
NP_FN long long llmin(long long a, long long b) { return b < a ? b : a; }
NP_FN long long llmax(long long a, long long b) { return a < b ? b : a; }
NP_FN unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
NP_FN unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
