// Blocks of a launch, one after another; in a block the warps take turns until all have exited. When every live thread
// waits at a barrier it opens; threads that have exited do not count (compute capability 7.0 and later).
// When nothing can go on, some warp operation waits for lanes that will not come: it is reported and carried out
// without.

#include <algorithm>
#include <numeric>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {
namespace {

uint64_t mix(uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

std::vector<uint32_t> Machine::order(uint32_t count, uint64_t salt) const {
  std::vector<uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0);
  if (options_.order == Order::Reversed) std::reverse(out.begin(), out.end());
  if (options_.order == Order::Shuffled) {
    uint64_t state = options_.seed * 0x100000001b3 + salt;
    for (uint32_t k = count; k > 1; --k) std::swap(out[k - 1], out[mix(state) % k]);
  }
  return out;
}

Result<void> Machine::launch(const KernelEntry& kernel, const launch::LaunchPlan& plan,
                             const std::vector<std::vector<uint8_t>>& arguments) {
  kernel_ = &kernel;
  function_ = &program_.functions[kernel.function];
  arguments_ = &arguments;
  thread_count_ = static_cast<uint32_t>(plan.block[0] * plan.block[1] * plan.block[2]);
  for (int axis = 0; axis < 3; ++axis) {
    coordinates_[6 + axis] = static_cast<uint32_t>(plan.block[axis]);
    coordinates_[9 + axis] = static_cast<uint32_t>(plan.grid[axis]);
  }
  executed_[kernel.function].resize(function_->blocks.size());
  for (size_t k = 0; k < program_.globals.size(); ++k) {
    const GlobalVariable& variable = program_.globals[k];
    if (variable.space != Space::Shared) continue;
    Region& region = regions_[kFirstGlobalRegion + k];
    region.size = variable.dynamic_shared ? plan.shared : variable.size;
    region.storage.assign(region.size, 0xff);
    region.data = region.storage.data();
    region.shadow.emplace(region.size, variable.granule);
  }
  threads_.assign(thread_count_, Thread{});
  for (uint32_t index = 0; index < thread_count_; ++index) {
    threads_[index].index = index;
    threads_[index].id = {static_cast<uint32_t>(index % plan.block[0]),
                          static_cast<uint32_t>(index / plan.block[0] % plan.block[1]),
                          static_cast<uint32_t>(index / (plan.block[0] * plan.block[1]))};
  }
  registers_.assign(size_t{thread_count_} * function_->registers, 0);
  frame_start_ = function_->image;
  for (size_t k = 0; k < arguments.size(); ++k) {
    uint64_t value = 0;
    if (arguments[k].size() <= 8) std::memcpy(&value, arguments[k].data(), arguments[k].size());
    const uint32_t reg = function_->parameters[k].reg;
    if (frame_start_.size() <= reg) frame_start_.resize(reg + 1);
    frame_start_[reg] = value;
  }
  launch_epoch_ = ++epoch_;

  const uint64_t blocks = static_cast<uint64_t>(plan.grid[0]) * plan.grid[1] * plan.grid[2];
  const bool small = blocks <= (1u << 24);  // an order is only drawn where a list of all blocks is affordable
  const std::vector<uint32_t> sequence = small ? order(static_cast<uint32_t>(blocks), 1) : std::vector<uint32_t>();
  for (uint64_t k = 0; k < blocks; ++k) {
    const uint64_t linear = small ? sequence[k] : k;
    coordinates_[3] = static_cast<uint32_t>(linear % plan.grid[0]);
    coordinates_[4] = static_cast<uint32_t>(linear / plan.grid[0] % plan.grid[1]);
    coordinates_[5] = static_cast<uint32_t>(linear / (plan.grid[0] * plan.grid[1]));
    NP_TRY(runBlock(linear));
    if (stopped_) break;
  }
  return {};
}

void Machine::resetThreads() {
  clocks_.assign(thread_count_, 0);
  known_.assign(thread_count_, {});
  for (uint32_t index = 0; index < thread_count_; ++index) {
    Thread& thread = threads_[index];
    thread.state = ThreadState::Ready;
    thread.function = kernel_->function;
    thread.pc = 0;
    thread.registers = &registers_[size_t{index} * function_->registers];
    thread.callers.clear();
    thread.caller_registers.clear();
    std::copy(frame_start_.begin(), frame_start_.end(), thread.registers);
    enterFrame(thread, *function_, 0);
    for (const ByValue& value : function_->by_value) {
      const auto& bytes = (*arguments_)[value.parameter];
      std::copy(bytes.begin(), bytes.end(), &thread.local[value.offset]);
      std::memset(&thread.local_state[value.offset], 1, value.size);
      thread.registers[function_->parameters[value.parameter].reg] = regionBase(kLocalRegion) + value.offset;
    }
  }
}

Result<void> Machine::runBlock(uint64_t linear) {
  block_ = static_cast<uint32_t>(linear);
  block_epoch_ = ++epoch_;
  for (size_t k = 0; k < program_.globals.size(); ++k) {
    Region& region = regions_[kFirstGlobalRegion + k];
    if (region.kind == Region::Kind::Shared) std::fill(region.storage.begin(), region.storage.end(), 0xff);
  }
  resetThreads();
  const uint32_t warps = (thread_count_ + kWarpSize - 1) / kWarpSize;
  warp_order_ = order(warps, linear * 2 + 2);
  lane_order_ = order(kWarpSize, linear * 2 + 3);
  for (;;) {
    bool progress = false;
    for (uint32_t warp : warp_order_) {
      progress |= runWarp(warp);
      if (error_) return *error_;
      if (stopped_) return {};
    }
    const bool done = std::all_of(threads_.begin(), threads_.end(),
                                  [](const Thread& thread) { return thread.state == ThreadState::Exited; });
    if (done) return {};
    if (resolveBarrier()) {
      if (error_) return *error_;
      continue;
    }
    if (progress) continue;
    bool forced = false;
    for (uint32_t warp = 0; warp < warps && !forced; ++warp) forced = resolveWarp(warp, true);
    NP_CHECK(forced);
  }
}

// Opens the barrier when all live threads wait at one.
bool Machine::resolveBarrier() {
  std::vector<uint32_t> waiting;
  for (const Thread& thread : threads_) {
    if (thread.state == ThreadState::Exited) continue;
    if (thread.state != ThreadState::AtBarrier) return false;
    waiting.push_back(thread.index);
  }
  if (waiting.empty()) return false;
  const Thread& leader = threads_[waiting[0]];
  uint32_t count = 0;
  bool same = true;
  for (uint32_t index : waiting) {
    const Thread& thread = threads_[index];
    const Instruction& at = program_.functions[thread.function].code[thread.pc];
    same &= thread.function == leader.function && thread.pc == leader.pc;
    const auto op = static_cast<DeviceOp>(at.flags);
    if (op >= DeviceOp::BarrierCount && op <= DeviceOp::BarrierOr) count += thread.registers[at.a] != 0;
    if (op == DeviceOp::BarrierIdCount) {
      const uint64_t wanted = thread.registers[at.c];
      if (wanted != thread_count_ && wanted != (thread_count_ + 31) / 32 * 32) {
        error_ = makeError("unsupported",
                           "a barrier for " + std::to_string(wanted) + " of " + std::to_string(thread_count_) +
                               " threads is not supported; use one for the whole block",
                           program_.place(program_.functions[thread.function].locations[thread.pc]).text());
        return true;
      }
    }
  }
  if (!same) reportDivergentBarrier(waiting);
  for (uint32_t index : waiting) {
    Thread& thread = threads_[index];
    const Instruction& at = program_.functions[thread.function].code[thread.pc];
    switch (static_cast<DeviceOp>(at.flags)) {
      case DeviceOp::BarrierCount:
        thread.registers[at.dst] = count;
        break;
      case DeviceOp::BarrierAnd:
        thread.registers[at.dst] = count == waiting.size();
        break;
      case DeviceOp::BarrierOr:
        thread.registers[at.dst] = count != 0;
        break;
      default:
        break;
    }
    ++thread.pc;
    thread.state = ThreadState::Ready;
  }
  ++epoch_;
  return true;
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

}  // namespace np::kernel_port::simt
