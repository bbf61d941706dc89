// Spec to TileProgram: one general algorithm, no template per kernel.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/spec/spec.h"
#include "runtime/tile/program.h"

namespace np::kernel_port::schedule {

struct ScheduleOptions {
  std::string name = "kernel";  // of the program, a Python identifier
  int max_variants = 8;         // size ranges beyond these are left to the entry guard
};

// Sizes that no variant covers, and why.
struct Excluded {
  tile::Condition where;
  Error reason;
  std::string text() const { return where.text() + ": " + reason.message; }  // "N > 4096: reason"
};

struct Schedule {
  tile::TileProgram program;
  int variants = 0;                // bodies chosen between by facts about sizes
  std::vector<Excluded> excluded;  // the opposites are in the program's `requirements`
};

// Parameters of the program: in and inout buffers as inputs (the latter also as outputs named NAME_out), out buffers as
// outputs, float scalars as [1, 1] inputs, sizes as sizes. Errors: code "SCHED-..." and what is not supported.
Result<Schedule> schedule(const spec::Spec& spec, const ScheduleOptions& options);

}  // namespace np::kernel_port::schedule
