// The fast engine: the launches of one size case as machine code, with the checked interpreter's results bit for bit in
// the sequential schedule.
//
//   NP_ASSIGN(FastExecutor executor, FastExecutor::create(module));
//   NP_ASSIGN(FastResult result, executor.run(file, plan, buffers, {}));    // buffers now hold the outputs
//
// It checks nothing: run it on kernels that the checked interpreter found clean. A kernel is compiled for each block
// size and runs thread by thread; threads that wait are fibers. Not taken, with an error that
// names the place: printf, inline PTX, named and grid-wide barriers, matrix fragments, calls that cannot be inlined,
// device variables that kernels write.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/frontend/device_module.h"
#include "kernel_port/launch/inputs.h"
#include "kernel_port/launch/launch_plan.h"

namespace np::kernel_port::fast {

enum class Schedule { Sequential, Parallel, Permuted };

struct FastOptions {
  Schedule schedule = Schedule::Sequential;
  uint64_t seed = 0;         // for Permuted
  unsigned threads = 0;      // for Parallel; 0: one a processor
  bool contract = false;     // fuse multiply and add (--fmad)
  bool avx512 = true;        // false: code for AVX2
  std::string cache_folder;  // of objects; empty: none
};

// How one kernel of the case was made and ran.
struct FastKernel {
  std::string name;
  bool from_cache = false;
  double compile_seconds = 0, run_seconds = 0;
};

struct FastResult {
  std::vector<FastKernel> kernels;  // in order of the launches
  double seconds = 0;               // of all runs, without compiling
};

class FastExecutor {
 public:
  static Result<FastExecutor> create(const DeviceModule& module, const std::vector<std::string>& kernels = {});

  FastExecutor(FastExecutor&&) noexcept;
  FastExecutor& operator=(FastExecutor&&) noexcept;
  ~FastExecutor();

  // Errors: "unsupported", "arguments", "jit", "no-kernel"; "trap" when the kernel trapped, "deadlock".
  Result<FastResult> run(const launch::LaunchFile& file, const launch::CasePlan& plan,
                         std::vector<launch::HostBuffer>& buffers, const FastOptions& options);

 private:
  struct Impl;
  explicit FastExecutor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace np::kernel_port::fast
