// Functions of namespace at: factories with their signatures, the listed operations with any.
#pragma once
#pragma clang system_header
#include "tensor.h"

namespace at {
using OptFormat = std::optional<MemoryFormat>;
Tensor empty(IntArrayRef sizes, TensorOptions options = {}, OptFormat format = std::nullopt);
Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {});
Tensor zeros(IntArrayRef sizes, TensorOptions options = {});
Tensor ones(IntArrayRef sizes, TensorOptions options = {});
Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options = {});
Tensor rand(IntArrayRef sizes, TensorOptions options = {});
Tensor rand(IntArrayRef sizes, std::optional<Generator> generator, TensorOptions options = {});
Tensor randn(IntArrayRef sizes, TensorOptions options = {});
Tensor randint(int64_t high, IntArrayRef sizes, TensorOptions options = {});
Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, TensorOptions options = {});
Tensor randperm(int64_t count, TensorOptions options = {});
Tensor arange(Scalar end, TensorOptions options = {});
Tensor arange(Scalar start, Scalar end, TensorOptions options = {});
Tensor arange(Scalar start, Scalar end, Scalar step, TensorOptions options = {});
Tensor linspace(Scalar start, Scalar end, int64_t steps, TensorOptions options = {});
Tensor logspace(Scalar start, Scalar end, int64_t steps, double base = 10.0, TensorOptions options = {});
Tensor eye(int64_t rows, TensorOptions options = {});
Tensor eye(int64_t rows, int64_t columns, TensorOptions options = {});
Tensor scalar_tensor(Scalar value, TensorOptions options = {});
Tensor empty_like(const Tensor& like, TensorOptions options = {}, OptFormat format = std::nullopt);
Tensor zeros_like(const Tensor& like, TensorOptions options = {}, OptFormat format = std::nullopt);
Tensor ones_like(const Tensor& like, TensorOptions options = {}, OptFormat format = std::nullopt);
Tensor rand_like(const Tensor& like, TensorOptions options = {}, OptFormat format = std::nullopt);
Tensor randn_like(const Tensor& like, TensorOptions options = {}, OptFormat format = std::nullopt);
Tensor randint_like(const Tensor& like, int64_t high, TensorOptions options = {});
Tensor full_like(const Tensor& like, Scalar value, TensorOptions options = {}, OptFormat format = std::nullopt);
template <class T>
Tensor tensor(std::initializer_list<T> values, TensorOptions options = {});
template <class T>
Tensor tensor(const T& values, TensorOptions options = {});
Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {});
Tensor from_blob(void* data, IntArrayRef sizes, const std::function<void(void*)>& deleter, TensorOptions options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const std::function<void(void*)>& deleter,
                 TensorOptions options = {});

Tensor cat(TensorList tensors, int64_t dim = 0);
Tensor concat(TensorList tensors, int64_t dim = 0);
Tensor stack(TensorList tensors, int64_t dim = 0);
Tensor hstack(TensorList tensors);
Tensor vstack(TensorList tensors);
std::vector<Tensor> meshgrid(TensorList tensors);
std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing);
std::vector<Tensor> broadcast_tensors(TensorList tensors);
std::vector<Tensor> split(const Tensor& self, int64_t size, int64_t dim = 0);
std::vector<Tensor> split(const Tensor& self, IntArrayRef sizes, int64_t dim = 0);
std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim = 0);
std::vector<Tensor> unbind(const Tensor& self, int64_t dim = 0);
Tensor sum(const Tensor& self, std::optional<ScalarType> type = std::nullopt);
Tensor sum(const Tensor& self, OptionalIntArrayRef dims, bool keepdim = false,
           std::optional<ScalarType> type = std::nullopt);
Tensor max(const Tensor& self);
Tensor max(const Tensor& self, const Tensor& other);
std::tuple<Tensor, Tensor> max(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor min(const Tensor& self);
Tensor min(const Tensor& self, const Tensor& other);
std::tuple<Tensor, Tensor> min(const Tensor& self, int64_t dim, bool keepdim = false);
std::tuple<Tensor, Tensor> sort(const Tensor& self, int64_t dim = -1, bool descending = false);
std::tuple<Tensor, Tensor> topk(const Tensor& self, int64_t k, int64_t dim = -1, bool largest = true,
                                bool sorted = true);
std::tuple<Tensor, Tensor> _unique(const Tensor& self, bool sorted = true, bool inverse = false);
std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& self, bool sorted = true, bool inverse = false,
                                            bool counts = false);
