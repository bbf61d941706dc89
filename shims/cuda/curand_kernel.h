// cuRAND device API. Philox4x32-10 has bodies (np_shim/philox.h); the other generators, and Philox in double or with
// other distributions, are external device functions, refused by name.
#pragma once
#pragma clang system_header
#include "curand.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandState_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define NP_GENERATOR(State)                                                                                    \
  __device__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, \
                              State* state);                                                                   \
  __device__ void skipahead(unsigned long long count, State* state);                                           \
  __device__ void skipahead_sequence(unsigned long long count, State* state);                                  \
  __device__ unsigned int curand(State* state);                                                                \
  __device__ float curand_uniform(State* state);                                                               \
  __device__ double curand_uniform_double(State* state);                                                       \
  __device__ float curand_normal(State* state);                                                                \
  __device__ double curand_normal_double(State* state);                                                        \
  __device__ float2 curand_normal2(State* state);                                                              \
  __device__ double2 curand_normal2_double(State* state);                                                      \
  __device__ float curand_log_normal(State* state, float mean, float stddev);                                  \
  __device__ unsigned int curand_poisson(State* state, double lambda);
NP_GENERATOR(curandStateXORWOW)
NP_GENERATOR(curandStateMRG32k3a)
#undef NP_GENERATOR
#include "np_shim/philox.h"
