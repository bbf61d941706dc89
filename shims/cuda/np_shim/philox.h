// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): ten rounds of a keyed mixing of a
// 128-bit counter. The seed is the key, the subsequence the counter's upper half; `STATE` says how many of the four
// words of the current block are used up.
#pragma once
#pragma clang system_header
#include "../curand_kernel.h"

#ifdef __CUDA__
NP_FN uint4 np_philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; round++) {
    unsigned long long p = 0xD2511F53ull * c.x, q = 0xCD9E8D57ull * c.z;
    c = make_uint4((unsigned int)(q >> 32) ^ c.y ^ key.x, (unsigned int)q, (unsigned int)(p >> 32) ^ c.w ^ key.y,
                   (unsigned int)p);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return c;
}
NP_FN void np_advance(curandStatePhilox4_32_10* state, unsigned long long blocks) {
  unsigned long long low = ((unsigned long long)state->ctr.y << 32 | state->ctr.x) + blocks;
  if (low < blocks && ++state->ctr.z == 0) state->ctr.w++;
  state->ctr.x = (unsigned int)low;
  state->ctr.y = (unsigned int)(low >> 32);
}
NP_FN void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
  unsigned int used = state->STATE + (unsigned int)(count & 3);
  np_advance(state, count / 4 + used / 4);
  state->STATE = used & 3;
  state->output = np_philox(state->ctr, state->key);
}
NP_FN void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* state) {
  unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + count;
  state->ctr.z = (unsigned int)high;
  state->ctr.w = (unsigned int)(high >> 32);
  state->output = np_philox(state->ctr, state->key);
}
NP_FN void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                       curandStatePhilox4_32_10* state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}
NP_FN unsigned int np_word(uint4 v, unsigned int k) { return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w; }
NP_FN unsigned int curand(curandStatePhilox4_32_10* state) {
  unsigned int word = np_word(state->output, state->STATE);
  if (++state->STATE == 4) {
    np_advance(state, 1);
    state->output = np_philox(state->ctr, state->key);
    state->STATE = 0;
  }
  return word;
}
NP_FN uint4 curand4(curandStatePhilox4_32_10* state) {
  uint4 before = state->output;
  np_advance(state, 1);
  state->output = np_philox(state->ctr, state->key);
  unsigned int words[4];
  for (unsigned int k = 0; k < 4; k++) {
    unsigned int at = state->STATE + k;
    words[k] = at < 4 ? np_word(before, at) : np_word(state->output, at - 4);
  }
  return make_uint4(words[0], words[1], words[2], words[3]);
}

// Uniform in (0, 1]; normal by Box and Muller, sine first.
NP_FN float np_uniform(unsigned int x) { return x * 2.3283064365386963e-10f + 2.3283064365386963e-10f / 2.0f; }
NP_FN float2 np_box_muller(unsigned int x, unsigned int y) {
  float angle = y * (2.3283064365386963e-10f * 6.2831855f) + (2.3283064365386963e-10f * 6.2831855f) / 2.0f;
  float radius = sqrtf(-2.0f * logf(np_uniform(x)));
  return make_float2(sinf(angle) * radius, cosf(angle) * radius);
}
NP_FN float curand_uniform(curandStatePhilox4_32_10* state) { return np_uniform(curand(state)); }
NP_FN float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  uint4 v = curand4(state);
  return make_float4(np_uniform(v.x), np_uniform(v.y), np_uniform(v.z), np_uniform(v.w));
}
NP_FN float2 curand_normal2(curandStatePhilox4_32_10* state) {
  unsigned int x = curand(state), y = curand(state);
  return np_box_muller(x, y);
}
NP_FN float curand_normal(curandStatePhilox4_32_10* state) {
  if (state->boxmuller_flag != 0) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  float2 pair = curand_normal2(state);
  state->boxmuller_flag = 1;
  state->boxmuller_extra = pair.y;
  return pair.x;
}
NP_FN float4 curand_normal4(curandStatePhilox4_32_10* state) {
  uint4 v = curand4(state);
  float2 first = np_box_muller(v.x, v.y), second = np_box_muller(v.z, v.w);
  return make_float4(first.x, first.y, second.x, second.y);
}
NP_FN float curand_log_normal(curandStatePhilox4_32_10* state, float mean, float stddev) {
  return expf(mean + stddev * curand_normal(state));
}
#endif
__device__ double curand_uniform_double(curandStatePhilox4_32_10* state);
__device__ double2 curand_uniform2_double(curandStatePhilox4_32_10* state);
__device__ double curand_normal_double(curandStatePhilox4_32_10* state);
__device__ double2 curand_normal2_double(curandStatePhilox4_32_10* state);
__device__ unsigned int curand_poisson(curandStatePhilox4_32_10* state, double lambda);
