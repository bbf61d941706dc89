// Every access of the device: which object, in bounds, aligned, initialised, ordered; then the bytes move.
//
// An access that fails its checks is reported and then does nothing (a load gives all ones), so that one defect does
// not hide the next. Local memory has no shadow: one state byte per byte, with gaps between objects, is enough for it.

#include <algorithm>

#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {
namespace {

constexpr uint64_t kOffsetMask = (uint64_t{1} << kRegionShift) - 1;
constexpr uint8_t kUnwritten = 0, kWritten = 1, kNoObject = 2;

uint64_t allOnes(uint32_t size) { return size >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * size)) - 1; }

bool allWritten(const uint8_t* state, uint32_t size) {
  if (size == 4) {
    uint32_t word;
    std::memcpy(&word, state, 4);
    return word == 0x01010101u;
  }
  for (uint32_t k = 0; k < size; ++k)
    if (state[k] != kWritten) return false;
  return true;
}

uint64_t readBytes(const uint8_t* at, uint32_t size) {
  uint64_t value = 0;
  switch (size) {
    case 1:
      return *at;
    case 2:
      std::memcpy(&value, at, 2);
      return value;
    case 4:
      std::memcpy(&value, at, 4);
      return value;
    case 8:
      std::memcpy(&value, at, 8);
      return value;
    default:
      std::memcpy(&value, at, size);
      return value;
  }
}

}  // namespace

Region* Machine::find(Thread& thread, uint64_t address, uint64_t size, uint32_t align, uint32_t place, bool write,
                      uint64_t& offset) {
  const uint64_t number = address >> kRegionShift;
  offset = (address & kOffsetMask) - kRegionMiddle;  // wraps below the object, so one comparison finds both sides
  if (number < regions_.size()) [[likely]] {
    Region& region = regions_[number];
    if (offset < region.size && size <= region.size - offset) [[likely]] {
      if (address & (align - 1)) [[unlikely]] {
        report(DefectKind::Misaligned, thread, place, 0, region.name).message =
            std::string(write ? "write" : "read") + " of " + std::to_string(size) + " bytes at " +
            describe(region, offset) + " is not aligned to " + std::to_string(align) + " bytes";
        return nullptr;
      }
      if (write && region.kind == Region::Kind::Constant) [[unlikely]] {
        report(DefectKind::ReadOnly, thread, place, 0, region.name).message =
            "write to constant memory \"" + region.name + "\"";
        return nullptr;
      }
      return &region;
    }
  }
  const char* access = write ? "write" : "read";
  if (number == kNullRegion || number >= regions_.size()) {
    report(DefectKind::Bounds, thread, place, 0, "").message =
        std::string(access) + " through " + (address == 0 ? "a null pointer" : "a pointer to no object");
    return nullptr;
  }
  const Region& region = regions_[number];
  report(DefectKind::Bounds, thread, place, 0, region.name).message =
      std::string(access) + " of " + std::to_string(size) + " bytes at " + describe(region, offset) +
      " is outside its " + std::to_string(region.size) + " bytes";
  return nullptr;
}

AccessRecord Machine::now(const Thread& thread, uint32_t place) const {
  return {epoch_, block_, clocks_[thread.index], static_cast<uint16_t>(thread.index), place};
}

// Whether the recorded access happens before anything that `thread` does now (or is its own).
bool Machine::ordered(const Region& region, const AccessRecord& record, const Thread& thread) const {
  if (record.epoch < (region.kind == Region::Kind::Shared ? block_epoch_ : launch_epoch_)) return true;
  if (record.block != block_) return !released_.empty() && isReleased(record, thread);
  if (record.epoch < epoch_ || record.thread == thread.index) return true;
  if (!released_.empty() && isReleased(record, thread)) return true;
  if (record.thread / kWarpSize != thread.index / kWarpSize)
    return !partial_.empty() && partial_[thread.index / kWarpSize][record.thread] > record.clock;
  return known_[thread.index][record.thread % kWarpSize] > record.clock;
}

// Like `ordered`, for a write record, which may stand for several threads' atomics.
bool Machine::orderedWrite(const Region& region, const AccessRecord& write, const Thread& thread) const {
  if (write.place & (AccessRecord::kSeveral | AccessRecord::kForeign)) [[unlikely]] {
    const uint32_t start = region.kind == Region::Kind::Shared ? block_epoch_ : launch_epoch_;
    if ((write.place & AccessRecord::kForeign) && write.epoch >= start) return false;
    if ((write.place & AccessRecord::kSeveral) && write.epoch >= epoch_) return false;
  }
  return ordered(region, write, thread);
}

