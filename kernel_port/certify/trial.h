// Trial: one size case with one set of data, run on the executor and evaluated by the Spec.
#pragma once

#include <string>
#include <vector>

#include "kernel_port/certify/data.h"
#include "kernel_port/simt/run.h"
#include "kernel_port/spec/evaluate.h"

namespace np::kernel_port::certify {

struct Trial {
  launch::CasePlan plan;
  DataKind kind = DataKind::Ordinary;
  std::uint64_t seed = 0;
  bool fresh = false;                       // sizes that neither user nor lifter named
  std::vector<launch::HostBuffer> inputs;   // before
  std::vector<launch::HostBuffer> outputs;  // after, by the executor
  simt::RunResult run;
  spec::Outputs exact;   // float64, with rounding bounds
  spec::Outputs native;  // every operation rounded to its type

  // "M = 3, N = 67, ordinary data, seed 1".
  std::string text() const;
};

// Runs the kernel only; `exact` stays empty.
Result<Trial> runSource(const launch::LaunchFile& file, const simt::Executor& executor,
                        const std::vector<std::int64_t>& sizes, DataKind kind, std::uint64_t seed,
                        const simt::RunOptions& options);

// Fills `exact` and `native`.
Result<void> evaluate(Trial& trial, const launch::LaunchFile& file, const spec::Spec& spec);

}  // namespace np::kernel_port::certify
