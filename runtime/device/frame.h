#pragma once
// One op's crossing of the border: neuron tensors in, CPU aliases for the kernel, results adopted on the way back.

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <optional>

#include "runtime/device/storage.h"

namespace np::device {

// Holds the aliases of one call. Arguments must outlive it.
class Frame {
 public:
  // A CPU tensor over the bytes of a neuron tensor; other tensors pass unchanged. Throws for kinds that the device
  // refuses (sparse, quantized, nested) and for tensors of two neuron devices. `written` says the kernel may write or
  // resize it.
  at::Tensor alias(const at::Tensor& tensor, bool written);
  std::optional<at::Tensor> alias(const std::optional<at::Tensor>& tensor);

  // A neuron tensor for what a kernel returned: a view of an argument's storage, or fresh memory that changes hands.
  at::Tensor adopt(at::Tensor result);

  // Carries new sizes, strides and storages of written arguments back to the originals.
  void finishWritten();

  // Throws when a CPU tensor other than a scalar came with the neuron ones.
  void refuseMixedDevices(std::string_view op) const;

  // The device of the arguments, else the thread's current one.
  c10::DeviceIndex device() const { return device_ < 0 ? threadState().device : device_; }
  // Notes a device that an argument names.
  void preferDevice(c10::Device device) {
    if (device_ < 0) device_ = resolveDevice(device).index();
  }

 private:
  struct Entry {
    const at::Tensor* original;
    c10::StorageImpl* host;  // the storage that the alias started with
    at::Tensor alias;        // of written arguments only
  };
  using StoragePair = std::pair<c10::StorageImpl*, c10::intrusive_ptr<c10::StorageImpl>>;

  c10::StorageImpl* hostStorageOf(c10::StorageImpl* storage);
  c10::intrusive_ptr<c10::StorageImpl> deviceStorageOf(c10::StorageImpl* host);

  c10::SmallVector<Entry, 6> entries_;
  c10::SmallVector<StoragePair, 2> adopted_;              // CPU storage -> device storage, so that outputs keep sharing
  c10::SmallVector<StoragePair, 1> foreign_;              // storages without a kept alias
  c10::SmallVector<c10::StorageImpl*, 2> cpu_arguments_;  // the caller's own: never moved to the device
  c10::DeviceIndex device_ = -1;
  bool has_cpu_tensor_ = false;
};

// While it lives, this thread runs a CPU kernel for a neuron op: below autograd, without autocast, allocating on
// `device`.
class KernelScope {
 public:
  explicit KernelScope(c10::DeviceIndex device);
  ~KernelScope();
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;

 private:
  c10::impl::ExcludeDispatchKeyGuard below_autograd_;
  c10::DeviceIndex outer_device_;
};

// Throws the sentence for a tensor kind that the device does not have.
[[noreturn]] void refuseTensorKind(c10::DispatchKeySet keys);

}  // namespace np::device