// What a new atomic's record must say about the atomics that the last one stands for.
uint32_t Machine::othersFlags(const Region& region, const AccessRecord& write, const Thread& thread) const {
  const uint32_t start = region.kind == Region::Kind::Shared ? block_epoch_ : launch_epoch_;
  if (write.epoch < start) return 0;
  uint32_t flags = write.place & AccessRecord::kForeign;
  if (write.block != block_) return flags | AccessRecord::kForeign;
  if (write.epoch < epoch_) return flags;
  flags |= write.place & AccessRecord::kSeveral;
  return write.thread == thread.index ? flags : flags | AccessRecord::kSeveral;
}

ShadowCell* Machine::firstCell(Region& region, uint64_t offset, uint64_t size, uint64_t& count) {
  Shadow& shadow = *region.shadow;
  uint64_t mask = shadow.granule() - 1;
  if ((offset | size) & mask) [[unlikely]] {
    const uint64_t lowest = (offset | size) & -(offset | size);
    shadow.refine(static_cast<uint32_t>(lowest));
    if (!shadow.ok()) {
      error_ = makeError("memory-limit", "not enough memory to check accesses of \"" + region.name + "\"");
      count = 0;
      return nullptr;
    }
  }
  count = size >> shadow.shift();
  return &shadow.cell(offset >> shadow.shift());
}

void Machine::checkWritten(Region& region, uint64_t offset, uint64_t size, const Thread& thread, uint32_t place) {
  if (region.starts_initialised) return;
  uint64_t count = 0;
  ShadowCell* cell = firstCell(region, offset, size, count);
  const uint32_t full = (uint32_t{1} << region.shadow->granule()) - 1;
  for (uint64_t k = 0; k < count; ++k, ++cell) {
    const bool stale = region.kind == Region::Kind::Shared && cell->write.epoch < block_epoch_;
    if (!stale && (cell->written & full) == full) continue;
    report(DefectKind::Uninitialised, thread, place, 0, region.name).message =
        "read of " + describe(region, offset + k * region.shadow->granule()) + ", which nothing has written";
    return;
  }
}

void Machine::recordRead(Region& region, uint64_t offset, uint64_t size, const Thread& thread, uint32_t place,
                         bool atomic) {
  uint64_t count = 0;
  ShadowCell* cell = firstCell(region, offset, size, count);
  const AccessRecord record = now(thread, place | (atomic ? AccessRecord::kAtomic : 0));
  for (uint64_t k = 0; k < count; ++k, ++cell) {
    const AccessRecord& write = cell->write;
    if (write.epoch != 0 && !(atomic && write.atomic()) && !orderedWrite(region, write, thread)) [[unlikely]]
      reportRace(region, offset + k * region.shadow->granule(), write, true, thread, place, "read", size, nullptr);
    AccessRecord& first = cell->read[0];
    AccessRecord& second = cell->read[1];
    if (first.thread == record.thread && first.block == record.block) {
      // An atomic read must not hide this thread's plain one, which an atomic update could still race with.
      if (!atomic || first.atomic() || first.epoch < epoch_) first = record;
    } else if (first.epoch == 0 || ordered(region, first, thread)) {
      first = record;
    } else if (second.epoch == 0 || (second.thread == record.thread && second.block == record.block) ||
               ordered(region, second, thread) || second.thread / kWarpSize == first.thread / kWarpSize) {
      second = record;
    }
  }
}

void Machine::recordWrite(Region& region, uint64_t offset, uint64_t size, const Thread& thread, uint32_t place,
                          bool atomic, const uint8_t* value) {
  uint64_t count = 0;
  ShadowCell* cell = firstCell(region, offset, size, count);
  AccessRecord record = now(thread, place | (atomic ? AccessRecord::kAtomic : 0));
  const uint32_t full = (uint32_t{1} << region.shadow->granule()) - 1;
  const char* access = atomic ? "atomic update" : "write";
  for (uint64_t k = 0; k < count; ++k, ++cell) {
    const uint64_t at = offset + k * region.shadow->granule();
    const AccessRecord& write = cell->write;
    record.place = place | (atomic ? AccessRecord::kAtomic : 0);
    if (write.epoch != 0) {
      const bool both_atomic = atomic && write.atomic();
      if (both_atomic) {
        record.place |= othersFlags(region, write, thread);
      } else if (!orderedWrite(region, write, thread)) {
        reportRace(region, at, write, true, thread, place, access, size, value);
      }
    }
    for (const AccessRecord& read : cell->read) {
      if (read.epoch != 0 && !(atomic && read.atomic()) && !ordered(region, read, thread))
        reportRace(region, at, read, false, thread, place, access, size, nullptr);
    }
    cell->write = record;
    cell->written |= full;
  }
}

void Machine::countWrite(Region& region, uint64_t offset, uint64_t size, bool atomic) {
  if (!region.writes || size == 0) return;
  auto& counts = atomic ? region.writes->atomics : region.writes->stores;
  const uint64_t last = (offset + size - 1) / region.element_size;
  for (uint64_t k = offset / region.element_size; k <= last; ++k) ++counts[k];
}

