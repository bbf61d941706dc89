// CUDA context of torch: streams, events, guards, properties, library handles, launch checks, Philox state.
#pragma once
#pragma clang system_header
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "functions.h"

struct cublasLtContext;
typedef struct cublasLtContext* cublasLtHandle_t;
typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusolverDnContext* cusolverDnHandle_t;

namespace c10::cuda {
class CUDAStream {
 public:
  explicit CUDAStream(Stream stream);
  operator cudaStream_t() const;
  operator Stream() const;
  cudaStream_t stream() const;
  Stream unwrap() const;
  StreamId id() const;
  DeviceIndex device_index() const;
  Device device() const;
  int priority() const;
  bool query() const;
  void synchronize() const;
  bool operator==(const CUDAStream& other) const noexcept;
  bool operator!=(const CUDAStream& other) const noexcept;
};
CUDAStream getStreamFromPool(bool high_priority = false, DeviceIndex device = -1);
CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex device);
CUDAStream getDefaultCUDAStream(DeviceIndex device = -1);
CUDAStream getCurrentCUDAStream(DeviceIndex device = -1);
void setCurrentCUDAStream(CUDAStream stream);
DeviceIndex device_count() noexcept;
DeviceIndex current_device();
void set_device(DeviceIndex device);
void device_synchronize();
void stream_synchronize(cudaStream_t stream);
cudaError_t GetDevice(DeviceIndex* device);
struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex device);
  explicit CUDAGuard(Device device);
  ~CUDAGuard();
  void set_device(Device device);
  void set_index(DeviceIndex device);
  Device current_device() const;
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard();
  explicit OptionalCUDAGuard(std::optional<Device> device);
  explicit OptionalCUDAGuard(std::optional<DeviceIndex> device);
  ~OptionalCUDAGuard();
  void set_device(Device device);
  void set_index(DeviceIndex device);
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(Stream stream);
  ~CUDAStreamGuard();
  void reset_stream(Stream stream);
  CUDAStream original_stream() const;
  CUDAStream current_stream() const;
};
struct OptionalCUDAStreamGuard {
  OptionalCUDAStreamGuard();
  explicit OptionalCUDAStreamGuard(std::optional<Stream> stream);
};
struct CUDAMultiStreamGuard {
  explicit CUDAMultiStreamGuard(ArrayRef<CUDAStream> streams);
};
namespace CUDACachingAllocator {
void emptyCache(unsigned long long pool = 0);
void* raw_alloc(size_t size);
void* raw_alloc_with_stream(size_t size, cudaStream_t stream);
void raw_delete(void* address);
class CUDAAllocator {
 public:
  void* raw_allocate(size_t size);
};
CUDAAllocator* get();
template <class Pointer>
void recordStream(const Pointer& pointer, CUDAStream stream);
}  // namespace CUDACachingAllocator
}  // namespace c10::cuda

namespace at::cuda {
using namespace c10::cuda;
bool is_available();
cudaDeviceProp* getCurrentDeviceProperties();
cudaDeviceProp* getDeviceProperties(int64_t device);
int warp_size();
bool canDeviceAccessPeer(int64_t device, int64_t peer);
cublasHandle_t getCurrentCUDABlasHandle();
cublasLtHandle_t getCurrentCUDABlasLtHandle();
cusparseHandle_t getCurrentCUDASparseHandle();
cusolverDnHandle_t getCurrentCUDASolverDnHandle();
DeviceIndex getDeviceFromPtr(void* pointer);
inline __host__ __device__ int ATenCeilDiv(int a, int b) { return (a + b - 1) / b; }
template <class T>
__host__ __device__ T ATenCeilDiv(T a, T b) {
  return (a + b - 1) / b;
}
struct CUDAEvent {
  CUDAEvent(unsigned int flags = cudaEventDisableTiming);
  operator cudaEvent_t() const;
  cudaEvent_t event() const;
  bool isCreated() const;
  bool query() const;
  void record();
  void record(const CUDAStream& stream);
  void recordOnce(const CUDAStream& stream);
  void block(const CUDAStream& stream);
  void synchronize() const;
  float elapsed_time(const CUDAEvent& other) const;
};
namespace blas {
template <class T>
void gemm(char transa, char transb, int64_t m, int64_t n, int64_t k, at::opmath_type<T> alpha, const T* a, int64_t lda,
          const T* b, int64_t ldb, at::opmath_type<T> beta, T* c, int64_t ldc);
}
}  // namespace at::cuda

namespace at {
// The random state that a kernel gets: a seed and an offset, or pointers to them inside a graph.
struct PhiloxCudaState {
  PhiloxCudaState() = default;
  PhiloxCudaState(uint64_t seed, uint64_t offset) : seed_(seed), offset_(offset) {}
  uint64_t seed_ = 0;
  uint64_t offset_ = 0;
};
struct CUDAGeneratorImpl {
  std::mutex mutex_;
  PhiloxCudaState philox_cuda_state(uint64_t increment);
  std::pair<uint64_t, uint64_t> philox_engine_inputs(uint64_t increment);
  uint64_t current_seed() const;
};
template <class T>
T* get_generator_or_default(const std::optional<Generator>& generator, const Generator& fallback);
template <class T>
T* check_generator(std::optional<Generator> generator);
namespace cuda::detail {
const Generator& getDefaultCUDAGenerator(DeviceIndex device = -1);
}
namespace cuda::philox {
NP_MEMBER std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState state) { return {state.seed_, state.offset_}; }
}  // namespace cuda::philox
namespace native {
bool canUse32BitIndexMath(const TensorBase& tensor, int64_t limit = 0x7fffffff);
void resize_bytes_cuda(void* storage, size_t size);
}  // namespace native
}  // namespace at

#define C10_CUDA_CHECK(call)                             \
  do {                                                   \
    cudaError_t np_status = (call);                      \
    TORCH_CHECK(np_status == cudaSuccess, "CUDA error"); \
  } while (0)
#define C10_CUDA_CHECK_WARN(call) C10_CUDA_CHECK(call)
#define C10_CUDA_ERROR_HANDLED(call) (call)
#define C10_CUDA_IGNORE_ERROR(call) (void)(call)
#define C10_CUDA_CLEAR_ERROR() (void)cudaGetLastError()
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define AT_CUDA_CHECK(call) C10_CUDA_CHECK(call)
#define AT_CUDA_DRIVER_CHECK(call) (void)(call)
#define THCudaCheck(call) C10_CUDA_CHECK(call)
#define TORCH_CUDABLAS_CHECK(call) TORCH_CHECK((call) == CUBLAS_STATUS_SUCCESS, "cuBLAS error")
#define TORCH_CUDASPARSE_CHECK(call) (void)(call)
#define TORCH_CUSOLVER_CHECK(call) (void)(call)
#define TORCH_DSA_KERNEL_ARGS
#define TORCH_DSA_KERNEL_LAUNCH(kernel, grid, block, shared, stream, ...) \
  (kernel)<<<grid, block, shared, stream>>>(__VA_ARGS__)

// A grid-stride loop; the index is 64-bit while it is advanced.
#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type)                      \
  int64_t np_##i = ((int64_t)blockIdx.x) * blockDim.x + threadIdx.x; \
  for (index_type i = np_##i; np_##i < (n); np_##i += ((int64_t)blockDim.x) * gridDim.x, i = np_##i)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
