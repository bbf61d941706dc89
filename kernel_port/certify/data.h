// What the buffers hold in a trial. Special values find what ordinary ones hide: a mask that multiplies instead of
// selects, a maximum that starts at 0, a sum that reads beyond its row.
#pragma once

#include <string>
#include <vector>

#include "kernel_port/launch/inputs.h"

namespace np::kernel_port::certify {

enum class DataKind { Ordinary, Zeros, Tiny, Large, Negative, NonFinite };
const char* name(DataKind kind);

// The launch file's inputs for `seed`, then float buffers that hold random data changed as the kind says: all zero;
// scaled to subnormals; scaled by 1024; all below zero; a few elements +inf, -inf and NaN. Integer buffers stay as they
// are.
Result<std::vector<launch::HostBuffer>> makeData(const launch::LaunchFile& file, const launch::CasePlan& plan,
                                                 std::uint64_t seed, DataKind kind);

}  // namespace np::kernel_port::certify
