// Lifting: what a kernel computes, found by running it with symbolic floats at a few sizes.
//
//   NP_ASSIGN(DeviceModule module, DeviceModule::compile({.source = file.source, .kernels = {"softmax"}}));
//   NP_ASSIGN(LiftResult lifted, lift(module, file, {}));
//   spec::printSpec(lifted.spec)
//
// README.md describes the method, the error codes and the limits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/frontend/device_module.h"
#include "kernel_port/launch/launch_file.h"
#include "kernel_port/lift/machine.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

struct LiftOptions {
  MachineLimits limits;
  int64_t held_out_steps = 16'000'000;  // a held-out size that would take more is skipped
};

// One size at which the Spec was compared with the kernel, element by element.
struct CheckedSize {
  std::vector<int64_t> values;  // in the order of the launch file's size names
  bool held_out = false;        // not used to find the formula
  int64_t elements = 0;         // all of them equal
};

struct LiftStatistics {
  int64_t steps = 0, nodes = 0, forks = 0;
  int64_t blocks = 0;    // basic blocks of the kernels, all executed
  int64_t rewrites = 0;  // elements that a second thread stored to
  double seconds = 0;
};

struct LiftResult {
  spec::Spec spec;
  std::vector<std::string> assumptions;
  std::vector<CheckedSize> sizes;
  LiftStatistics statistics;
  std::string proof = "sampled";  // the Spec was checked at `sizes`, not proved for all
  std::string form;               // "as executed" or "algebraic": how the formula was normalised
};

// The Spec of what the launches of `file` do to its buffers. `module` must hold every kernel that `file` launches.
// Errors: NPT2902 .. NPT2911, located at a source line where there is one.
Result<LiftResult> lift(const DeviceModule& module, const launch::LaunchFile& file, const LiftOptions& options);

// True for an error that means "understood and unsafe to translate" (status refused), false for "outside what is
// lifted".
bool isRefusal(const std::string& code);

// One sentence of advice for an error code of this room.
std::string adviceFor(const std::string& code);

}  // namespace np::kernel_port::lift
