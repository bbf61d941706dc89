// Blocks of a launch, one after another; in a block the warps take turns until all have exited. When nothing can go on,
// some warp operation waits for lanes that will not come: it is reported and carried out without. A kernel that waits
// for the whole grid has all its blocks in memory at once and each runs to the next such wait.

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

Error Machine::failure(const std::string& code, const std::string& what, const Thread& thread, uint32_t place) const {
  Error error = makeError(code,
                          "kernel \"" + kernel_->facts.name + "\", thread " + threadText(thread.index) + " of block (" +
                              std::to_string(coordinates_[3]) + ", " + std::to_string(coordinates_[4]) + ", " +
                              std::to_string(coordinates_[5]) + "): " + what,
                          program_.place(place).text());
  if (code == "step-limit") error.message += "; " + warpStates();
  return error;
}

// A thread's memory is counted before it is taken, so that a launch that is too big is an answer and not a crash.
Result<void> Machine::checkLaunch(const launch::LaunchPlan& plan) {
  const auto threads = static_cast<uint64_t>(plan.block[0] * plan.block[1] * plan.block[2]);
  const uint64_t blocks = static_cast<uint64_t>(plan.grid[0]) * plan.grid[1] * plan.grid[2];
  constexpr uint64_t kMostShared = 227 << 10, kMostResident = 1 << 16;
  const std::string kernel = "kernel \"" + kernel_->facts.name + "\": ";
  if (threads == 0 || threads > 1024 || blocks == 0)
    return makeError("arguments", kernel + "a block has 1 to 1024 threads and a grid at least one block; got " +
                                      std::to_string(threads) + " threads, " + std::to_string(blocks) + " blocks");
  uint64_t shared = 0;
  for (const GlobalVariable& variable : program_.globals) {
    if (variable.space != Space::Shared) continue;
    shared = std::max(shared, variable.size);
  }
  if (static_cast<uint64_t>(plan.shared) > kMostShared || shared > kMostShared)
    return makeError("arguments", kernel + "a block has at most 227 KiB of shared memory; the launch asks for " +
                                      std::to_string(std::max<uint64_t>(plan.shared, shared)) + " bytes");
  const bool resident = function_->grid_barrier;
  if (resident && threads * blocks > kMostResident)
    return makeError("unsupported", kernel + "a barrier over a grid of more than " + std::to_string(kMostResident) +
                                        " threads is not supported; use a smaller grid");
  const uint64_t each = uint64_t{function_->registers} * 8 + uint64_t{function_->local_bytes} * 2;
  const uint64_t needed = each * threads * (resident ? blocks : 1);
  if (needed > options_.memory_limit)
    return makeError("memory-limit", kernel + "local variables of all threads take " + std::to_string(needed >> 20) +
                                         " MiB; the limit is " + std::to_string(options_.memory_limit >> 20) + " MiB");
  return {};
}

Result<void> Machine::launch(const KernelEntry& kernel, const launch::LaunchPlan& plan,
                             const std::vector<std::vector<uint8_t>>& arguments) {
  kernel_ = &kernel;
  function_ = &program_.functions[kernel.function];
  arguments_ = &arguments;
  NP_TRY(checkLaunch(plan));
  thread_count_ = static_cast<uint32_t>(plan.block[0] * plan.block[1] * plan.block[2]);
  for (int axis = 0; axis < 3; ++axis) {
    coordinates_[6 + axis] = static_cast<uint32_t>(plan.block[axis]);
    coordinates_[9 + axis] = static_cast<uint32_t>(plan.grid[axis]);
  }
  executed_[kernel.function].resize(function_->blocks.size());
  frame_start_ = function_->image;
  for (size_t k = 0; k < arguments.size(); ++k) {
    uint64_t value = 0;
    if (arguments[k].size() <= 8) std::memcpy(&value, arguments[k].data(), arguments[k].size());
    const uint32_t reg = function_->parameters[k].reg;
    if (frame_start_.size() <= reg) frame_start_.resize(reg + 1);
    frame_start_[reg] = value;
  }
  launch_epoch_ = ++epoch_;
  released_.clear();
  dynamic_shared_ = plan.shared;
  makeShared();
  makeThreads();

  const uint64_t blocks = static_cast<uint64_t>(plan.grid[0]) * plan.grid[1] * plan.grid[2];
  const bool small = blocks <= (1u << 24);  // an order is only drawn where a list of all blocks is affordable
  const std::vector<uint32_t> sequence = small ? order(static_cast<uint32_t>(blocks), 1) : std::vector<uint32_t>();
  if (function_->grid_barrier) return runGrid(sequence);
  for (uint64_t k = 0; k < blocks && !stopped_; ++k) {
    startBlock(small ? sequence[k] : k);
    NP_TRY(continueBlock());
  }
  return {};
}

void Machine::makeShared() {
  for (size_t k = 0; k < program_.globals.size(); ++k) {
    const GlobalVariable& variable = program_.globals[k];
    if (variable.space != Space::Shared) continue;
    Region& region = regions_[kFirstGlobalRegion + k];
    region.size = variable.dynamic_shared ? dynamic_shared_ : variable.size;
    region.storage.assign(region.size, 0xff);
    region.data = region.storage.data();
    region.shadow.emplace(region.size, variable.granule);
  }
}

void Machine::makeThreads() {
  threads_.assign(thread_count_, Thread{});
  const uint32_t width = coordinates_[6], height = coordinates_[7];
  for (uint32_t index = 0; index < thread_count_; ++index) {
    threads_[index].index = index;
    threads_[index].id = {index % width, index / width % height, index / (width * height)};
  }
  registers_.assign(size_t{thread_count_} * function_->registers, 0);
}

