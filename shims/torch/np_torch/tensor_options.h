// TensorOptions: dtype, device, layout and the rest, built by chaining or implicitly from one of them.
#pragma once
#pragma clang system_header
#include "array_ref.h"
#include "device.h"

namespace c10 {
struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(ScalarType type);
  TensorOptions(caffe2::TypeMeta type);
  TensorOptions(Device device);
  TensorOptions(DeviceType device);
  TensorOptions(Layout layout);
  TensorOptions(MemoryFormat format);
  TensorOptions dtype(ScalarType type) const;
  TensorOptions dtype(caffe2::TypeMeta type) const;
  TensorOptions dtype(std::optional<ScalarType> type) const;
  template <class Type>
  TensorOptions dtype() const;
  TensorOptions device(Device device) const;
  TensorOptions device(std::optional<Device> device) const;
  TensorOptions device(DeviceType type, DeviceIndex index = -1) const;
  TensorOptions device_index(DeviceIndex index) const;
  TensorOptions layout(Layout layout) const;
  TensorOptions requires_grad(bool value) const;
  TensorOptions pinned_memory(bool value) const;
  TensorOptions memory_format(MemoryFormat format) const;
  caffe2::TypeMeta dtype() const;
  Device device() const;
  Layout layout() const;
  bool requires_grad() const;
  bool pinned_memory() const;
  int device_index() const;
  bool has_dtype() const;
  bool has_device() const;
};
TensorOptions dtype(ScalarType type);
TensorOptions dtype(caffe2::TypeMeta type);
template <class Type>
TensorOptions dtype();
TensorOptions device(Device device);
TensorOptions layout(Layout layout);
TensorOptions requires_grad(bool value = true);
TensorOptions device_index(int16_t index);
}  // namespace c10
