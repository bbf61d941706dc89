// Unwritten elements are poison: reading one is an error, so that a kernel cannot pass by luck of what lies in memory.
#include "runtime/tile/storage.h"

#include <algorithm>
#include <cstring>

namespace np::tile {

Storage::Storage(const FlatBuffer& buffer)
    : owned_(static_cast<size_t>(buffer.elements() * dtypeBytes(buffer.dtype))),
      data_(owned_.data()),
      element_bytes_(dtypeBytes(buffer.dtype)),
      known_(static_cast<size_t>(buffer.elements()), 0) {}

Storage::Storage(const FlatBuffer& buffer, std::byte* data, bool known)
    : data_(data), element_bytes_(dtypeBytes(buffer.dtype)) {
  if (!known) known_.assign(static_cast<size_t>(buffer.elements()), 0);
}

int64_t Storage::firstUnknown(int64_t first, int64_t step, int64_t count) const {
  if (known_.empty()) return -1;
  const uint8_t* known = known_.data() + first;
  if (step == 1) {
    const void* hole = std::memchr(known, 0, static_cast<size_t>(count));
    return hole ? first + (static_cast<const uint8_t*>(hole) - known) : -1;
  }
  for (int64_t i = 0; i < count; ++i) {
    if (!known[i * step]) return first + i * step;
  }
  return -1;
}

void Storage::markKnown(int64_t first, int64_t step, int64_t count) {
  if (known_.empty()) return;
  uint8_t* known = known_.data() + first;
  if (step == 1) {
    std::fill_n(known, count, uint8_t{1});
    return;
  }
  for (int64_t i = 0; i < count; ++i) known[i * step] = 1;
}

}  // namespace np::tile
