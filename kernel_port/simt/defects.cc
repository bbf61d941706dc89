// Collecting defects: one per kind, pair of places and object, counted; with the text that a person reads.

#include <algorithm>

#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {
namespace {

std::string hex(const uint8_t* bytes, uint64_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "0x";
  for (uint64_t k = size; k-- > 0;) {
    out += kDigits[bytes[k] >> 4];
    out += kDigits[bytes[k] & 15];
  }
  return out;
}

}  // namespace

std::string Machine::describe(const Region& region, uint64_t offset) const {
  const auto at = static_cast<int64_t>(offset);
  const auto size = static_cast<int64_t>(region.element_size);
  if (region.kind == Region::Kind::Local) return "offset " + std::to_string(at) + " of local memory";
  const int64_t index = at >= 0 ? at / size : -((-at + size - 1) / size);
  std::string out = "\"" + region.name + "\"[" + std::to_string(index) + "]";
  if (at - index * size != 0) out += " + " + std::to_string(at - index * size) + " bytes";
  if (region.kind == Region::Kind::Shared) out += " (shared)";
  return out;
}

std::string Machine::threadText(uint32_t thread) const {
  const auto& id = threads_[thread].id;
  return "(" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) + ")";
}

// The caller sets `message` on the returned defect; a repeated one only counts.
Defect& Machine::report(DefectKind kind, const Thread& thread, uint32_t place, uint32_t other,
                        const std::string& object) {
  const auto key =
      std::make_tuple(static_cast<int>(kind), place & AccessRecord::kPlace, other & AccessRecord::kPlace, object);
  auto [found, added] = defects_.try_emplace(key);
  Defect& defect = found->second;
  if (!added) {
    ++defect.count;
    repeated_ = defect;  // callers describe what they saw; keep the first description
    return repeated_;
  }
  defect_order_.push_back(key);
  if (defects_.size() >= options_.max_defects) stopped_ = true;
  defect.kind = kind;
  defect.place = program_.place(place & AccessRecord::kPlace);
  if (other) defect.other = program_.place(other & AccessRecord::kPlace);
  defect.kernel = kernel_->facts.name;
  defect.object = object;
  for (int axis = 0; axis < 3; ++axis) {
    defect.thread[axis] = thread.id[axis];
    defect.block[axis] = coordinates_[3 + axis];
  }
  return defect;
}

void Machine::reportRace(const Region& region, uint64_t offset, const AccessRecord& earlier, bool earlier_write,
                         const Thread& thread, uint32_t place, const char* access, uint64_t size,
                         const uint8_t* value) {
  Defect& defect = report(DefectKind::Race, thread, place, earlier.location(), region.name);
  const char* before = earlier.atomic() ? "atomic update" : earlier_write ? "write" : "read";
  defect.message =
      std::string(access) + " of " + describe(region, offset) + " races with the " + before + " by thread ";
  defect.message += earlier.block == block_
                        ? threadText(earlier.thread)
                        : std::to_string(earlier.thread) + " of block " + std::to_string(earlier.block);
  defect.message += earlier.block != block_                                  ? ": blocks run in any order"
                    : earlier.thread / kWarpSize == thread.index / kWarpSize ? ": no barrier or __syncwarp between"
                                                                             : ": no barrier between";
  if (value && earlier_write && offset + size <= region.size) {
    defect.values = {hex(region.data + offset, size), hex(value, size)};
    if (defect.values[0] == defect.values[1]) defect.message += " (both write the same value)";
  }
}

// A read that came too early is one fault: where a race explains it, "nothing has written" is not said as well.
std::vector<Defect> Machine::takeDefects() {
  std::vector<Defect> out;
  const auto raced = [&](const Defect& read) {
    return std::any_of(defects_.begin(), defects_.end(), [&](const auto& entry) {
      const Defect& race = entry.second;
      return race.kind == DefectKind::Race && race.object == read.object && race.kernel == read.kernel &&
             (race.place == read.place || race.other == read.place);
    });
  };
  for (const auto& key : defect_order_)
    if (const Defect& defect = defects_[key]; defect.kind != DefectKind::Uninitialised || !raced(defect))
      out.push_back(defect);
  defects_.clear();
  defect_order_.clear();
  return out;
}

}  // namespace np::kernel_port::simt
