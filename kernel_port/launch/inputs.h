// Buffers on the host, and the reproducible values they start from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/launch/launch_plan.h"

namespace np::kernel_port::launch {

// A buffer's contents: little-endian elements in row-major order.
struct HostBuffer {
  std::string name;
  ElementType type = ElementType::F32;
  std::vector<int64_t> extent;
  std::vector<uint8_t> bytes;
  int64_t elements() const { return static_cast<int64_t>(bytes.size()) / byteSize(type); }
};

// The buffers of `plan` in order: `in` and `inout` filled by their init, `out` and `scratch` with bytes 0xff (NaN, -1).
// Values depend on the seed, the buffer's name and its elements only; see inputs.cc for the generator.
// Errors: an empty randint range, values that do not fit the type, sorted_offsets that cannot exist.
Result<std::vector<HostBuffer>> makeInputs(const LaunchFile& file, const CasePlan& plan, uint64_t seed = 0);

}  // namespace np::kernel_port::launch
