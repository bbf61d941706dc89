// Operators and implicit conversions of half, as sources without PyTorch's builder macros see them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T, class T2>
__global__ void operators(T* y, const T* x, T2* y2) {
  T v = x[0] + x[1] * x[2] - x[3] / x[4];
  v += x[5];
  v *= -v;
  float f = v;
  T w = 3.0f;
  T one = 1;
  if (v > w || v == one || !(v < x[6])) v = f;
  y[0] = v;
  y[1] = 0.5f;
  y2[0] = y2[1] * y2[2] + y2[3];
  y2[0] += y2[1];
}
void launch(half* h, half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
  operators<<<1, 1>>>(h, h, h2);
  operators<<<1, 1>>>(b, b, b2);
}