// Every block in turn up to the next barrier of the grid, as long as all of them come to it.
Result<void> Machine::runGrid(const std::vector<uint32_t>& sequence) {
  std::vector<BlockState> states(sequence.size());
  for (bool running = true; running;) {
    running = false;
    for (size_t k = 0; k < sequence.size(); ++k) {
      BlockState& state = states[k];
      if (state.done) continue;
      if (state.started) {
        swap(state);
        openGrid();
      } else {
        makeShared();
        makeThreads();
        startBlock(sequence[k]);
        state.started = true;
      }
      NP_ASSIGN(state.done, continueBlock());
      if (stopped_) return {};
      running |= !state.done;
      swap(state);
    }
    launch_epoch_ = ++epoch_;
    if (stopped_) return {};
    const auto ended = static_cast<size_t>(std::count_if(states.begin(), states.end(), [](auto& s) { return s.done; }));
    if (running && ended > 0) {
      for (BlockState& state : states) {
        if (state.done) continue;
        swap(state);
        reportDeadlock();
        return {};
      }
    }
  }
  return {};
}

void Machine::swap(BlockState& state) {
  for (int axis = 0; axis < 3; ++axis) std::swap(state.id[axis], coordinates_[3 + axis]);
  std::swap(state.block, block_);
  std::swap(state.epoch, block_epoch_);
  state.threads.swap(threads_);
  state.registers.swap(registers_);
  state.clocks.swap(clocks_);
  state.known.swap(known_);
  state.partial.swap(partial_);
  state.arrivals.swap(arrivals_);
  state.acquired.swap(acquired_);
  state.warp_order.swap(warp_order_);
  state.lane_order.swap(lane_order_);
  state.shared.resize(program_.globals.size());
  for (size_t k = 0; k < program_.globals.size(); ++k) {
    Region& region = regions_[kFirstGlobalRegion + k];
    if (region.kind != Region::Kind::Shared) continue;
    std::swap(region.storage, state.shared[k].first);
    std::swap(region.shadow, state.shared[k].second);
    region.data = region.storage.data();
  }
}

void Machine::resetThreads() {
  clocks_.assign(thread_count_, 0);
  known_.assign(thread_count_, {});
  partial_.clear();
  arrivals_.clear();
  acquired_.clear();
  for (uint32_t index = 0; index < thread_count_; ++index) {
    Thread& thread = threads_[index];
    thread.state = ThreadState::Ready;
    thread.function = kernel_->function;
    thread.pc = 0;
    thread.registers = &registers_[size_t{index} * function_->registers];
    thread.callers.clear();
    thread.caller_registers.clear();
    thread.pending.clear();
    thread.groups = 0;
    thread.fence_epoch = 0;
    thread.acquired.clear();
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

void Machine::startBlock(uint64_t linear) {
  const uint64_t width = coordinates_[9], height = coordinates_[10];
  coordinates_[3] = static_cast<uint32_t>(linear % width);
  coordinates_[4] = static_cast<uint32_t>(linear / width % height);
  coordinates_[5] = static_cast<uint32_t>(linear / (width * height));
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
}

// Runs the current block until it ends (true) or waits for the grid (false).
Result<bool> Machine::continueBlock() {
  const uint32_t warps = (thread_count_ + kWarpSize - 1) / kWarpSize;
  for (;;) {
    bool progress = false;
    for (uint32_t warp : warp_order_) {
      progress |= runWarp(warp);
      if (error_) return *error_;
      if (stopped_) return true;
    }
    const bool done = std::all_of(threads_.begin(), threads_.end(),
                                  [](const Thread& thread) { return thread.state == ThreadState::Exited; });
    if (done) return true;
    if (resolveBarrier()) {
      if (error_) return *error_;
      continue;
    }
    if (progress) continue;
    if (atGrid()) return false;
    bool forced = false;
    for (uint32_t warp = 0; warp < warps && !forced; ++warp) forced = resolveWarp(warp, true);
    if (forced) continue;
    reportDeadlock();
    return true;
  }
}

// What each warp does, for a person: "warp 0: lanes 0-31 at the barrier in k.cu:7:3".
std::string Machine::warpStates() const {
  constexpr size_t kMost = 8;
  std::map<std::tuple<uint32_t, int, std::string>, uint32_t> groups;  // warp, state, place: lanes
  for (const Thread& thread : threads_) {
    if (thread.state == ThreadState::Exited) continue;
    const auto& places = program_.functions[thread.function].locations;
    const bool waits = thread.state != ThreadState::Ready;
    const std::string place = program_.place(places[waits || thread.pc == 0 ? thread.pc : thread.pc - 1]).text();
    groups[{thread.index / kWarpSize, static_cast<int>(thread.state), place}] |= 1u << (thread.index % kWarpSize);
  }
  std::string out;
  size_t count = 0;
  for (const auto& [key, lanes] : groups) {
    const auto& [warp, state, place] = key;
    if (++count > kMost) break;
    const char* what = state == static_cast<int>(ThreadState::AtBarrier)  ? "wait at the barrier in "
                       : state == static_cast<int>(ThreadState::AtWarpOp) ? "wait for other lanes in "
                                                                          : "run in ";
    out +=
        (out.empty() ? "warp " : "; warp ") + std::to_string(warp) + ": lanes " + lanesText(lanes) + " " + what + place;
  }
  if (groups.size() > kMost) out += "; and " + std::to_string(groups.size() - kMost) + " more";
  return out;
}

}  // namespace np::kernel_port::simt
