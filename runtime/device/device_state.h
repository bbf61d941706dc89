#pragma once
// The process's one device: PyTorch's registries are per process, so this is the room's only shared state.

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <array>
#include <memory>
#include <vector>

#include "runtime/device/address_space.h"
#include "runtime/device/memory_pool.h"
#include "runtime/device/pinned_memory.h"
#include "runtime/device/stream_board.h"

namespace np::device {

constexpr auto kNeuron = c10::DeviceType::PrivateUse1;
constexpr int kMaxDevices = 16;

// Memory of every device; made once by openDevices and never destroyed, since storages outlive static destructors.
struct DeviceState {
  explicit DeviceState(AddressSpace reserved);

  AddressSpace space;
  std::vector<std::unique_ptr<MemoryPool>> pools;  // one a device
  PinnedMemory pinned;
  StreamBoard streams;
};

// Reserves the memory; the second call in a process is an error.
Result<void> openDevices(const AddressSpaceOptions& options);
// Whether openDevices succeeded.
bool isOpen();
// The state; only after openDevices.
DeviceState& state();

// What belongs to a thread. PyTorch sets the device of autograd's threads through the guard.
struct ThreadState {
  c10::DeviceIndex device = 0;
  std::array<c10::StreamId, kMaxDevices> streams{};
  int kernels_running = 0;             // > 0: CPU allocations of this thread come from device memory
  c10::DeviceIndex kernel_device = 0;  // which device's
};
ThreadState& threadState();

// "neuron" without an index means the thread's current device; an index that does not exist is an error.
c10::Device resolveDevice(c10::Device device);

// The thread's current stream of a device.
StreamKey currentStream(c10::DeviceIndex device);

// Runs in the child after fork: from then on the device refuses work there.
bool inForkedChild();

// A host block of `bytes` from the device's pool; throws c10::OutOfMemoryError with the numbers a user needs.
void* allocateOn(c10::DeviceIndex device, size_t bytes);
// Gives a block back, from any thread.
void releaseBlock(void* host);

}  // namespace np::device
