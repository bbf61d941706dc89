// The hooks object: availability, current device, pinned memory, generators and storage resizing.

#include "runtime/device/hooks.h"

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>

#include <algorithm>
#include <cstring>

#include "runtime/device/allocators.h"
#include "runtime/device/device_state.h"
#include "runtime/device/generator.h"
#include "runtime/device/storage.h"

namespace np::device {
namespace {

class NeuronHooks final : public at::PrivateUse1HooksInterface {
 public:
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return isOpen(); }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return isOpen(); }
  void init() const override {}

  c10::DeviceIndex deviceCount() const override {
    return isOpen() ? static_cast<c10::DeviceIndex>(state().space.deviceCount()) : 0;
  }
  c10::DeviceIndex getCurrentDevice() const override { return threadState().device; }
  void setCurrentDevice(c10::DeviceIndex index) const override {
    threadState().device = resolveDevice({kNeuron, index}).index();
  }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    const auto before = threadState().device;
    setCurrentDevice(index);
    return before;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override {
    const auto before = threadState().device;
    if (index >= 0) setCurrentDevice(index);
    return before;
  }

  bool isPinnedPtr(const void* data) const override { return state().pinned.holds(data); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return at::getHostAllocator(kNeuron); }
  c10::Device getDeviceFromPtr(void* data) const override {
    TORCH_CHECK(state().space.isDeviceAddress(data), "the address does not belong to device neuron");
    return {kNeuron, static_cast<c10::DeviceIndex>(state().space.deviceOf(data))};
  }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex index) const override { return defaultGenerator(index); }
  at::Generator getNewGenerator(c10::DeviceIndex index) const override { return makeNeuronGenerator(index); }

  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
    auto* resized = storage.unsafeGetStorageImpl();
    auto fresh = makeStorage(bytes, resized->device());
    const size_t kept = std::min(bytes, resized->nbytes());
    if (kept) deviceAllocator()->copy_data(fresh->mutable_data_ptr().get(), resized->data_ptr().get(), kept);
    resized->set_data_ptr_noswap(fresh->set_data_ptr(c10::DataPtr(nullptr, resized->device())));
    resized->set_nbytes(bytes);
  }
};

}  // namespace

void registerHooks() { at::RegisterPrivateUse1HooksInterface(new NeuronHooks); }

}  // namespace np::device
