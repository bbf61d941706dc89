// make_float4 and its kin.
#pragma once
#pragma clang system_header
#include "vector_types.h"

#define NP_MAKE(Name, Element)                                                                          \
  NP_HD constexpr Name##1 make_##Name##1(Element x) { return Name##1 {x}; }                             \
  NP_HD constexpr Name##2 make_##Name##2(Element x, Element y) { return Name##2 {x, y}; }               \
  NP_HD constexpr Name##3 make_##Name##3(Element x, Element y, Element z) { return Name##3 {x, y, z}; } \
  NP_HD constexpr Name##4 make_##Name##4(Element x, Element y, Element z, Element w) { return Name##4 {x, y, z, w}; }
NP_MAKE(char, signed char)
NP_MAKE(uchar, unsigned char)
NP_MAKE(short, short)
NP_MAKE(ushort, unsigned short)
NP_MAKE(int, int)
NP_MAKE(uint, unsigned int)
NP_MAKE(long, long)
NP_MAKE(ulong, unsigned long)
NP_MAKE(longlong, long long)
NP_MAKE(ulonglong, unsigned long long)
NP_MAKE(float, float)
NP_MAKE(double, double)
#undef NP_MAKE
