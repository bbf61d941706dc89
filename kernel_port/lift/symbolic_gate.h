// Gate `symbolic`: a Spec at one size is the same canonical expression as the run, for every output element.
#pragma once

#include <cstdint>
#include <string>

#include "kernel_port/lift/size_run.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

struct SymbolicCheck {
  int64_t elements = 0, equal = 0;
  std::string first_difference;  // empty if all are equal
  bool exhausted = false;        // the comparison became too much work: no verdict
  bool passed() const { return elements > 0 && equal == elements && !exhausted; }
};

SymbolicCheck checkSymbolic(const spec::Spec& spec, const launch::LaunchFile& file, SizeRun& run);

}  // namespace np::kernel_port::lift
