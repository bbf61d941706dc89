#pragma once
// One device's memory: a caching allocator over a fixed range of backing addresses.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace np::device {

// Bytes and counts, with reserved >= allocated at all times.
struct MemoryStats {
  size_t allocated = 0, allocated_peak = 0;  // bytes that live tensors asked for
  size_t reserved = 0, reserved_peak = 0;    // bytes taken from the device, cached ones included
  uint64_t allocations = 0, releases = 0;    // since the last reset of the accumulated counters
  uint64_t out_of_memory = 0;
};

class MemoryPool {
 public:
  MemoryPool(char* begin, size_t bytes);

  // A 64-byte aligned block of at least `bytes` (> 0) bytes, or null when the device is full.
  void* allocate(size_t bytes);
  // Takes a block back; it stays cached.
  void release(void* block);
  // Gives the pages of cached large blocks back to the system.
  void trim();

  MemoryStats stats() const;
  void resetPeak();
  void resetAccumulated();
  size_t capacity() const { return static_cast<size_t>(end_ - begin_); }

 private:
  static constexpr size_t kHeader = 64;
  static constexpr size_t kSmallLimit = size_t{1} << 20;  // blocks up to here come from segments
  static constexpr size_t kSegment = size_t{2} << 20;     // what small blocks are carved from
  static constexpr size_t kPage = 4096;
  static constexpr int kSizeClasses = 4 * 21;

  struct Header {
    size_t requested;    // what the caller asked for
    size_t block_bytes;  // header included
    int size_class;      // or kLargeBlock
  };
  static constexpr int kLargeBlock = -1;

  char* takeSmall(int size_class, size_t block_bytes);
  char* takeLarge(size_t block_bytes);
  void returnLarge(char* block, size_t block_bytes);
  void addFree(char* block, size_t bytes);
  void removeFree(std::map<char*, size_t>::iterator range);
  size_t reservedBytes() const;

  mutable std::mutex mutex_;
  char* const begin_;
  char* const end_;
  char* top_;              // end of the highest byte ever handed out since the last trim
  size_t live_large_ = 0;  // bytes in large blocks and segments
  size_t trimmed_ = 0;     // bytes of free ranges below top_ whose pages were given back
  char* segment_next_ = nullptr;
  char* segment_end_ = nullptr;
  std::array<std::vector<char*>, kSizeClasses> free_small_;
  std::map<char*, size_t> free_large_;               // by address, for merging neighbours
  std::set<std::pair<size_t, char*>> free_by_size_;  // the same ranges, for best fit
  MemoryStats stats_;
};

}  // namespace np::device
