// Barriers of a block. The plain ones wait for every live thread; threads that have exited do not count (compute
// capability 7.0 and later). A barrier with a thread count waits for as many warps, and orders only those that came:
// their clocks are joined the way __syncwarp joins lanes.

#include <algorithm>
#include <set>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {

// The threads that wait at one barrier.
struct Machine::BarrierGroup {
  std::vector<uint32_t> waiting;
  std::set<uint64_t> counts;  // 0: without a count
};

namespace {

DeviceOp opOf(const Instruction& instruction) { return static_cast<DeviceOp>(instruction.flags); }

}  // namespace

bool Machine::resolveBarrier() {
  std::map<uint32_t, BarrierGroup> groups;
  uint32_t alive = 0;
  for (const Thread& thread : threads_) {
    if (thread.state == ThreadState::Exited) continue;
    ++alive;
    if (thread.state != ThreadState::AtBarrier) continue;
    const Instruction& at = program_.functions[thread.function].code[thread.pc];
    const DeviceOp op = opOf(at);
    if (op == DeviceOp::GridBarrier) continue;
    const bool named = op == DeviceOp::BarrierId || op == DeviceOp::BarrierIdCount;
    const auto id = named ? static_cast<uint32_t>(thread.registers[at.a]) : 0;
    if (id > 15) {
      error_ = failure("arguments", "barrier " + std::to_string(id) + " does not exist; there are 0 to 15", thread,
                       program_.functions[thread.function].locations[thread.pc]);
      return true;
    }
    groups[id].waiting.push_back(thread.index);
    groups[id].counts.insert(op == DeviceOp::BarrierIdCount ? thread.registers[at.c] : 0);
  }
  for (const auto& [id, group] : groups) {
    if (!opens(group, alive, id)) {
      if (error_) return true;
      continue;
    }
    open(id, group, group.waiting.size() == alive);
    return true;
  }
  return false;
}

bool Machine::opens(const BarrierGroup& group, uint32_t alive, uint32_t id) {
  const Thread& first = threads_[group.waiting[0]];
  const uint32_t place = program_.functions[first.function].locations[first.pc];
  if (group.counts.size() > 1) {
    error_ = failure("arguments", "threads wait at barrier " + std::to_string(id) + " with different thread counts",
                     first, place);
    return false;
  }
  const uint64_t wanted = *group.counts.begin();
  if (wanted == 0) return group.waiting.size() == alive;
  if (wanted % kWarpSize != 0 && wanted != thread_count_) {
    error_ = failure("arguments", "a barrier for " + std::to_string(wanted) + " threads; the count is a multiple of 32",
                     first, place);
    return false;
  }
  // A warp counts as 32 threads, once all its lanes that still run have come.
  std::map<uint32_t, uint32_t> here, living;
  for (uint32_t index : group.waiting) ++here[index / kWarpSize];
  for (const Thread& thread : threads_)
    if (thread.state != ThreadState::Exited) ++living[thread.index / kWarpSize];
  uint64_t warps = 0;
  for (const auto& [warp, count] : here) warps += count == living[warp];
  std::set<uint32_t> arrived;
  for (const auto& [thread, clock] : arrivals_[id]) arrived.insert(thread / kWarpSize);
  return (warps + arrived.size()) * kWarpSize >= wanted;
}

void Machine::open(uint32_t id, const BarrierGroup& group, bool whole) {
  const std::vector<uint32_t>& waiting = group.waiting;
  const Thread& leader = threads_[waiting[0]];
  uint32_t count = 0;
  bool same = true;
  for (uint32_t index : waiting) {
    const Thread& thread = threads_[index];
    const Instruction& at = program_.functions[thread.function].code[thread.pc];
    same &= thread.function == leader.function && thread.pc == leader.pc;
    if (opOf(at) >= DeviceOp::BarrierCount && opOf(at) <= DeviceOp::BarrierOr) count += thread.registers[at.a] != 0;
  }
  // With a count, the two sides of a hand-over wait at different places by design.
  if (!same && *group.counts.begin() == 0) reportDivergentBarrier(waiting);
  if (!whole) synchronisePart(waiting, arrivals_[id]);
  arrivals_.erase(id);
  for (uint32_t index : waiting) {
    Thread& thread = threads_[index];
    const Instruction& at = program_.functions[thread.function].code[thread.pc];
    if (opOf(at) == DeviceOp::BarrierCount) thread.registers[at.dst] = count;
    if (opOf(at) == DeviceOp::BarrierAnd) thread.registers[at.dst] = count == waiting.size();
    if (opOf(at) == DeviceOp::BarrierOr) thread.registers[at.dst] = count != 0;
    ++thread.pc;
    thread.state = ThreadState::Ready;
  }
  if (!whole) return;
  ++epoch_;
  for (uint32_t index : waiting) addAcquired(acquired_, threads_[index].acquired);
}

