// Allocators behind device, kernel and pinned memory.
//
// The one that matters is the middle one. While a CPU kernel runs for a neuron op, its allocations come from device
// memory, so the result is adopted by moving a pointer. Threads that the kernel spawns (OpenMP) do not carry the flag:
// what they allocate is ordinary and copied on adoption. One deleter frees both kinds, because PyTorch may free a raw
// pointer without knowing which it was.

#include "runtime/device/allocators.h"

#include <ATen/core/CachingHostAllocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <cstring>

#include "runtime/device/device_state.h"

namespace np::device {
namespace {

using StatType = c10::CachingDeviceAllocator::StatType;

class DeviceMemoryAllocator final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    const c10::Device device = resolveDevice(c10::Device(kNeuron));
    if (!bytes) return {nullptr, device};
    void* block = allocateOn(device.index(), bytes);
    return {state().space.toDevice(block), block, &releaseBlock, device};
  }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    std::memcpy(state().space.toHost(to), state().space.toHost(from), bytes);
  }
  bool initialized() override { return isOpen(); }
  void emptyCache(c10::MempoolId_t) override {
    for (auto& pool : state().pools) pool->trim();
  }
  // Nothing is deferred, so memory is never in use by a stream once the call that used it returned.
  void recordStream(const c10::DataPtr&, c10::Stream) override {}
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) override {
    const MemoryStats from = pool(device).stats();
    c10::CachingDeviceAllocator::DeviceStats stats;
    constexpr auto all = static_cast<size_t>(StatType::AGGREGATE);
    auto fill = [](auto& stat, size_t current, size_t peak) {
      stat.current = static_cast<int64_t>(current);
      stat.peak = static_cast<int64_t>(peak);
    };
    fill(stats.allocated_bytes[all], from.allocated, from.allocated_peak);
    fill(stats.active_bytes[all], from.allocated, from.allocated_peak);
    fill(stats.reserved_bytes[all], from.reserved, from.reserved_peak);
    stats.allocation[all].current = static_cast<int64_t>(from.allocations - from.releases);
    stats.allocation[all].allocated = static_cast<int64_t>(from.allocations);
    stats.allocation[all].freed = static_cast<int64_t>(from.releases);
    stats.num_ooms = static_cast<int64_t>(from.out_of_memory);
    return stats;
  }
  void resetAccumulatedStats(c10::DeviceIndex device) override { pool(device).resetAccumulated(); }
  void resetPeakStats(c10::DeviceIndex device) override { pool(device).resetPeak(); }
  std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex device) override {
    return {pool(device).capacity() - pool(device).stats().reserved, pool(device).capacity()};
  }

 private:
  static MemoryPool& pool(c10::DeviceIndex device) {
    return *state().pools[static_cast<size_t>(resolveDevice({kNeuron, device}).index())];
  }
};

class KernelMemoryAllocator final : public c10::Allocator {
 public:
  KernelMemoryAllocator() : ordinary_(c10::GetCPUAllocator()) {}

  c10::DataPtr allocate(size_t bytes) override {
    const ThreadState& thread = threadState();
    void* block = nullptr;
    if (thread.kernels_running && bytes)
      block = allocateOn(thread.kernel_device, bytes);
    else
      block = ordinary_->allocate(bytes).release_context();
    return {block, block, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, size_t bytes) const override { std::memcpy(to, from, bytes); }

 private:
  static void release(void* block) {
    if (!block) return;
    if (state().space.isHostAddress(block))
      releaseBlock(block);
    else
      static_cast<KernelMemoryAllocator*>(kernelAllocator())->ordinary_->raw_deleter()(block);
  }

  c10::Allocator* const ordinary_;
};

class PinnedAllocator final : public at::HostAllocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* block = state().pinned.allocate(bytes);
    TORCH_CHECK_WITH(OutOfMemoryError, block, "neuron: no host memory for ", bytes, " pinned bytes");
    return {block, block, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, size_t bytes) const override { std::memcpy(to, from, bytes); }
  // Copies are complete when they return, so a pinned block is never in flight.
  bool record_event(void*, void*, c10::Stream) override { return true; }
  void empty_cache() override {}
  at::HostStats get_stats() override { return {}; }
  void reset_accumulated_stats() override {}
  void reset_peak_stats() override {}

 private:
  static void release(void* block) { state().pinned.release(block); }
};

at::HostAllocator* pinnedAllocator() {
  static auto* allocator = new PinnedAllocator;
  return allocator;
}

}  // namespace

c10::Allocator* deviceAllocator() {
  static auto* allocator = new DeviceMemoryAllocator;
  return allocator;
}

c10::Allocator* kernelAllocator() {
  static auto* allocator = new KernelMemoryAllocator;
  return allocator;
}

void registerAllocators() {
  c10::SetAllocator(kNeuron, deviceAllocator());
  at::setHostAllocator(kNeuron, pinnedAllocator());
  constexpr uint8_t priority = 200;
  c10::SetCPUAllocator(kernelAllocator(), priority);
}

}  // namespace np::device
