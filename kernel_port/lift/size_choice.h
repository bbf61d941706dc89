// Which sizes a kernel is run at.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel_port/launch/launch_file.h"

namespace np::kernel_port::lift {

struct SizeChoice {
  std::vector<std::vector<int64_t>> training;  // the formula is fitted on these
  std::vector<std::vector<int64_t>> held_out;  // and only checked on these
  std::vector<int64_t> multiple;               // by size name: every size is a multiple of it (1: any)
};

// Ways to choose, tried in turn: small sizes in general position; the same as multiples of what all of the launch
// file's cases have in common; the cases themselves. Every size satisfies `where`.
std::vector<SizeChoice> chooseSizes(const launch::LaunchFile& file);

// Legal sizes just above `thresholds`: `base` with one name at a time at a threshold plus one. What a kernel does at
// index t shows first where a size exceeds t.
std::vector<std::vector<int64_t>> sizesAbove(const launch::LaunchFile& file, const std::vector<int64_t>& base,
                                             const std::vector<int64_t>& multiple,
                                             const std::vector<int64_t>& thresholds);

}  // namespace np::kernel_port::lift