// Accesses of the waiting threads, and of those that arrived up to then, come before what the waiting ones do next.
void Machine::synchronisePart(const std::vector<uint32_t>& waiting, const std::map<uint32_t, uint32_t>& arrived) {
  const uint32_t warps = (thread_count_ + kWarpSize - 1) / kWarpSize;
  if (partial_.empty()) partial_.assign(warps, std::vector<uint32_t>(thread_count_, 0));
  std::vector<uint32_t> joined(thread_count_, 0);
  std::set<uint32_t> here;
  for (uint32_t index : waiting) here.insert(index / kWarpSize);
  for (uint32_t warp : here)
    for (uint32_t k = 0; k < thread_count_; ++k) joined[k] = std::max(joined[k], partial_[warp][k]);
  for (uint32_t index : waiting) joined[index] = ++clocks_[index];
  for (const auto& [thread, clock] : arrived) joined[thread] = std::max(joined[thread], clock);
  for (uint32_t warp : here) partial_[warp] = joined;
  for (uint32_t index : waiting) {
    const uint32_t first = index / kWarpSize * kWarpSize;
    for (uint32_t lane = 0; lane < kWarpSize && first + lane < thread_count_; ++lane)
      known_[index][lane] = std::max(known_[index][lane], joined[first + lane]);
  }
}

// bar.arrive: the thread's accesses so far are handed over; it does not wait.
void Machine::arrive(Thread& thread, const Instruction& instruction) {
  const auto id = static_cast<uint32_t>(thread.registers[instruction.a]);
  arrivals_[id][thread.index] = ++clocks_[thread.index];
}

bool Machine::atGrid() const {
  bool any = false;
  for (const Thread& thread : threads_) {
    if (thread.state == ThreadState::Exited) continue;
    if (thread.state != ThreadState::AtBarrier) return false;
    if (opOf(program_.functions[thread.function].code[thread.pc]) != DeviceOp::GridBarrier) return false;
    any = true;
  }
  return any;
}

void Machine::openGrid() {
  for (Thread& thread : threads_) {
    if (thread.state == ThreadState::Exited) continue;
    ++thread.pc;
    thread.state = ThreadState::Ready;
  }
}

void Machine::reportDivergentBarrier(const std::vector<uint32_t>& waiting) {
  const Thread& leader = threads_[waiting[0]];
  const auto placeOf = [&](const Thread& thread) { return program_.functions[thread.function].locations[thread.pc]; };
  for (uint32_t index : waiting) {
    const Thread& thread = threads_[index];
    if (thread.function == leader.function && thread.pc == leader.pc) continue;
    report(DefectKind::DivergentBarrier, thread, placeOf(thread), placeOf(leader), "").message =
        "thread " + threadText(index) + " waits at this barrier while thread " + threadText(leader.index) +
        " waits at another one";
    return;
  }
}

// Nothing in the block can go on: the run ends here.
void Machine::reportDeadlock() {
  for (const Thread& thread : threads_) {
    if (thread.state == ThreadState::Exited) continue;
    const uint32_t place = program_.functions[thread.function].locations[thread.pc];
    uint32_t other = 0;
    for (const Thread& another : threads_) {
      const uint32_t elsewhere = program_.functions[another.function].locations[another.pc];
      if (another.state != ThreadState::Exited && elsewhere != place) other = elsewhere;
    }
    report(DefectKind::Deadlock, thread, place, other, "").message = "no thread can go on: " + warpStates();
    break;
  }
  stopped_ = true;
}

}  // namespace np::kernel_port::simt
