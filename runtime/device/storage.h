#pragma once
// Storages of neuron tensors, and the CPU storages that alias them.

#include <c10/core/StorageImpl.h>

#include <memory>

#include "runtime/device/device_state.h"

namespace np::device {

// A storage that keeps its host alias, so that an op makes no storage of its own. What PyTorch builds without us lacks
// it.
struct NeuronStorage final : c10::StorageImpl {
  using c10::StorageImpl::StorageImpl;
  ~NeuronStorage() override { endUses(); }
  void release_resources() override;
  // Tells the stream board, once, that the memory goes away.
  void endUses();

  c10::intrusive_ptr<c10::StorageImpl> host;
  std::unique_ptr<MemoryUses> uses;  // kept in chaos mode only
};

// A storage of `bytes` (0: none) fresh bytes on a resolved device.
c10::intrusive_ptr<c10::StorageImpl> makeStorage(size_t bytes, c10::Device device);
// Turns a CPU storage that a kernel returned into device storage: moved when it owns a block of device memory and may
// be moved, else copied. A moved storage goes on as the alias.
c10::intrusive_ptr<c10::StorageImpl> adoptStorage(c10::intrusive_ptr<c10::StorageImpl> host, c10::DeviceIndex index,
                                                  bool may_move);
// Takes the (possibly reallocated) bytes of an alias into the storage it aliases.
void takeResizedBytes(c10::StorageImpl* host, c10::StorageImpl* device_storage);
// A CPU storage over the same bytes, resizable, which does not keep the device storage alive.
c10::intrusive_ptr<c10::StorageImpl> makeHostAlias(const c10::StorageImpl& device_storage);
// The kept alias of a NeuronStorage, renewed when the storage was changed behind our back; null for foreign storages.
c10::StorageImpl* keptHostAlias(c10::StorageImpl* device_storage);

}  // namespace np::device
