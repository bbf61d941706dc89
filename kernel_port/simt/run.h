// The checked interpreter: runs the launches of one size case exactly as CUDA defines them, and reports every defect.
//
//   NP_ASSIGN(Executor executor, Executor::create(module));
//   NP_ASSIGN(RunResult result, executor.run(file, plan, buffers, {}));     // buffers now hold the outputs
//
// Semantics: one block at a time; in it warps in turn, each thread runs to its next synchronisation point. Warp
// operations take place when every live lane of their mask has arrived, barriers when every live thread has. Floats are
// IEEE with one rounding per operation (no contraction); float math functions are the host's libm in the function's own
// precision;
// `__expf` and the like run as the full functions.
// Order between blocks comes from kernel ends, barriers of the grid, and a fence with an atomic update that an atomic
// of the other block sees; a flag that is read plainly orders nothing. A block that waits in a loop for a later block
// runs into the step limit, because blocks run one after another. Inline PTX is run or refused by the name of its
// instruction.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/frontend/device_module.h"
#include "kernel_port/launch/inputs.h"
#include "kernel_port/launch/launch_plan.h"
#include "kernel_port/simt/defect.h"

namespace np::kernel_port::simt {

enum class Order { Sequential, Reversed, Shuffled };

struct RunOptions {
  Order order = Order::Sequential;            // of blocks, of warps in a block and of lanes in a warp
  uint64_t seed = 0;                          // for Shuffled
  uint64_t step_limit = 4'000'000'000;        // IR instructions over all threads of the case
  uint64_t memory_limit = uint64_t{4} << 30;  // bytes of buffers and of what is recorded about them
  size_t max_defects = 50;                    // distinct ones; the run stops there
  bool record_writes = false;
};

// An IR block of a kernel that no thread of any launch executed.
struct UnexecutedBlock {
  std::string kernel;
  SourcePlace place;
};

// How often each element of a buffer was written, by plain stores and by atomics.
struct WriteSet {
  std::string buffer;
  std::vector<uint32_t> stores, atomics;
};

struct RunResult {
  std::vector<Defect> defects;
  uint64_t steps = 0;  // IR instructions executed, debug and lifetime markers aside
  double seconds = 0;
  bool stopped = false;  // a trap, an assertion or too many defects ended the run early: outputs are incomplete
  std::vector<UnexecutedBlock> unexecuted;
  std::vector<WriteSet> writes;  // in the order of the plan's buffers; empty unless recorded
  std::string printed;
};

struct Program;

class Executor {
 public:
  // Compiles every kernel of the module that `kernels` names (all when empty). Error "unsupported" names what the
  // interpreter does not know, with its source line; "no-kernel" a kernel that is not there.
  static Result<Executor> create(const DeviceModule& module, const std::vector<std::string>& kernels = {});

  Executor(Executor&&) noexcept;
  Executor& operator=(Executor&&) noexcept;
  ~Executor();

  // Runs the launches in order on `buffers` (those of the plan, in its order). Errors: "arguments" when a launch does
  // not fit the kernel's parameters, "step-limit", "memory-limit", "unsupported".
  Result<RunResult> run(const launch::LaunchFile& file, const launch::CasePlan& plan,
                        std::vector<launch::HostBuffer>& buffers, const RunOptions& options) const;

 private:
  explicit Executor(std::unique_ptr<const Program> program);
  std::unique_ptr<const Program> program_;
};

}  // namespace np::kernel_port::simt
