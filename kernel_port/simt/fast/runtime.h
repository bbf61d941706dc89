// What generated code finds at run time: the state of the block that runs, barriers, warp operations, the way out.
//
// A worker is one thread of the block. Code that waits runs each worker
// as a fiber with a stack of its own; the scheduler follows the checked interpreter's order: warps in turn, in a warp
// each thread up to its next meeting point.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel_port/frontend/device_call.h"

namespace np::kernel_port::fast {

class Fibers;

// The head is read by generated code; kState... are its offsets.
struct State {
  uint8_t* arena = nullptr;  // shared memory of the block
  uint32_t grid[3] = {1, 1, 1};
  uint32_t unused = 0;
  Fibers* fibers = nullptr;
  void* way_out = nullptr;  // jmp_buf of the runner
};
constexpr int kStateArena = 0, kStateGrid = 8;

enum class Outcome : int { Finished, Trapped, Deadlocked };

// run(arguments, state, first block, end block, worker)
using RunFunction = void (*)(void** arguments, State* state, int64_t first, int64_t end, int32_t worker);

struct Fiber;

// Fibers of one operating-system thread; they serve one launch after another.
class Fibers {
 public:
  Fibers();
  ~Fibers();
  Fibers(const Fibers&) = delete;

  // Runs the blocks [first, end) with `workers` fibers, in warps of `warp`.
  Outcome run(RunFunction code, void** arguments, State& state, int64_t first, int64_t end, uint32_t workers,
              uint32_t warp);

  // Called on a fiber: waits for the operation and returns its value; `site` tells the calls in the code apart.
  uint64_t wait(DeviceOp op, uint32_t site, uint32_t mask, uint64_t value, uint32_t lane, uint32_t control);
  uint32_t predicate() const;
  void blockEnd();
  [[noreturn]] void leave(Outcome outcome);

 private:
  bool runWarp(uint32_t warp);
  bool resolveWarp(uint32_t warp);
  bool resolveBarrier();
  void perform(DeviceOp op, uint32_t first, uint32_t active, uint32_t mask);
  static void enter();

  std::vector<std::unique_ptr<Fiber>> fibers_;
  void* main_stack_ = nullptr;
  Fiber* current_ = nullptr;
  RunFunction code_ = nullptr;
  void** arguments_ = nullptr;
  State* state_ = nullptr;
  int64_t first_ = 0, end_ = 0;
  uint32_t workers_ = 0, warp_ = 1;
  Outcome outcome_ = Outcome::Finished;
};

// Runs blocks of code that never waits.
Outcome runStraight(RunFunction code, void** arguments, State& state, int64_t first, int64_t end);

void* runtimeAddress(const std::string& name);

}  // namespace np::kernel_port::fast
