// Device helpers of torch's headers.
#include <cuda_fp16.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>

// Four counters in one word, and a strided view of x walked by linear index.
__global__ void torch_helpers(int n, const int* x, unsigned char* counts, half* total, int* view) {
  int i = threadIdx.x;
  gpuAtomicAdd(&counts[i % 4], (unsigned char)1);
  gpuAtomicAdd(reinterpret_cast<c10::Half*>(total), c10::Half(0.5f));
  at::cuda::detail::TensorInfo<const int, int> info;
  info.data = x;
  info.dims = 2;
  info.sizes[0] = 8;
  info.sizes[1] = n / 8;
  info.strides[0] = 1;
  info.strides[1] = 8;
  if (i < n) view[i] = x[at::cuda::detail::IndexToOffset<const int, int, 2>::get(i, info)];
}
