// Ops that look at the same storage in another way. PyTorch's own implementations do not touch the bytes, so most are
// registered as they are; what takes a storage checks that the storage is the device's.

#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/is_set_to_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>

#include "runtime/device/native_ops.h"
#include "runtime/device/storage.h"
#include "runtime/device/stream_order.h"

namespace np::device {
namespace {

at::Tensor& setStorage(at::Tensor& tensor, at::Storage storage, int64_t offset, at::IntArrayRef sizes,
                       at::IntArrayRef strides) {
  TORCH_CHECK(storage.device().type() == kNeuron, "Attempted to set the storage of a tensor on device \"",
              tensor.device(), "\" to a storage on different device \"", storage.device(),
              "\".  This is no longer allowed; the devices must match.");
  TORCH_CHECK(offset >= 0, "Tensor: invalid storage offset ", offset);
  c10::TensorImpl& target = *tensor.unsafeGetTensorImpl();
  target.set_storage_keep_dtype(storage);
  if (strides.size() == sizes.size()) {
    target.set_sizes_and_strides(sizes, strides, offset);
  } else {
    target.set_storage_offset(offset);
    target.set_sizes_contiguous(sizes);
  }
  const size_t needed = at::detail::computeStorageNbytes(target.sizes(), target.strides(), target.itemsize(),
                                                         static_cast<size_t>(offset));
  if (target.numel() && needed > storage.nbytes())
    at::detail::getPrivateUse1Hooks().resizePrivateUse1Bytes(storage, needed);
  return tensor;
}

at::Tensor& setWholeStorage(at::Tensor& tensor, at::Storage storage) {
  const auto elements = static_cast<int64_t>(storage.nbytes() / tensor.dtype().itemsize());
  return setStorage(tensor, std::move(storage), 0, {elements}, {1});
}

at::Tensor& setTensor(at::Tensor& tensor, const at::Tensor& source) {
  return setStorage(tensor, source.storage(), source.storage_offset(), source.sizes(), source.strides());
}

at::Tensor& setEmpty(at::Tensor& tensor) { return setTensor(tensor, at::empty({0}, tensor.options())); }

// Lets `parameter.data = moved` keep the parameter object when a module changes device; without it an optimizer made
// before `.to("neuron")` would train stale tensors.
bool hasCompatibleShallowCopyType(const at::Tensor& tensor, const at::Tensor& from) {
  auto is_dense = [](const at::Tensor& t) {
    return t.layout() == c10::kStrided && !t.is_quantized() && (t.device().type() == kNeuron || t.is_cpu());
  };
  return is_dense(tensor) && is_dense(from);
}

void recordStream(at::Tensor& tensor, c10::Stream stream) {
  noteRecordedStream(tensor.storage().unsafeGetStorageImpl(), {stream.device_index(), stream.id()});
}

}  // namespace

void registerViews(torch::Library& aten) {
  aten.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
  aten.impl("view", TORCH_FN(at::native::view));
  aten.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
  aten.impl("unfold", TORCH_FN(at::native::unfold));
  aten.impl("view_as_real", TORCH_FN(at::native::view_as_real));
  aten.impl("view_as_complex", TORCH_FN(at::native::view_as_complex));
  aten.impl("is_set_to", TORCH_FN(at::native::is_set_to));
  aten.impl("set_.source_Storage_storage_offset", TORCH_FN(setStorage));
  aten.impl("set_.source_Storage", TORCH_FN(setWholeStorage));
  aten.impl("set_.source_Tensor", TORCH_FN(setTensor));
  aten.impl("set_", TORCH_FN(setEmpty));
  aten.impl("_has_compatible_shallow_copy_type", TORCH_FN(hasCompatibleShallowCopyType));
  aten.impl("record_stream", TORCH_FN(recordStream));
}

}  // namespace np::device
