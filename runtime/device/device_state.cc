// Owns the memory of all devices and what each thread regards as current.
//
// The state is allocated once and leaked on purpose: tensors in Python globals are freed after static destructors ran.
// A forked child keeps a copy of the pages but is refused, as on the real device, whose runtime cannot be used there.

#include "runtime/device/device_state.h"

#include <c10/util/Exception.h>
#include <pthread.h>

#include <atomic>

namespace np::device {
namespace {

std::atomic<DeviceState*> opened{nullptr};
std::atomic<bool> forked{false};

}  // namespace

DeviceState::DeviceState(AddressSpace reserved) : space(std::move(reserved)) {
  for (int device = 0; device < space.deviceCount(); ++device)
    pools.push_back(std::make_unique<MemoryPool>(space.hostBegin(device), space.bytesPerDevice()));
}

Result<void> openDevices(const AddressSpaceOptions& options) {
  if (isOpen()) return makeError("device-open", "device \"neuron\" is already open in this process");
  NP_ASSIGN(auto space, AddressSpace::reserve(options));
  opened = new DeviceState(std::move(space));
  pthread_atfork(nullptr, nullptr, [] { forked = true; });
  return Unit{};
}

bool isOpen() { return opened.load(std::memory_order_relaxed) != nullptr; }

DeviceState& state() { return *opened.load(std::memory_order_relaxed); }

ThreadState& threadState() {
  thread_local ThreadState thread;
  return thread;
}

StreamKey currentStream(c10::DeviceIndex device) {
  return {device, threadState().streams[static_cast<size_t>(device)]};
}

bool inForkedChild() { return forked.load(std::memory_order_relaxed); }

c10::Device resolveDevice(c10::Device device) {
  TORCH_CHECK(!inForkedChild(),
              "Cannot re-initialize neuron in forked subprocess. To use neuron with multiprocessing, you must use the "
              "'spawn' start method");
  const auto index = device.index() < 0 ? threadState().device : device.index();
  TORCH_CHECK(index < state().space.deviceCount(), "neuron: invalid device index ", int{index}, "; this process has ",
              state().space.deviceCount(), " (set NEURON_RT_NUM_CORES)");
  return {kNeuron, index};
}

void* allocateOn(c10::DeviceIndex device, size_t bytes) {
  MemoryPool& pool = *state().pools[static_cast<size_t>(device)];
  if (void* block = pool.allocate(bytes)) return block;
  const MemoryStats stats = pool.stats();
  TORCH_CHECK_WITH(OutOfMemoryError, false, "neuron out of memory. Tried to allocate ", bytes >> 20,
                   " MiB on neuron:", int{device}, ", which has ", pool.capacity() >> 20, " MiB in total; ",
                   stats.allocated >> 20, " MiB are allocated and ", stats.reserved >> 20, " MiB reserved");
}

void releaseBlock(void* host) {
  if (!host) return;
  state().pools[static_cast<size_t>(state().space.deviceOf(host))]->release(host);
}

}  // namespace np::device
