#pragma once
// Host memory that the device may copy from: ordinary memory whose addresses are remembered.

#include <cstddef>
#include <map>
#include <mutex>

namespace np::device {

class PinnedMemory {
 public:
  // A 64-byte aligned block, or null when the system has none.
  void* allocate(size_t bytes);
  void release(void* block);
  // Whether the address lies in a block of ours.
  bool holds(const void* address) const;

 private:
  mutable std::mutex mutex_;
  std::map<const char*, size_t> blocks_;
};

}  // namespace np::device
