// Ops that make tensors. Every storage of the device is built here (or adopted from a kernel), so that it is a
// NeuronStorage with a kept host alias; PyTorch's generic `empty` would build a plain one.

#include <ATen/EmptyTensor.h>

#include "runtime/device/coverage.h"
#include "runtime/device/native_ops.h"
#include "runtime/device/storage.h"

namespace np::device {
namespace {

using OptionalType = std::optional<at::ScalarType>;
using OptionalLayout = std::optional<at::Layout>;
using OptionalDevice = std::optional<c10::Device>;

c10::Device deviceOf(const OptionalDevice& device) { return resolveDevice(device.value_or(c10::Device(kNeuron))); }

at::Tensor emptyTensor(size_t bytes, c10::Device device, at::ScalarType type) {
  return at::detail::make_tensor<c10::TensorImpl>(c10::Storage(makeStorage(bytes, device)),
                                                  c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                                  c10::scalarTypeToTypeMeta(type));
}

void checkOptions(const OptionalLayout& layout, const std::optional<bool>& pinned) {
  TORCH_CHECK_NOT_IMPLEMENTED(layout.value_or(c10::kStrided) == c10::kStrided, "device neuron has no ", *layout,
                              " tensors; use a dense tensor, or move the computation to the CPU");
  TORCH_CHECK(!pinned.value_or(false), "Only dense CPU tensors can be pinned");
}

at::Tensor empty(at::IntArrayRef sizes, OptionalType type, OptionalLayout layout, OptionalDevice device,
                 std::optional<bool> pinned, std::optional<at::MemoryFormat> format) {
  checkOptions(layout, pinned);
  if (format) noteMemoryFormat(*format);
  at::detail::check_size_nonnegative(sizes);
  const auto scalar_type = c10::dtype_or_default(type);
  const size_t bytes = at::detail::computeStorageNbytesContiguous(sizes, c10::elementSize(scalar_type));
  at::Tensor made = emptyTensor(bytes, deviceOf(device), scalar_type);
  c10::TensorImpl& tensor = *made.unsafeGetTensorImpl();
  if (sizes.size() != 1 || sizes[0] != 0) tensor.set_sizes_contiguous(sizes);
  if (format && *format != at::MemoryFormat::Contiguous) tensor.empty_tensor_restride(*format);
  return made;
}

at::Tensor emptyStrided(at::IntArrayRef sizes, at::IntArrayRef strides, OptionalType type, OptionalLayout layout,
                        OptionalDevice device, std::optional<bool> pinned) {
  checkOptions(layout, pinned);
  at::detail::check_size_nonnegative(sizes);
  const auto scalar_type = c10::dtype_or_default(type);
  const size_t bytes = at::detail::computeStorageNbytes(sizes, strides, c10::elementSize(scalar_type));
  at::Tensor made = emptyTensor(bytes, deviceOf(device), scalar_type);
  made.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  return made;
}

// An allocator for tensors that are known to be zero and have no memory.
class NoMemory final : public at::Allocator {
 public:
  explicit NoMemory(c10::Device device) : device_(device) {}
  at::DataPtr allocate(size_t) override { return {nullptr, device_}; }
  c10::DeleterFnPtr raw_deleter() const override { return nullptr; }
  void copy_data(void*, const void*, size_t) const override {}

 private:
  const c10::Device device_;
};

// Forward-mode autograd's symbolic zero: boxed it would be a null tensor.
at::Tensor efficientZeroTensor(at::IntArrayRef sizes, OptionalType type, OptionalLayout, OptionalDevice device,
                               std::optional<bool>) {
  NoMemory no_memory(deviceOf(device));
  const auto keys =
      c10::DispatchKeySet(c10::DispatchKey::PrivateUse1) | c10::DispatchKeySet(c10::DispatchKey::ZeroTensor);
  return at::detail::empty_generic(sizes, &no_memory, keys, c10::dtype_or_default(type), std::nullopt);
}

}  // namespace

void registerFactories(torch::Library& aten) {
  aten.impl("empty.memory_format", TORCH_FN(empty));
  aten.impl("empty_strided", TORCH_FN(emptyStrided));
  aten.impl("_efficientzerotensor", TORCH_FN(efficientZeroTensor));
}

}  // namespace np::device
