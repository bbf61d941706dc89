// cuRAND's Philox.
#include <curand_kernel.h>

__global__ void philox_words(unsigned* y) {
  curandStatePhilox4_32_10_t state;
  curand_init(0x123456789abcdefull, threadIdx.x, 3, &state);
  for (int k = 0; k < 6; k++) y[8 * threadIdx.x + k] = curand(&state);
  uint4 v = curand4(&state);
  y[8 * threadIdx.x + 6] = v.x;
  y[8 * threadIdx.x + 7] = v.w;
}
__global__ void philox_floats(float* y, float* z) {
  curandStatePhilox4_32_10_t state;
  curand_init(42, threadIdx.x, 0, &state);
  float4 v = curand_uniform4(&state);
  float one = curand_uniform(&state);
  y[4 * threadIdx.x] = v.x, y[4 * threadIdx.x + 1] = v.y, y[4 * threadIdx.x + 2] = v.w, y[4 * threadIdx.x + 3] = one;
  curand_init(7, threadIdx.x, 0, &state);
  z[2 * threadIdx.x] = curand_normal(&state);
  z[2 * threadIdx.x + 1] = curand_normal(&state);
}
