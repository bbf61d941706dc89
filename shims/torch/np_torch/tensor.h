// at::Tensor: what extension sources call on a tensor. Declarations only.
#pragma once
#pragma clang system_header
#include <mutex>

#include "accessor.h"
#include "op_list.h"
#include "tensor_options.h"

namespace c10 {
class TensorImpl : public intrusive_ptr_target {};
class Storage {
 public:
  size_t nbytes() const;
  void* mutable_data() const;
  const void* data() const;
};
}  // namespace c10

namespace at {
using namespace c10;
class Tensor;
using TensorList = c10::ArrayRef<Tensor>;
using ITensorListRef = TensorList;
class DimnameList;

// The old type object: passed to AT_DISPATCH and asked for its scalar type.
class DeprecatedTypeProperties {
 public:
  ScalarType scalarType() const;
  bool is_cuda() const;
  bool is_sparse() const;
  DeviceType device_type() const;
  std::string toString() const;
  DeprecatedTypeProperties& toScalarType(ScalarType type) const;
  operator TensorOptions() const;
  TensorOptions options(int16_t device = -1) const;
  bool operator==(const DeprecatedTypeProperties& other) const;
  bool operator!=(const DeprecatedTypeProperties& other) const;
};
using Type = DeprecatedTypeProperties;

class TensorBase {
 public:
  bool defined() const;
  void reset();
  int64_t dim() const;
  int64_t ndimension() const;
  int64_t numel() const;
  SymInt sym_numel() const;
  int64_t size(int64_t dim) const;
  SymInt sym_size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  IntArrayRef sizes() const;
  SymIntArrayRef sym_sizes() const;
  IntArrayRef strides() const;
  int64_t storage_offset() const;
  size_t nbytes() const;
  size_t itemsize() const;
  int64_t element_size() const;
  ScalarType scalar_type() const;
  caffe2::TypeMeta dtype() const;
  Device device() const;
  int64_t get_device() const;
  Layout layout() const;
  TensorOptions options() const;
  const Storage& storage() const;
  bool has_storage() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_hip() const;
  bool is_xpu() const;
  bool is_mps() const;
  bool is_meta() const;
  bool is_privateuseone() const;
  bool is_sparse() const;
  bool is_quantized() const;
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;
  bool is_alias_of(const TensorBase& other) const;
  bool is_same(const TensorBase& other) const;
  bool is_floating_point() const;
  bool is_complex() const;
  bool is_signed() const;
  bool is_leaf() const;
  bool is_pinned() const;
  bool requires_grad() const;
  const TensorBase& set_requires_grad(bool value) const;
  size_t use_count() const;
  TensorImpl* unsafeGetTensorImpl() const;
  MemoryFormat suggest_memory_format() const;
  std::string toString() const;
  DeprecatedTypeProperties& type() const;
  void* data_ptr() const;
  const void* const_data_ptr() const;
  void* mutable_data_ptr() const;
  template <class T>
  T* data_ptr() const;
  template <class T>
  const std::remove_const_t<T>* const_data_ptr() const;
  template <class T>
  T* mutable_data_ptr() const;
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> generic_packed_accessor() const;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> packed_accessor() const;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const;
};

namespace indexing {
struct EllipsisIndexType {};
struct Slice {
  Slice(std::optional<SymInt> start = std::nullopt, std::optional<SymInt> stop = std::nullopt,
        std::optional<SymInt> step = std::nullopt);
};
struct TensorIndex {
  TensorIndex(std::nullopt_t);
  TensorIndex(EllipsisIndexType);
  TensorIndex(const char* ellipsis);
  TensorIndex(int64_t index);
  TensorIndex(int index);
  TensorIndex(bool index);
  TensorIndex(Slice slice);
  TensorIndex(const Tensor& tensor);
};
constexpr EllipsisIndexType Ellipsis{};
constexpr std::nullopt_t None = std::nullopt;
}  // namespace indexing

class Tensor : public TensorBase {
 public:
  template <class T>
  T* data() const;
  Tensor data() const;
  Scalar item() const;
  template <class T>
  T item() const;
  bool equal(const Tensor& other) const;
  bool allclose(const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) const;
  Tensor grad() const;
  Tensor& mutable_grad() const;
  void backward(const Tensor& gradient = Tensor(), std::optional<bool> keep = std::nullopt, bool create = false) const;
  const Tensor& set_requires_grad(bool value) const;
  Tensor variable_data() const;
  Tensor tensor_data() const;
  void set_data(const Tensor& data) const;
  const Tensor& resize_(IntArrayRef sizes, std::optional<MemoryFormat> format = std::nullopt) const;
  const Tensor& resize_as_(const Tensor& other) const;
  Tensor& set_(const Tensor& other) const;
  void record_stream(Stream stream) const;
  void print() const;

