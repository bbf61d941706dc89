// Checks and markers of c10 and ATen, as macros of their public names.
#pragma once
#pragma clang system_header
#include <cuda_runtime.h>

#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "../torch/version.h"

#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_API
#define C10_EXPORT
#define C10_IMPORT
#define C10_HIDDEN
#define C10_CUDA_API
#define TORCH_API
#define TORCH_CUDA_CPP_API
#define TORCH_CUDA_CU_API
#define C10_UNUSED __attribute__((unused))
#define C10_NODISCARD [[nodiscard]]
#define C10_NOINLINE __attribute__((noinline))
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_RESTRICT __restrict__
#define C10_LIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 1))
#define C10_UNLIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 0))
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_ANONYMOUS_VARIABLE(name) C10_CONCATENATE(name, __COUNTER__)
#define C10_WARP_SIZE 32
#define C10_MAX_THREADS_PER_BLOCK(count) (count)
#define C10_MIN_BLOCKS_PER_SM(threads, blocks) (blocks)
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define AT_FORALL_NOTHING

namespace c10 {
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  const char* what_without_backtrace() const noexcept;
};
class ValueError : public Error {
  using Error::Error;
};
class IndexError : public Error {
  using Error::Error;
};
class TypeError : public Error {
  using Error::Error;
};
class NotImplementedError : public Error {
  using Error::Error;
};
template <class... Parts>
std::string str(const Parts&... parts);
namespace np_detail {
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts);
template <class... Parts>
void warn(const Parts&... parts);
}  // namespace np_detail
}  // namespace c10

// As upstream, an `if` and no loop: code without a semicolon after it compiles.
#define TORCH_CHECK(condition, ...)      \
  if (!(condition)) {                    \
    ::c10::np_detail::fail(__VA_ARGS__); \
  }
#define NP_TORCH_ASSERT(condition, ...)   \
  do {                                    \
    TORCH_CHECK(condition, ##__VA_ARGS__) \
  } while (0)
#define TORCH_CHECK_WITH(kind, condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_LINALG(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) TORCH_CHECK((a) != (b))
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define TORCH_WARN(...) ::c10::np_detail::warn(__VA_ARGS__)
#define TORCH_WARN_ONCE(...) ::c10::np_detail::warn(__VA_ARGS__)
#define TORCH_WARN_DEPRECATION(...) ::c10::np_detail::warn(__VA_ARGS__)
#define AT_CHECK(condition, ...) NP_TORCH_ASSERT(condition, ##__VA_ARGS__)
#define AT_ASSERT(condition, ...) NP_TORCH_ASSERT(condition, ##__VA_ARGS__)
#define AT_ASSERTM(condition, ...) NP_TORCH_ASSERT(condition, ##__VA_ARGS__)
#define AT_ERROR(...) ::c10::np_detail::fail(__VA_ARGS__)
#define AT_WARN(...) ::c10::np_detail::warn(__VA_ARGS__)
#define C10_THROW_ERROR(kind, message) ::c10::np_detail::fail(message)
#define C10_LOG_API_USAGE_ONCE(...)
#define RECORD_FUNCTION(...)
#define CUDA_KERNEL_ASSERT(condition) assert(condition)
#define CUDA_KERNEL_ASSERT_MSG(condition, message) assert(condition)
#define SYCL_KERNEL_ASSERT(condition) assert(condition)
