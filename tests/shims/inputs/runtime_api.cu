// Host use of the runtime API: allocation, copies, streams, events, attributes, occupancy, launches of every form.
#include <cuda_runtime.h>

#include <vector>

__constant__ float table[4];
__global__ void kernel(float* x, int n) {}
template <int N, class T>
__global__ void __launch_bounds__(256, 2) typed(T* x) {}

#define CHECK(call)                                             \
  do {                                                          \
    cudaError_t error = call;                                   \
    if (error != cudaSuccess) return cudaGetErrorString(error); \
  } while (0)

const char* run(const std::vector<float>& host) {
  float* x = nullptr;
  size_t bytes = host.size() * sizeof(float);
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaMemcpy(x, host.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(table, host.data(), 16));
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreateWithFlags(&stop, cudaEventDisableTiming));
  CHECK(cudaEventRecord(start, stream));
  kernel<<<dim3(4, 2), 128>>>(x, 3);
  kernel<<<4, dim3(32, 4), 1024, stream>>>(x, 3);
  typed<3><<<1, 1>>>(x);
  int n = 3;
  void* arguments[] = {&x, &n};
  CHECK(cudaLaunchKernel((void*)kernel, dim3(1), dim3(1), arguments, 0, stream));
  CHECK(cudaFuncSetAttribute(typed<3, float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  int blocks, threads;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, 0, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGetLastError());
  CHECK(cudaFree(x));
  return properties.major >= 8 && properties.warpSize == 32 ? nullptr : "old";
}
