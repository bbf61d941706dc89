#pragma once
// Counters that every op adds to, without a shared cache line: each thread has a sheet of its own, readers add them up.

#include <array>
#include <atomic>
#include <cstdint>

namespace np::device {

enum class Count : uint8_t { Calls, BackwardCalls, BytesIn, BytesOut, Float64Calls, Int64Calls, ComplexCalls };
constexpr size_t kCounts = 7;
using CountTotals = std::array<uint64_t, kCounts>;

// One record's counters in one thread: written by that thread only, read by all.
class ThreadCounts {
 public:
  void bump(Count which, uint64_t by = 1) {
    auto& counter = counters_[static_cast<size_t>(which)];
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
  uint64_t read(size_t which) const { return counters_[which].load(std::memory_order_relaxed); }

 private:
  std::array<std::atomic<uint64_t>, kCounts> counters_{};
};

constexpr size_t kMaxRecords = 32768;

// The calling thread's counters of a record, by its number (below kMaxRecords).
ThreadCounts& threadCounts(uint32_t record);
// The sum over all threads, also those that ended.
CountTotals totalCounts(uint32_t record);

}  // namespace np::device
