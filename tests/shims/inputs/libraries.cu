// Host calls of the CUDA libraries, and thrust.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand.h>
#include <curand_kernel.h>
#include <cusparse.h>
#include <nccl.h>
#include <nvtx3/nvToolsExt.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cub/cub.cuh>

__global__ void noise(curandState* states, float* y) {
  curand_init(1234, threadIdx.x, 0, &states[threadIdx.x]);
  y[threadIdx.x] = curand_uniform(&states[threadIdx.x]) + curand_normal(&states[threadIdx.x]);
}
struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
float run(float* p, int n, cudaStream_t stream) {
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSetStream(blas, stream);
  float one = 1, zero = 0;
  cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, p, n, p, n, &zero, p, n);
  cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, p, CUDA_R_16F, n, p, CUDA_R_16F, n, &zero, p, CUDA_R_32F,
               n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, p, p, n);
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, p, p, p, p, n, 0, 32, stream);
  thrust::device_vector<float> v(n, 1.0f);
  thrust::sort(v.begin(), v.end(), thrust::greater<float>());
  thrust::transform(thrust::cuda::par.on(stream), v.begin(), v.end(), v.begin(), Square());
  thrust::host_vector<float> h = v;
  float* raw = thrust::raw_pointer_cast(v.data());
  thrust::device_ptr<float> d = thrust::device_pointer_cast(raw);
  nvtxRangePushA("reduce");
  float total = thrust::reduce(d, d + n, 0.0f, thrust::plus<float>());
  nvtxRangePop();
  ncclComm_t comm = nullptr;
  ncclAllReduce(p, p, (size_t)n, ncclFloat, ncclSum, comm, stream);
  return total + h[0] + thrust::complex<float>(1, 2).real();
}
