// The bytes of a buffer and which of its elements were ever written.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/tile/flat.h"

namespace np::tile {

// Calls run(first element, step, count) for the innermost dimension of a view at each index of the outer ones, in
// row-major order. `run` returns false to stop; then so does this.
template <class Run>
bool forEachRun(const FlatDim* dims, size_t rank, int64_t offset, Run&& run) {
  if (rank == 0) return run(offset, int64_t{1}, int64_t{1});
  if (rank == 1) return run(offset, dims[0].step, dims[0].size);
  for (int64_t i = 0; i < dims[0].size; ++i) {
    if (!forEachRun(dims + 1, rank - 1, offset + i * dims[0].step, run)) return false;
  }
  return true;
}

class Storage {
 public:
  // Memory of its own, nothing written yet.
  explicit Storage(const FlatBuffer& buffer);
  // Memory of the caller; `known` says whether it holds values already.
  Storage(const FlatBuffer& buffer, std::byte* data, bool known);

  std::byte* at(int64_t element) { return data_ + element * element_bytes_; }
  int64_t elementBytes() const { return element_bytes_; }
  // Position of the first element of the run that was never written, -1 if none.
  int64_t firstUnknown(int64_t first, int64_t step, int64_t count) const;
  void markKnown(int64_t first, int64_t step, int64_t count);
  int64_t firstUnknown() const { return firstUnknown(0, 1, static_cast<int64_t>(known_.size())); }

 private:
  std::vector<std::byte> owned_;
  std::byte* data_ = nullptr;
  int64_t element_bytes_ = 1;
  std::vector<uint8_t> known_;  // empty: all of it
};

}  // namespace np::tile
