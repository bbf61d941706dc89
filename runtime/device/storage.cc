// Device storages and their CPU aliases.
//
// An op runs on CPU tensors over the same bytes. Making a StorageImpl for that on every call is the dearest part, so
// each NeuronStorage keeps one. When a kernel returns fresh memory, its CPU storage becomes the kept alias of the new
// device storage and only the ownership moves: the alias must then own nothing, or the block would be freed twice.

#include "runtime/device/storage.h"

#include <cstring>
#include <typeinfo>

#include "runtime/device/allocators.h"
#include "runtime/device/stream_order.h"

namespace np::device {
namespace {

c10::DataPtr notOwning(void* host) { return {host, c10::Device(c10::kCPU)}; }

// Device memory that owns `host` (a block of a pool).
c10::DataPtr owning(void* host, c10::Device device) {
  return {state().space.toDevice(host), host, &releaseBlock, device};
}

// Whether the bytes are a block of device memory that this storage owns, as a kernel's fresh results are.
bool ownsDeviceBlock(const c10::StorageImpl& host) {
  return state().space.isHostAddress(host.data_ptr().get()) && host.data_ptr().get_context();
}

// Moves the bytes to device ownership; the storage goes on as an alias of them.
c10::DataPtr moveBytes(c10::StorageImpl* host, c10::Device device) {
  void* bytes = host->mutable_data_ptr().get();
  host->set_data_ptr(notOwning(bytes)).release_context();
  return owning(bytes, device);
}

// A copy of the bytes; null for none.
c10::DataPtr copyBytes(const c10::StorageImpl& host, c10::Device device) {
  if (!host.data_ptr().get() || !host.nbytes()) return {nullptr, device};
  void* block = allocateOn(device.index(), host.nbytes());
  std::memcpy(block, host.data_ptr().get(), host.nbytes());
  return owning(block, device);
}

}  // namespace

void NeuronStorage::endUses() {
  if (uses) state().streams.release(*uses);
  uses.reset();
}

void NeuronStorage::release_resources() {
  endUses();
  host.reset();
  c10::StorageImpl::release_resources();
}

c10::intrusive_ptr<c10::StorageImpl> makeStorage(size_t bytes, c10::Device device) {
  auto data = bytes ? owning(allocateOn(device.index(), bytes), device) : c10::DataPtr(nullptr, device);
  auto storage = c10::make_intrusive<NeuronStorage>(c10::StorageImpl::use_byte_size_t(), bytes, std::move(data),
                                                    deviceAllocator(), /*resizable=*/true);
  if (streamsMatter()) noteFreshStorage(*storage);
  return storage;
}

c10::intrusive_ptr<c10::StorageImpl> adoptStorage(c10::intrusive_ptr<c10::StorageImpl> host, c10::DeviceIndex index,
                                                  bool may_move) {
  const c10::Device device(kNeuron, index);
  const bool moves = may_move && host->nbytes() && ownsDeviceBlock(*host);
  auto data = moves ? moveBytes(host.get(), device) : copyBytes(*host, device);
  auto storage = c10::make_intrusive<NeuronStorage>(c10::StorageImpl::use_byte_size_t(), host->nbytes(),
                                                    std::move(data), deviceAllocator(), /*resizable=*/true);
  storage->host = moves ? std::move(host) : makeHostAlias(*storage);
  if (streamsMatter()) noteWrittenStorage(*storage);
  return storage;
}

void takeResizedBytes(c10::StorageImpl* host, c10::StorageImpl* device_storage) {
  const c10::Device device = device_storage->device();
  const size_t bytes = host->nbytes();
  device_storage->set_data_ptr_noswap(bytes && ownsDeviceBlock(*host) ? moveBytes(host, device)
                                                                      : copyBytes(*host, device));
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
