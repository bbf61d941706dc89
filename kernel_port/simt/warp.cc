// Warps: each lane runs to its next meeting point; a warp operation takes place when every live lane of its mask waits
// at the same instruction with the same mask. Shuffle semantics are PTX's: the last operand carries clamp and segment.
// A lane that nobody waits for, or that is asked for a value without taking part, is a defect and reads its own value.

#include <algorithm>
#include <bit>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/simt/machine.h"
#include "kernel_port/simt/warp_reduction.h"

namespace np::kernel_port::simt {
namespace {

constexpr uint64_t kTurn = 200'000;  // steps after which a thread gives way, so that spinning on another one ends

}  // namespace

std::string lanesText(uint32_t mask) {
  std::string out;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(mask >> lane & 1)) continue;
    uint32_t last = lane;
    while (last + 1 < kWarpSize && (mask >> (last + 1) & 1)) ++last;
    out += (out.empty() ? "" : ", ") + std::to_string(lane);
    if (last > lane) out += (last == lane + 1 ? ", " : "-") + std::to_string(last);
    lane = last;
  }
  return out;
}

// Runs the warp until no lane can go on; says whether anything happened.
bool Machine::runWarp(uint32_t warp) {
  bool progress = false;
  for (;;) {
    bool ran = false;
    for (uint32_t lane : lane_order_) {
      const uint32_t index = warp * kWarpSize + lane;
      if (index >= thread_count_) continue;
      Thread& thread = threads_[index];
      if (thread.state != ThreadState::Ready) continue;
      pause_at_ = std::min(steps_ + kTurn, options_.step_limit);
      runThread(thread);
      ran = true;
      if (steps_ >= options_.step_limit && !error_) {
        const Function& function = program_.functions[thread.function];
        error_ =
            failure("step-limit",
                    "did not finish within " + std::to_string(options_.step_limit) + " steps and is in a loop here",
                    thread, function.locations[thread.pc ? thread.pc - 1 : 0]);
      }
      if (error_ || stopped_) return true;
    }
    const bool resolved = resolveWarp(warp, false);
    progress |= ran || resolved;
    if (error_ || stopped_) return true;
    if (!resolved) return progress;
  }
}

bool Machine::resolveWarp(uint32_t warp, bool force) {
  const uint32_t first = warp * kWarpSize, last = std::min(first + kWarpSize, thread_count_);
  uint32_t alive = 0;
  bool ready = false;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<uint32_t>> groups;  // function, pc, mask
  for (uint32_t index = first; index < last; ++index) {
    const Thread& thread = threads_[index];
    if (thread.state == ThreadState::Exited) continue;
    alive |= 1u << (index - first);
    ready |= thread.state == ThreadState::Ready;
    if (thread.state != ThreadState::AtWarpOp) continue;
    const Instruction& at = program_.functions[thread.function].code[thread.pc];
    const bool has_mask = static_cast<DeviceOp>(at.flags) != DeviceOp::ActiveMask;
    const auto mask = has_mask ? static_cast<uint32_t>(thread.registers[at.a]) : 0;
    groups[{thread.function, thread.pc, mask}].push_back(index);
  }
  for (auto& [key, lanes] : groups) {
    const auto [function, pc, mask] = key;
    const Instruction& at = program_.functions[function].code[pc];
    const uint32_t place = program_.functions[function].locations[pc];
    if (static_cast<DeviceOp>(at.flags) == DeviceOp::ActiveMask) {
      if (ready) continue;
      perform(lanes, warp, mask);
      return true;
    }
    uint32_t arrived = 0;
    for (uint32_t index : lanes) arrived |= 1u << (index - first);
    if (const uint32_t outside = arrived & ~mask; outside) {
      const uint32_t lane = std::countr_zero(outside);
      report(DefectKind::InactiveLane, threads_[first + lane], place, 0, "").message =
          "lane " + std::to_string(lane) + " calls a warp operation whose mask does not name it";
      perform({first + lane}, warp, mask);
      return true;
    }
    // A matrix operation needs the whole warp, other ones the lanes that still run.
    const auto op = static_cast<DeviceOp>(at.flags);
    const bool whole = op == DeviceOp::MatrixMultiply || op == DeviceOp::LoadMatrix;
    const uint32_t waited_for = mask & alive & ~arrived;
    const uint32_t missing = whole && !waited_for ? mask & ~arrived : waited_for;
    if (waited_for && !force) continue;
    if (missing) {
      uint32_t other = 0;
      const uint32_t one = first + static_cast<uint32_t>(std::countr_zero(missing));
      if (one < thread_count_ && threads_[one].state != ThreadState::Ready &&
          threads_[one].state != ThreadState::Exited)
        other = program_.functions[threads_[one].function].locations[threads_[one].pc];
      report(DefectKind::InactiveLane, threads_[lanes[0]], place, other, "").message =
          "the mask names lanes " + lanesText(missing) + ", which do not arrive here";
    }
    perform(lanes, warp, mask);
    return true;
  }
  return false;
}

