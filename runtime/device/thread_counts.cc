// Sheets outlive their threads: a thread that ends leaves its sheet, counts and all, to the next one that starts. So no
// count is lost or moved, and there are as many sheets as there were threads at the same time.

#include "runtime/device/thread_counts.h"

#include <memory>
#include <mutex>
#include <vector>

namespace np::device {
namespace {

constexpr size_t kPerChunk = 128;

struct Sheet {
  using Chunk = std::array<ThreadCounts, kPerChunk>;
  std::array<std::atomic<Chunk*>, kMaxRecords / kPerChunk> chunks{};
};

struct Sheets {
  std::mutex mutex;
  std::vector<std::unique_ptr<Sheet>> all;
  std::vector<Sheet*> idle;
};

Sheets& sheets() {
  static auto* process_sheets = new Sheets;  // threads may end after static destructors ran
  return *process_sheets;
}

// Holds a sheet for as long as its thread lives.
class Holder {
 public:
  Holder() {
    std::lock_guard lock(sheets().mutex);
    if (sheets().idle.empty()) {
      sheets().all.push_back(std::make_unique<Sheet>());
      sheet_ = sheets().all.back().get();
    } else {
      sheet_ = sheets().idle.back();
      sheets().idle.pop_back();
    }
  }
  ~Holder() {
    std::lock_guard lock(sheets().mutex);
    sheets().idle.push_back(sheet_);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  Sheet& sheet() const { return *sheet_; }

 private:
  Sheet* sheet_;
};

}  // namespace

ThreadCounts& threadCounts(uint32_t record) {
  thread_local Holder holder;
  auto& chunk = holder.sheet().chunks[record / kPerChunk];
  Sheet::Chunk* found = chunk.load(std::memory_order_relaxed);
  if (!found) chunk.store(found = new Sheet::Chunk, std::memory_order_release);
  return (*found)[record % kPerChunk];
}

CountTotals totalCounts(uint32_t record) {
  CountTotals totals{};
  std::lock_guard lock(sheets().mutex);
  for (const auto& sheet : sheets().all) {
    const Sheet::Chunk* chunk = sheet->chunks[record / kPerChunk].load(std::memory_order_acquire);
    if (!chunk) continue;
    for (size_t k = 0; k < kCounts; ++k) totals[k] += (*chunk)[record % kPerChunk].read(k);
  }
  return totals;
}

}  // namespace np::device