  Tensor contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  Tensor to(TensorOptions options = {}, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> format = std::nullopt) const;
  Tensor to(ScalarType type, bool non_blocking = false, bool copy = false) const;
  Tensor to(Device device, ScalarType type, bool non_blocking = false, bool copy = false) const;
  Tensor to(DeviceType device, bool non_blocking = false, bool copy = false) const;
  Tensor to(Device device, bool non_blocking = false, bool copy = false) const;
  Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false) const;
  Tensor toType(ScalarType type) const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor pin_memory() const;
  Tensor type_as(const Tensor& other) const;
  Tensor view(IntArrayRef sizes) const;
  Tensor view(ScalarType type) const;
  Tensor reshape(IntArrayRef sizes) const;
  Tensor expand(IntArrayRef sizes, bool implicit = false) const;
  Tensor permute(IntArrayRef dims) const;
  Tensor repeat(IntArrayRef repeats) const;
  Tensor flip(IntArrayRef dims) const;
  Tensor as_strided(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> offset = std::nullopt) const;
  Tensor new_empty(IntArrayRef sizes, TensorOptions options = {}) const;
  Tensor new_zeros(IntArrayRef sizes, TensorOptions options = {}) const;
  Tensor new_ones(IntArrayRef sizes, TensorOptions options = {}) const;
  Tensor new_full(IntArrayRef sizes, Scalar value, TensorOptions options = {}) const;
  Tensor sum(std::optional<ScalarType> type = std::nullopt) const;
  Tensor sum(OptionalIntArrayRef dims, bool keepdim = false, std::optional<ScalarType> type = std::nullopt) const;
  Tensor sum_to_size(IntArrayRef sizes) const;
  Tensor mean(OptionalIntArrayRef dims, bool keepdim = false, std::optional<ScalarType> type = std::nullopt) const;
  Tensor amax(IntArrayRef dims = {}, bool keepdim = false) const;
  Tensor amin(IntArrayRef dims = {}, bool keepdim = false) const;
  Tensor max() const;
  Tensor max(const Tensor& other) const;
  std::tuple<Tensor, Tensor> max(int64_t dim, bool keepdim = false) const;
  Tensor min() const;
  Tensor min(const Tensor& other) const;
  std::tuple<Tensor, Tensor> min(int64_t dim, bool keepdim = false) const;
  std::tuple<Tensor, Tensor> sort(int64_t dim = -1, bool descending = false) const;
  std::tuple<Tensor, Tensor> sort(std::optional<bool> stable, int64_t dim, bool descending) const;
  std::tuple<Tensor, Tensor> topk(int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) const;
  std::tuple<Tensor, Tensor> median(int64_t dim, bool keepdim = false) const;
  std::vector<Tensor> split(int64_t size, int64_t dim = 0) const;
  std::vector<Tensor> split(IntArrayRef sizes, int64_t dim = 0) const;
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const;
  std::vector<Tensor> unbind(int64_t dim = 0) const;
  std::vector<Tensor> tensor_split(int64_t sections, int64_t dim = 0) const;
  std::vector<Tensor> nonzero_numpy() const;
  Tensor where(const Tensor& condition, const Tensor& other) const;
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& values) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar& value) const;
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& values) const;
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value) const;
#define NP_METHOD(name)                             \
  template <class... Arguments>                     \
  Tensor name(const Arguments&... arguments) const; \
  template <class... Arguments>                     \
  Tensor& name##_(const Arguments&... arguments) const;
  NP_TENSOR_OPS(NP_METHOD)
#undef NP_METHOD
#define NP_METHOD(name)         \
  template <class... Arguments> \
  Tensor& name(const Arguments&... arguments) const;
  NP_TENSOR_INPLACE_OPS(NP_METHOD)
#undef NP_METHOD
  Tensor operator[](int64_t index) const;
  Tensor operator[](const Tensor& index) const;
  Tensor operator-() const;
  Tensor operator~() const;
#define NP_COMPOUND(op)                            \
  Tensor& operator op(const Tensor & other) const; \
  Tensor& operator op(const Scalar & other) const;
  NP_COMPOUND(+=)
  NP_COMPOUND(-=)
  NP_COMPOUND(*=)
  NP_COMPOUND(/=)
  NP_COMPOUND(&=)
  NP_COMPOUND(|=)
  NP_COMPOUND(^=)
#undef NP_COMPOUND
};
#define NP_OPERATOR(op)                                 \
  Tensor operator op(const Tensor& a, const Tensor& b); \
  Tensor operator op(const Tensor& a, const Scalar& b); \
  Tensor operator op(const Scalar& a, const Tensor& b);
NP_OPERATOR(+)
NP_OPERATOR(-)
NP_OPERATOR(*)
NP_OPERATOR(/)
NP_OPERATOR(%)
NP_OPERATOR(&)
NP_OPERATOR(|)
NP_OPERATOR(^)
NP_OPERATOR(<)
NP_OPERATOR(>)
NP_OPERATOR(<=)
NP_OPERATOR(>=)
NP_OPERATOR(==)
NP_OPERATOR(!=)
#undef NP_OPERATOR
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
std::optional<Device> device_of(const Tensor& tensor);
std::optional<Device> device_of(const std::optional<Tensor>& tensor);
std::optional<Device> device_of(TensorList tensors);

// An argument that names a tensor in error messages.
struct TensorArg {
  TensorArg(const Tensor& tensor, const char* name, int position);
  const Tensor& tensor;
  const char* name;
  int position;
  const Tensor* operator->() const { return &tensor; }
  const Tensor& operator*() const { return tensor; }
};
using CheckedFrom = const char*;
void checkAllSameGPU(CheckedFrom from, ArrayRef<TensorArg> tensors);
void checkAllSameType(CheckedFrom from, ArrayRef<TensorArg> tensors);
void checkSameGPU(CheckedFrom from, const TensorArg& a, const TensorArg& b);
void checkSameType(CheckedFrom from, const TensorArg& a, const TensorArg& b);
void checkContiguous(CheckedFrom from, const TensorArg& tensor);
void checkDim(CheckedFrom from, const TensorArg& tensor, int64_t dim);

class Generator {
 public:
  Device device() const;
  bool defined() const;
  std::mutex& mutex();
  template <class T>
  T* get() const;
};
}  // namespace at
