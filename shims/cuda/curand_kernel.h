// cuRAND device API. The generators are external device functions of the executor or refused by name: their streams
// are defined by the library, not by the source.
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
NP_GENERATOR(curandStatePhilox4_32_10)
NP_GENERATOR(curandStateMRG32k3a)
#undef NP_GENERATOR
__device__ uint4 curand4(curandStatePhilox4_32_10* state);
__device__ float4 curand_uniform4(curandStatePhilox4_32_10* state);
__device__ double2 curand_uniform2_double(curandStatePhilox4_32_10* state);
__device__ float4 curand_normal4(curandStatePhilox4_32_10* state);
