// The vector types of CUDA C++: plain structs with the sizes and alignments of the device ABI.
// Two- and four-element vectors are aligned to their size, at most 16 bytes; three-element ones to their element.
#pragma once
#pragma clang system_header
#include "host_defines.h"

#define NP_VECTORS(Name, Element, align2, align4)     \
  struct Name##1 { Element x; };                      \
  struct __align__(align2) Name##2 { Element x, y; }; \
  struct Name##3 { Element x, y, z; };                \
  struct __align__(align4) Name##4 { Element x, y, z, w; };
NP_VECTORS(char, signed char, 2, 4)
NP_VECTORS(uchar, unsigned char, 2, 4)
NP_VECTORS(short, short, 4, 8)
NP_VECTORS(ushort, unsigned short, 4, 8)
NP_VECTORS(int, int, 8, 16)
NP_VECTORS(uint, unsigned int, 8, 16)
NP_VECTORS(long, long, 16, 16)
NP_VECTORS(ulong, unsigned long, 16, 16)
NP_VECTORS(longlong, long long, 16, 16)
NP_VECTORS(ulonglong, unsigned long long, 16, 16)
NP_VECTORS(float, float, 8, 16)
NP_VECTORS(double, double, 16, 16)
#undef NP_VECTORS

// A dimension left out is 1.
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
