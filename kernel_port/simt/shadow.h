// What is remembered about the accesses to one object: the last write and two reads of each granule, with the time of
// each, so that a later access can be told ordered or racing; and which bytes were written at all.
//
// Time: `epoch` counts barriers over the whole run, so two accesses in one block are ordered when their epochs differ;
// within a warp `clock` counts the lane's __syncwarp calls (see machine.h for what is known of other lanes' clocks).
// Two reads are enough: a third reader of the same epoch replaces one that is ordered before it, else one of the same
// warp; only a write ordered after the kept readers but not after a dropped one (partial __syncwarp masks) is missed.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace np::kernel_port::simt {

struct AccessRecord {
  // kSeveral: before this atomic other threads of the block had theirs in the same epoch; kForeign: other blocks had.
  static constexpr uint32_t kAtomic = uint32_t{1} << 31, kSeveral = uint32_t{1} << 30, kForeign = uint32_t{1} << 29,
                            kPlace = kForeign - 1;
  uint32_t epoch = 0;  // 0: none
  uint32_t block = 0;
  uint32_t clock = 0;
  uint16_t thread = 0;
  uint32_t place = 0;  // location and the flags above

  bool atomic() const { return place & kAtomic; }
  uint32_t location() const { return place & kPlace; }
};

struct ShadowCell {
  AccessRecord write, read[2];
  uint32_t written = 0;  // a bit per byte of the granule
};

class Shadow {
 public:
  // `granule` is a power of two up to 8. Memory is only committed by the system where it is touched.
  Shadow(uint64_t bytes, uint32_t granule) : bytes_(bytes) { allocate(granule); }
  Shadow(Shadow&&) = default;
  Shadow& operator=(Shadow&&) = default;

  uint32_t granule() const { return uint32_t{1} << shift_; }
  uint32_t shift() const { return shift_; }
  ShadowCell& cell(uint64_t index) { return cells_.get()[index]; }
  bool ok() const { return cells_ != nullptr; }
  static uint64_t memoryFor(uint64_t bytes, uint32_t granule) { return (bytes / granule + 1) * sizeof(ShadowCell); }

  // Splits every granule; needed when an access is smaller than it or not aligned to it.
  void refine(uint32_t granule) {
    if (granule >= this->granule()) return;
    const uint32_t old_shift = shift_;
    auto old = std::move(cells_);
    const uint64_t old_count = (bytes_ >> old_shift) + 1;
    allocate(granule);
    if (!ok()) return;
    const uint32_t parts = uint32_t{1} << (old_shift - shift_);
    const uint64_t count = (bytes_ >> shift_) + 1;
    for (uint64_t k = 0; k < old_count; ++k) {
      for (uint32_t part = 0; part < parts && k * parts + part < count; ++part) {
        ShadowCell& cell = cells_.get()[k * parts + part];
        cell = old.get()[k];
        cell.written = (cell.written >> (part << shift_)) & ((1u << (1u << shift_)) - 1);
      }
    }
  }

 private:
  struct Free {
    void operator()(ShadowCell* cells) const { std::free(cells); }
  };
  void allocate(uint32_t granule) {
    shift_ = granule >= 8 ? 3 : granule >= 4 ? 2 : granule >= 2 ? 1 : 0;
    cells_.reset(static_cast<ShadowCell*>(std::calloc((bytes_ >> shift_) + 1, sizeof(ShadowCell))));
  }

  uint64_t bytes_;
  uint32_t shift_ = 2;
  std::unique_ptr<ShadowCell, Free> cells_;
};

}  // namespace np::kernel_port::simt
