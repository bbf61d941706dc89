// Layout and window kernels (C2, C4): a permutation, a halo tile, pooling.
#include <cuda_runtime.h>

__global__ void nchw_to_nhwc(const float* src, float* dst, int batch, int channels, int pixels) {
  int total = batch * channels * pixels;
  for (int o = blockIdx.x * blockDim.x + threadIdx.x; o < total; o += gridDim.x * blockDim.x) {
    int c = o % channels;
    int p = (o / channels) % pixels;
    int b = o / (channels * pixels);
    dst[o] = src[(b * channels + c) * pixels + p];
  }
}

#define RADIUS 2
__global__ void blur5_halo(const float* in, float* out, int n) {
  __shared__ float tile[64 + 2 * RADIUS];
  int g = blockIdx.x * 64 + threadIdx.x;
  int l = threadIdx.x + RADIUS;
  tile[l] = g < n ? in[g] : 0.0f;
  if (threadIdx.x < RADIUS) {
    tile[l - RADIUS] = g >= RADIUS && g - RADIUS < n ? in[g - RADIUS] : 0.0f;
    tile[l + 64] = g + 64 < n ? in[g + 64] : 0.0f;
  }
  __syncthreads();
  if (g < n) {
    float sum = 0.0f;
    for (int d = -RADIUS; d <= RADIUS; ++d) sum += tile[l + d];
    out[g] = sum * 0.2f;
  }
}

__global__ void avgpool2(const float* in, float* out, int height, int width) {
  int ow = width / 2, oh = height / 2;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= ow || y >= oh) return;
  float acc = 0.0f;
  for (int dy = 0; dy < 2; dy++)
    for (int dx = 0; dx < 2; dx++) acc += in[(2 * y + dy) * width + 2 * x + dx];
  out[y * ow + x] = acc * 0.25f;
}
