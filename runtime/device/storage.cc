// Device storages and their CPU aliases.
//
// An op runs on CPU tensors over the same bytes. Making a StorageImpl for that on every call is the dearest part, so
// each NeuronStorage keeps one. When a kernel returns fresh memory, its CPU storage becomes the kept alias of the new
// device storage and only the ownership moves: the alias must then own nothing, or the block would be freed twice.

#include "runtime/device/storage.h"

#include <cstring>
#include <typeinfo>

#include "runtime/device/allocators.h"

namespace np::device {
namespace {

c10::DataPtr notOwning(void* host) { return {host, c10::Device(c10::kCPU)}; }

// Device memory that owns `host` (a block of a pool).
c10::DataPtr owning(void* host, c10::Device device) {
  return {state().space.toDevice(host), host, &releaseBlock, device};
}

// Moves the bytes of a CPU storage into device ownership and leaves the storage as an alias of them.
c10::DataPtr takeBytes(c10::StorageImpl* host, c10::Device device) {
  void* bytes = host->mutable_data_ptr().get();
  if (!bytes || !host->nbytes()) return {nullptr, device};
  if (state().space.isHostAddress(bytes) && host->data_ptr().get_context()) {
    auto owned = host->set_data_ptr(notOwning(bytes));
    owned.release_context();
    return owning(bytes, device);
  }
  // Allocated outside the kernel's thread, or a view of memory that somebody else owns.
  void* block = allocateOn(device.index(), host->nbytes());
  std::memcpy(block, bytes, host->nbytes());
  host->set_data_ptr(notOwning(block));
  return owning(block, device);
}

}  // namespace

void NeuronStorage::release_resources() {
  host.reset();
  c10::StorageImpl::release_resources();
}

c10::intrusive_ptr<c10::StorageImpl> makeStorage(size_t bytes, c10::Device device) {
  auto data = bytes ? owning(allocateOn(device.index(), bytes), device) : c10::DataPtr(nullptr, device);
  auto storage = c10::make_intrusive<NeuronStorage>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(data),
                                                    deviceAllocator(), /*resizable=*/true);
  storage->host = makeHostAlias(*storage);
  return storage;
}

c10::intrusive_ptr<c10::StorageImpl> adoptStorage(c10::intrusive_ptr<c10::StorageImpl> host, c10::DeviceIndex device) {
  const size_t bytes = host->nbytes();
  // Somebody else holding the CPU storage (a kernel that caches its result) would see it change: give it up then.
  auto data = takeBytes(host.get(), {kNeuron, device});
  auto storage = c10::make_intrusive<NeuronStorage>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(data),
                                                    deviceAllocator(), /*resizable=*/true);
  storage->host = bytes ? std::move(host) : makeHostAlias(*storage);
  return storage;
}

void takeResizedBytes(c10::StorageImpl* host, c10::StorageImpl* device_storage) {
  const size_t bytes = host->nbytes();
  device_storage->set_data_ptr_noswap(takeBytes(host, device_storage->device()));
  device_storage->set_nbytes(bytes);
}

c10::intrusive_ptr<c10::StorageImpl> makeHostAlias(const c10::StorageImpl& device_storage) {
  void* host = state().space.toHost(device_storage.data_ptr().get());
  return c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), device_storage.nbytes(),
                                               notOwning(host), kernelAllocator(), /*resizable=*/true);
}

c10::StorageImpl* keptHostAlias(c10::StorageImpl* device_storage) {
  if (typeid(*device_storage) != typeid(NeuronStorage)) return nullptr;
  auto* storage = static_cast<NeuronStorage*>(device_storage);
  c10::StorageImpl* host = storage->host.get();
  const bool current = host && host->data_ptr().get() == state().space.toHost(storage->data_ptr().get()) &&
                       host->nbytes() == storage->nbytes();
  if (!current) storage->host = makeHostAlias(*storage);
  return storage->host.get();
}

}  // namespace np::device