// Whether the bytes belong to one of the thread's variables; reports it when not.
bool Machine::localObject(Thread& thread, uint64_t offset, uint64_t size, uint32_t place, const char* access) {
  const uint8_t* state = &thread.local_state[offset];
  if (!std::memchr(state, kNoObject, size)) return true;
  report(DefectKind::Bounds, thread, place, 0, "local").message =
      std::string(access) + " of " + std::to_string(size) + " bytes outside every local variable";
  return false;
}

uint64_t Machine::load(Thread& thread, uint64_t address, uint32_t size, uint32_t align, uint32_t place) {
  uint64_t offset = 0;
  Region* region = find(thread, address, size, align, place, false, offset);
  if (!region) return allOnes(size);
  if (region->kind == Region::Kind::Local) {
    if (!allWritten(&thread.local_state[offset], size)) [[unlikely]] {
      if (!localObject(thread, offset, size, place, "read")) return allOnes(size);
      report(DefectKind::Uninitialised, thread, place, 0, "local").message =
          "read of a local variable that nothing has written";
    }
    return readBytes(region->data + offset, size);
  }
  if (region->shadow) {
    checkWritten(*region, offset, size, thread, place);
    recordRead(*region, offset, size, thread, place);
  }
  return readBytes(region->data + offset, size);
}

void Machine::store(Thread& thread, uint64_t address, uint64_t value, uint32_t size, uint32_t align, uint32_t place) {
  uint64_t offset = 0;
  Region* region = find(thread, address, size, align, place, true, offset);
  if (!region) return;
  if (region->kind == Region::Kind::Local) {
    if (!localObject(thread, offset, size, place, "write")) return;
    std::memset(&thread.local_state[offset], kWritten, size);
  } else if (region->shadow) {
    recordWrite(*region, offset, size, thread, place, false, reinterpret_cast<const uint8_t*>(&value));
    countWrite(*region, offset, size, false);
  }
  std::memcpy(region->data + offset, &value, size);
}

// A copy moves "not written" along with the bytes instead of reporting it: structs have padding.
void Machine::copy(Thread& thread, uint64_t to, uint64_t from, uint64_t size, uint32_t align_to, uint32_t align_from,
                   uint32_t place) {
  if (size == 0) return;
  uint64_t from_offset = 0, to_offset = 0;
  Region* source = find(thread, from, size, align_from, place, false, from_offset);
  Region* target = find(thread, to, size, align_to, place, true, to_offset);
  if (!source && target && target->kind == Region::Kind::Local && localObject(thread, to_offset, size, place, "copy"))
    std::memset(&thread.local_state[to_offset], kWritten, size);  // the failed read was reported; its uses need not be
  if (!source || !target) return;
  std::vector<uint8_t> bytes(source->data + from_offset, source->data + from_offset + size);
  std::vector<uint8_t> written(size, kWritten);
  if (source->kind == Region::Kind::Local) {
    if (!localObject(thread, from_offset, size, place, "copy")) return;
    written.assign(&thread.local_state[from_offset], &thread.local_state[from_offset] + size);
  } else if (source->shadow) {
    recordRead(*source, from_offset, size, thread, place);
    if (!source->starts_initialised && source->shadow->ok()) {
      for (uint64_t k = 0; k < size; ++k) {
        const uint64_t at = from_offset + k, granule = source->shadow->granule();
        const ShadowCell& cell = source->shadow->cell(at / granule);
        const bool stale = source->kind == Region::Kind::Shared && cell.write.epoch < block_epoch_;
        if (stale || !(cell.written >> (at % granule) & 1)) written[k] = kUnwritten;
      }
    }
  }
  if (target->kind == Region::Kind::Local) {
    if (!localObject(thread, to_offset, size, place, "copy")) return;
    std::copy(written.begin(), written.end(), &thread.local_state[to_offset]);
  } else if (target->shadow) {
    recordWrite(*target, to_offset, size, thread, place, false, bytes.data());
    countWrite(*target, to_offset, size, false);
    if (!target->starts_initialised && std::find(written.begin(), written.end(), kUnwritten) != written.end()) {
      target->shadow->refine(1);
      for (uint64_t k = 0; k < size && target->shadow->ok(); ++k)
        if (written[k] == kUnwritten) target->shadow->cell(to_offset + k).written = 0;
    }
  }
  std::memcpy(target->data + to_offset, bytes.data(), size);
}

void Machine::fill(Thread& thread, uint64_t to, uint8_t value, uint64_t size, uint32_t place) {
  if (size == 0) return;
  uint64_t offset = 0;
  Region* target = find(thread, to, size, 1, place, true, offset);
  if (!target) return;
  if (target->kind == Region::Kind::Local) {
    if (!localObject(thread, offset, size, place, "write")) return;
    std::memset(&thread.local_state[offset], kWritten, size);
  } else if (target->shadow) {
    recordWrite(*target, offset, size, thread, place, false, nullptr);
    countWrite(*target, offset, size, false);
  }
  std::memset(target->data + offset, value, size);
}

