// Pinned memory of the stand-in. Nothing is locked in RAM: what matters to a port is that `is_pinned()` answers as it
// would on the chip and that the DataLoader's pinning path runs.

#include "runtime/device/pinned_memory.h"

#include <algorithm>
#include <cstdlib>

namespace np::device {

void* PinnedMemory::allocate(size_t bytes) {
  bytes = std::max<size_t>((bytes + 63) / 64 * 64, 64);
  void* block = std::aligned_alloc(64, bytes);
  if (!block) return nullptr;
  std::lock_guard lock(mutex_);
  blocks_[static_cast<char*>(block)] = bytes;
  return block;
}

void PinnedMemory::release(void* block) {
  {
    std::lock_guard lock(mutex_);
    blocks_.erase(static_cast<char*>(block));
  }
  std::free(block);
}

bool PinnedMemory::holds(const void* address) const {
  auto* byte = static_cast<const char*>(address);
  std::lock_guard lock(mutex_);
  auto after = blocks_.upper_bound(byte);
  if (after == blocks_.begin()) return false;
  auto [begin, bytes] = *std::prev(after);
  return byte < begin + bytes;
}

}  // namespace np::device