std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor& self, bool inverse = false, bool counts = false,
                                                      std::optional<int64_t> dim = std::nullopt);
std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor& self, int64_t dim, bool sorted = true, bool inverse = false,
                                              bool counts = false);
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& self, bool some = true, bool compute_uv = true);
std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArrayRef shape, const Tensor& weight,
                                                     const Tensor& bias, double eps);
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Scalar& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, const Scalar& b);
std::vector<Tensor> where(const Tensor& condition);
Tensor permute(const Tensor& self, IntArrayRef dims);
Tensor reshape(const Tensor& self, IntArrayRef sizes);
Tensor tile(const Tensor& self, IntArrayRef repeats);
Tensor einsum(std::string_view equation, TensorList tensors);
bool equal(const Tensor& a, const Tensor& b);
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
int64_t numel(const Tensor& self);
bool is_floating_point(const Tensor& self);
Tensor alias(const Tensor& self);
Tensor& matmul_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& mm_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& bmm_out(Tensor& out, const Tensor& a, const Tensor& b);
Tensor& addmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1);
Tensor& sum_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dims, bool keepdim = false);
Tensor& cat_out(Tensor& out, TensorList tensors, int64_t dim = 0);
Tensor& zeros_out(Tensor& out, IntArrayRef sizes);
void manual_seed(uint64_t seed);

#define NP_FUNCTION(name)                                         \
  template <class... Arguments>                                   \
  Tensor name(const Tensor& self, const Arguments&... arguments); \
  template <class... Arguments>                                   \
  Tensor& name##_(Tensor& self, const Arguments&... arguments);
NP_TENSOR_OPS(NP_FUNCTION)
#undef NP_FUNCTION
#define NP_FUNCTION(name)       \
  template <class... Arguments> \
  Tensor& name(Tensor& self, const Arguments&... arguments);
NP_TENSOR_INPLACE_OPS(NP_FUNCTION)
#undef NP_FUNCTION

bool isIntegralType(ScalarType type);
bool isSignedType(ScalarType type);
template <class T>
constexpr T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}
std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b);
int64_t maybe_wrap_dim(int64_t dim, int64_t rank, bool wrap_scalar = true);

// Element types of accumulation and of intermediate results.
template <class T, bool on_gpu>
struct np_acc_type {
  using type = T;
};
template <bool on_gpu>
struct np_acc_type<c10::Half, on_gpu> {
  using type = float;
};
template <bool on_gpu>
struct np_acc_type<c10::BFloat16, on_gpu> {
  using type = float;
};
template <>
struct np_acc_type<float, false> {
  using type = double;
};
#define NP_ACC(T)                 \
  template <bool on_gpu>          \
  struct np_acc_type<T, on_gpu> { \
    using type = int64_t;         \
  };
NP_ACC(int8_t)
NP_ACC(uint8_t)
NP_ACC(int16_t)
NP_ACC(int32_t)
#undef NP_ACC
template <class T, bool on_gpu>
using acc_type = typename np_acc_type<T, on_gpu>::type;
template <class T>
struct OpMathType {
  using type = T;
};
template <>
struct OpMathType<c10::Half> {
  using type = float;
};
template <>
struct OpMathType<c10::BFloat16> {
  using type = float;
};
template <class T>
using opmath_type = typename OpMathType<T>::type;
ScalarType toOpMathType(ScalarType type);
ScalarType toAccumulateType(ScalarType type, bool on_gpu);

int get_num_threads();
bool in_parallel_region();
template <class Body>
void parallel_for(int64_t begin, int64_t end, int64_t grain, const Body& body) {
  body(begin, end);
}
namespace internal {
constexpr int64_t GRAIN_SIZE = 32768;
}
class Context {
 public:
  bool hasCUDA() const;
  bool allowTF32CuBLAS() const;
  bool deterministicAlgorithms() const;
  bool allowFP16ReductionCuBLAS() const;
  void alertNotDeterministic(const char* caller);
};
Context& globalContext();
}  // namespace at
namespace c10 {
int64_t multiply_integers(IntArrayRef list);
template <class T>
T checked_convert(int64_t value, const char* name);
}  // namespace c10
