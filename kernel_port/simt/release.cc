// Order through memory: a thread fences and updates a word atomically, another one updates or reads that word
// atomically and may then use what the first wrote ("the last block adds up"). Only the pairs that were seen are
// remembered; locks passed on through a third thread work because every owner adds a release at the lock's address.
// What is not followed: order that comes from plain or volatile accesses to a flag.

#include <algorithm>

#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {
namespace {

constexpr size_t kMostReleases = 1 << 16;  // at one address; order through later ones is not seen

}  // namespace

void Machine::fence(Thread& thread) {
  thread.fence_epoch = epoch_;
  thread.fence_clock = ++clocks_[thread.index];
}

void Machine::synchroniseAtomic(Thread& thread, uint64_t address, bool writes) {
  if (thread.fence_epoch == 0 && released_.empty()) return;
  if (auto found = released_.find(address); found != released_.end())
    addAcquired(thread.acquired, {{address, found->second.size()}});
  if (!writes || thread.fence_epoch == 0) return;
  std::vector<Release>& all = released_[address];
  if (all.size() < kMostReleases) all.push_back({block_, thread.index, thread.fence_epoch, thread.fence_clock});
}

void Machine::addAcquired(std::vector<Acquired>& to, const std::vector<Acquired>& from) {
  for (const Acquired& each : from) {
    auto known = std::find_if(to.begin(), to.end(), [&](const Acquired& a) { return a.address == each.address; });
    if (known == to.end()) {
      to.push_back(each);
    } else {
      known->count = std::max(known->count, each.count);
    }
  }
}

// Whether an access came before a release that `thread`, or its block, has acquired.
bool Machine::isReleased(const AccessRecord& record, const Thread& thread) const {
  const auto covered = [&](const std::vector<Acquired>& acquired) {
    for (const Acquired& each : acquired) {
      const std::vector<Release>& all = released_.at(each.address);
      for (size_t k = 0; k < each.count; ++k) {
        const Release& release = all[k];
        if (release.block != record.block) continue;
        const bool own =
            release.thread == record.thread && release.epoch == record.epoch && record.clock < release.clock;
        if (record.epoch < release.epoch || own) return true;
      }
    }
    return false;
  };
  return covered(thread.acquired) || covered(acquired_);
}

}  // namespace np::kernel_port::simt