uint8_t* Machine::atomicBytes(Thread& thread, uint64_t address, uint32_t size, uint32_t place) {
  uint64_t offset = 0;
  Region* region = find(thread, address, size, size, place, true, offset);
  if (!region) return nullptr;
  if (region->kind == Region::Kind::Local) {
    report(DefectKind::Bounds, thread, place, 0, "local").message = "atomic operation on a local variable";
    return nullptr;
  }
  if (region->shadow) {
    checkWritten(*region, offset, size, thread, place);
    recordWrite(*region, offset, size, thread, place, true, nullptr);
    countWrite(*region, offset, size, true);
    synchroniseAtomic(thread, address, true);
  }
  return region->data + offset;
}

// An atomic read: ordered with atomic updates, racing with plain ones.
uint64_t Machine::atomicLoad(Thread& thread, uint64_t address, uint32_t size, uint32_t place) {
  uint64_t offset = 0;
  Region* region = find(thread, address, size, size, place, false, offset);
  if (!region) return allOnes(size);
  if (region->shadow) {
    checkWritten(*region, offset, size, thread, place);
    recordRead(*region, offset, size, thread, place, true);
    synchroniseAtomic(thread, address, false);
  }
  return readBytes(region->data + offset, size);
}

bool Machine::isInSpace(uint64_t address, uint32_t space) const {
  const uint64_t number = address >> kRegionShift;
  if (number == kNullRegion || number >= regions_.size()) return false;
  switch (regions_[number].kind) {
    case Region::Kind::Shared:
      return space == 1;
    case Region::Kind::Constant:
      return space == 2;
    case Region::Kind::Local:
      return space == 3;
    default:
      return space == 0;
  }
}

Result<void> Machine::addObjects(const launch::CasePlan& plan, std::vector<launch::HostBuffer>& buffers,
                                 RunResult& result) {
  uint64_t needed = 0;
  for (const launch::HostBuffer& buffer : buffers)
    needed += buffer.bytes.size() +
              Shadow::memoryFor(buffer.bytes.size(), static_cast<uint32_t>(launch::byteSize(buffer.type)));
  if (needed > options_.memory_limit)
    return makeError("memory-limit", "checking these buffers takes " + std::to_string(needed >> 20) +
                                         " MiB; the limit is " + std::to_string(options_.memory_limit >> 20) +
                                         " MiB: use smaller sizes");
  regions_.clear();
  regions_.resize(kFirstGlobalRegion + program_.globals.size() + buffers.size());
  regions_[kLocalRegion].kind = Region::Kind::Local;
  regions_[kLocalRegion].name = "local";
  for (size_t k = 0; k < program_.globals.size(); ++k) {
    const GlobalVariable& variable = program_.globals[k];
    Region& region = regions_[kFirstGlobalRegion + k];
    region.name = variable.name;
    region.element_size = variable.granule;
    region.kind = variable.space == Space::Shared     ? Region::Kind::Shared
                  : variable.space == Space::Constant ? Region::Kind::Constant
                                                      : Region::Kind::Variable;
    if (region.kind == Region::Kind::Shared) continue;  // made per launch
    region.storage = variable.bytes;
    region.storage.resize(variable.size);
    region.data = region.storage.data();
    region.size = variable.size;
    region.starts_initialised = true;
    if (region.kind == Region::Kind::Variable) region.shadow.emplace(region.size, variable.granule);
  }
  first_buffer_ = kFirstGlobalRegion + program_.globals.size();
  if (options_.record_writes) result.writes.resize(buffers.size());
  for (size_t k = 0; k < buffers.size(); ++k) {
    Region& region = regions_[first_buffer_ + k];
    region.kind = Region::Kind::Buffer;
    region.name = buffers[k].name;
    region.data = buffers[k].bytes.data();
    region.size = buffers[k].bytes.size();
    region.element_size = static_cast<uint32_t>(launch::byteSize(buffers[k].type));
    const launch::Role role = plan.buffers[k].role;
    region.starts_initialised = role == launch::Role::In || role == launch::Role::InOut;
    region.shadow.emplace(region.size, region.element_size);
    if (!region.shadow->ok()) return makeError("memory-limit", "not enough memory to check \"" + region.name + "\"");
    if (options_.record_writes) {
      WriteSet& writes = result.writes[k];
      writes.buffer = region.name;
      writes.stores.assign(buffers[k].elements(), 0);
      writes.atomics.assign(buffers[k].elements(), 0);
      region.writes = &writes;
    }
  }
  return {};
}

}  // namespace np::kernel_port::simt