// The operation at the lanes' common instruction; every lane goes on behind it.
void Machine::perform(const std::vector<uint32_t>& lanes, uint32_t warp, uint32_t mask) {
  const Function& function = program_.functions[threads_[lanes[0]].function];
  const Instruction& at = function.code[threads_[lanes[0]].pc];
  const auto op = static_cast<DeviceOp>(at.flags);
  const uint32_t first = warp * kWarpSize;
  uint32_t active = 0, ballot = 0;
  for (uint32_t index : lanes) {
    active |= 1u << (index - first);
    if (op >= DeviceOp::VoteAll && op <= DeviceOp::VoteBallot && threads_[index].registers[at.b])
      ballot |= 1u << (index - first);
  }
  const auto each = [&](auto value) {
    for (uint32_t index : lanes) threads_[index].registers[at.dst] = value(index);
  };
  switch (op) {
    case DeviceOp::WarpSync:
      synchroniseWarp(lanes);
      break;
    case DeviceOp::MatrixMultiply:
      multiplyMatrices(lanes);
      break;
    case DeviceOp::LoadMatrix:
      loadMatrices(lanes, warp);
      break;
    case DeviceOp::ActiveMask:
      each([&](uint32_t) { return active; });
      break;
    case DeviceOp::VoteAll:
      each([&](uint32_t) { return ballot == active; });
      break;
    case DeviceOp::VoteAny:
      each([&](uint32_t) { return ballot != 0; });
      break;
    case DeviceOp::VoteUni:
      each([&](uint32_t) { return ballot == 0 || ballot == active; });
      break;
    case DeviceOp::VoteBallot:
      each([&](uint32_t) { return ballot; });
      break;
    case DeviceOp::MatchAny: {
      std::map<uint64_t, uint32_t> same;
      for (uint32_t index : lanes) same[threads_[index].registers[at.b]] |= 1u << (index - first);
      each([&](uint32_t index) { return same[threads_[index].registers[at.b]]; });
      break;
    }
    case DeviceOp::MatchAll: {
      const bool equal = std::all_of(lanes.begin(), lanes.end(), [&](uint32_t index) {
        return threads_[index].registers[at.b] == threads_[lanes[0]].registers[at.b];
      });
      each([&](uint32_t) { return equal ? active : 0u; });
      for (uint32_t index : lanes) threads_[index].registers[at.dst + 1] = equal;
      break;
    }
    case DeviceOp::ShuffleIdx:
    case DeviceOp::ShuffleUp:
    case DeviceOp::ShuffleDown:
    case DeviceOp::ShuffleXor:
      shuffle(lanes, warp);
      break;
    default: {
      auto value = static_cast<uint32_t>(threads_[lanes[0]].registers[at.b]);
      for (size_t k = 1; k < lanes.size(); ++k)
        value = reducePair(op, value, static_cast<uint32_t>(threads_[lanes[k]].registers[at.b]));
      each([&](uint32_t) { return value; });
    }
  }
  for (uint32_t index : lanes) {
    ++threads_[index].pc;
    threads_[index].state = ThreadState::Ready;
  }
}

void Machine::shuffle(const std::vector<uint32_t>& lanes, uint32_t warp) {
  const Function& function = program_.functions[threads_[lanes[0]].function];
  const uint32_t pc = threads_[lanes[0]].pc;
  const Instruction& at = function.code[pc];
  std::array<uint64_t, kWarpSize> values{};
  uint32_t active = 0;
  for (uint32_t index : lanes) {
    values[index % kWarpSize] = threads_[index].registers[at.b];
    active |= 1u << (index % kWarpSize);
  }
  for (uint32_t index : lanes) {
    Thread& thread = threads_[index];
    const auto lane = static_cast<int>(index % kWarpSize);
    const auto distance = static_cast<int>(thread.registers[at.c] & 31);
    const auto control = static_cast<uint32_t>(thread.registers[function.operands[at.imm]]);
    const auto clamp = static_cast<int>(control & 31), segment = static_cast<int>(control >> 8 & 31);
    const int low = lane & segment, high = low | (clamp & ~segment);
    int source = 0;
    bool inside = false;
    switch (static_cast<DeviceOp>(at.flags)) {
      case DeviceOp::ShuffleUp:
        source = lane - distance, inside = source >= high;
        break;
      case DeviceOp::ShuffleDown:
        source = lane + distance, inside = source <= high;
        break;
      case DeviceOp::ShuffleXor:
        source = lane ^ distance, inside = source <= high;
        break;
      default:
        source = low | (distance & ~segment & 31), inside = source <= high;
    }
    if (!inside) source = lane;
    if (!(active >> source & 1)) {
      report(DefectKind::InactiveLane, thread, function.locations[pc], 0, "").message =
          "lane " + std::to_string(lane) + " reads lane " + std::to_string(source) + ", which " +
          (warp * kWarpSize + source >= thread_count_                         ? "does not exist"
           : threads_[warp * kWarpSize + source].state == ThreadState::Exited ? "has exited"
                                                                              : "does not take part");
      source = lane;
    }
    thread.registers[at.dst] = values[source];
    if (at.x) thread.registers[at.dst + 1] = inside;
  }
}

// Joins what the lanes know of each other's time: accesses before it are ordered before accesses after it.
void Machine::synchroniseWarp(const std::vector<uint32_t>& lanes) {
  std::array<uint32_t, kWarpSize> joined{};
  for (uint32_t index : lanes) {
    ++clocks_[index];
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) joined[lane] = std::max(joined[lane], known_[index][lane]);
  }
  for (uint32_t index : lanes) joined[index % kWarpSize] = clocks_[index];
  for (uint32_t index : lanes) known_[index] = joined;
  std::vector<Acquired> acquired;
  for (uint32_t index : lanes) addAcquired(acquired, threads_[index].acquired);
  if (acquired.empty()) return;
  for (uint32_t index : lanes) threads_[index].acquired = acquired;
}

}  // namespace np::kernel_port::simt
