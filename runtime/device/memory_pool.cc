// A caching allocator in two pools, split at 1 MiB as the real device's is.
//
// Small blocks have four size classes per power of two, are carved from 2 MiB segments and go back to a free list: an
// allocation is a pop. Large blocks are best fit over the whole range with neighbours merged on release. A header in
// front of each block carries its size, so that releasing needs the address only (PyTorch's deleters get no more).
// Segments are never given back, and cached blocks of one class do not serve another.

#include "runtime/device/memory_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

namespace np::device {
namespace {

size_t roundUp(size_t bytes, size_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

struct SizeClass {
  int index;
  size_t bytes;
};

// The smallest class that holds `bytes`: 2^k, 1.25 * 2^k, 1.5 * 2^k or 1.75 * 2^k, from 256 on so that all are
// multiples of 64.
SizeClass sizeClassOf(size_t bytes) {
  bytes = std::max<size_t>(bytes, 256);
  const size_t step = size_t{1} << (std::bit_width(bytes) - 3);
  const size_t rounded = roundUp(bytes, step);
  const int exponent = static_cast<int>(std::bit_width(rounded)) - 1;
  return {exponent * 4 + static_cast<int>((rounded >> (exponent - 2)) & 3) - 8 * 4, rounded};
}

}  // namespace

MemoryPool::MemoryPool(char* begin, size_t bytes) : begin_(begin), end_(begin + bytes), top_(begin) {
  addFree(begin, bytes);
}

void* MemoryPool::allocate(size_t bytes) {
  std::lock_guard lock(mutex_);
  const size_t needed = bytes + kHeader;
  Header header{bytes, roundUp(needed, kPage), kLargeBlock};
  char* block = nullptr;
  if (bytes > capacity()) {
    block = nullptr;  // and `needed` may have wrapped round
  } else if (needed > kSmallLimit) {
    block = takeLarge(header.block_bytes);
  } else {
    const SizeClass small = sizeClassOf(needed);
    header = {bytes, small.bytes, small.index};
    block = takeSmall(small.index, small.bytes);
  }
  if (!block) {
    ++stats_.out_of_memory;
    return nullptr;
  }
  *reinterpret_cast<Header*>(block) = header;
  stats_.allocated += bytes;
  stats_.allocated_peak = std::max(stats_.allocated_peak, stats_.allocated);
  stats_.reserved_peak = std::max(stats_.reserved_peak, reservedBytes());
  ++stats_.allocations;
  return block + kHeader;
}

void MemoryPool::release(void* pointer) {
  char* block = static_cast<char*>(pointer) - kHeader;
  const Header header = *reinterpret_cast<Header*>(block);
  std::lock_guard lock(mutex_);
  stats_.allocated -= header.requested;
  ++stats_.releases;
  if (header.size_class == kLargeBlock)
    returnLarge(block, header.block_bytes);
  else
    free_small_[header.size_class].push_back(block);
}

char* MemoryPool::takeSmall(int size_class, size_t block_bytes) {
  auto& cached = free_small_[size_class];
  if (!cached.empty()) {
    char* block = cached.back();
    cached.pop_back();
    return block;
  }
  if (static_cast<size_t>(segment_end_ - segment_next_) < block_bytes) {
    char* segment = takeLarge(kSegment);
    if (!segment) return nullptr;
    segment_next_ = segment;
    segment_end_ = segment + kSegment;
  }
  char* block = segment_next_;
  segment_next_ += block_bytes;
  return block;
}

char* MemoryPool::takeLarge(size_t block_bytes) {
  auto fit = free_by_size_.lower_bound({block_bytes, nullptr});
  if (fit == free_by_size_.end()) return nullptr;
  auto [range_bytes, block] = *fit;
  removeFree(free_large_.find(block));
  if (range_bytes > block_bytes) addFree(block + block_bytes, range_bytes - block_bytes);
  live_large_ += block_bytes;
  top_ = std::max(top_, block + block_bytes);
  trimmed_ = std::min(trimmed_, static_cast<size_t>(top_ - begin_) - live_large_);
  return block;
}

void MemoryPool::returnLarge(char* block, size_t block_bytes) {
  live_large_ -= block_bytes;
  auto next = free_large_.lower_bound(block);
  if (next != free_large_.end() && block + block_bytes == next->first) {
    block_bytes += next->second;
    removeFree(next++);
  }
  if (next != free_large_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == block) {
      block = previous->first;
      block_bytes += previous->second;
      removeFree(previous);
    }
  }
  addFree(block, block_bytes);
}

void MemoryPool::addFree(char* block, size_t bytes) {
  free_large_.emplace(block, bytes);
  free_by_size_.emplace(bytes, block);
}

void MemoryPool::removeFree(std::map<char*, size_t>::iterator range) {
  free_by_size_.erase({range->second, range->first});
  free_large_.erase(range);
}

void MemoryPool::trim() {
  std::lock_guard lock(mutex_);
  for (auto& [block, bytes] : free_large_) {
    if (block >= top_) continue;
    const size_t used = std::min(bytes, static_cast<size_t>(top_ - block));
    // The header of a neighbour never shares a page: large blocks start and end on page borders.
    madvise(block, used, MADV_DONTNEED);
    if (block + used == top_) top_ = block;
  }
  trimmed_ = static_cast<size_t>(top_ - begin_) - live_large_;
}

size_t MemoryPool::reservedBytes() const { return static_cast<size_t>(top_ - begin_) - trimmed_; }

MemoryStats MemoryPool::stats() const {
  std::lock_guard lock(mutex_);
  MemoryStats stats = stats_;
  stats.reserved = reservedBytes();
  return stats;
}

void MemoryPool::resetPeak() {
  std::lock_guard lock(mutex_);
  stats_.allocated_peak = stats_.allocated;
  stats_.reserved_peak = reservedBytes();
}

void MemoryPool::resetAccumulated() {
  std::lock_guard lock(mutex_);
  stats_.allocations = stats_.releases = stats_.out_of_memory = 0;
}

}  // namespace np::device
