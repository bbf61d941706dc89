// One concolic run of a launch file at one size: every launch in order over shared buffers, and what the outputs hold.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/launch/launch_plan.h"
#include "kernel_port/lift/compact_ir.h"
#include "kernel_port/lift/expr_dag.h"
#include "kernel_port/lift/machine.h"
#include "kernel_port/lift/template.h"

namespace np::kernel_port::lift {

// What one output buffer holds after the last launch: a raw node per element, row-major.
struct Output {
  int32_t buffer = 0;
  std::vector<NodeId> elements;
  int64_t untouched = 0;  // inout elements that no launch wrote
};

struct SizeRun {
  launch::CasePlan plan;
  ExprDag dag;
  Extents extents;                         // by buffer
  std::vector<Output> outputs;             // out and inout buffers, in the launch file's order
  std::vector<std::vector<int64_t>> hits;  // by launch, by block of its function
  std::vector<Outcomes> outcomes;          // by launch
  std::vector<NodeId> scalars;             // by scalar of the launch file; 0 for integers
  std::vector<std::vector<uint8_t>> data;  // by buffer: initial contents, empty for out and scratch
  int64_t steps = 0, forks = 0, rewrites = 0;
};

// Runs `functions` (one per launch of `file`) at the sizes `values`. Errors: those of Machine::launch and of planCase;
// NPT2911 where an output element is left unwritten.
Result<std::unique_ptr<SizeRun>> runAtSize(const launch::LaunchFile& file,
                                           const std::vector<CompactFunction>& functions,
                                           const std::vector<int64_t>& values, const MachineLimits& limits);

}  // namespace np::kernel_port::lift
