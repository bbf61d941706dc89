// A launch file at one size case: every extent, grid and argument is a number.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/launch/launch_file.h"

namespace np::kernel_port::launch {

struct BufferPlan {
  std::string name;
  ElementType type = ElementType::F32;
  std::vector<int64_t> extent;
  int64_t elements = 0;
  Role role = Role::In;
  int64_t bytes() const { return elements * byteSize(type); }
};

struct BufferArg {
  int index = 0;
};  // into CasePlan::buffers
struct IntegerArg {
  int64_t value = 0;
};  // the parameter's type decides the width
struct ScalarArg {
  Scalar scalar;
};
struct BytesArg {
  std::vector<uint8_t> bytes;
};  // a struct by value, laid out with natural alignment
using ArgPlan = std::variant<BufferArg, IntegerArg, ScalarArg, BytesArg>;

struct LaunchPlan {
  std::string kernel;
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  int64_t shared = 0;
  std::vector<ArgPlan> args;
};

struct CasePlan {
  std::vector<int64_t> values;  // in the order of LaunchFile::size_names
  Sizes sizes;
  std::vector<BufferPlan> buffers;
  std::vector<LaunchPlan> launches;
};

// Evaluates the file at `values` (one per size name; need not be one of the file's cases, but `where` must hold).
// Errors: negative extent, more than 2^31 bytes in a buffer, a grid or block outside CUDA's limits, at a JSON pointer.
Result<CasePlan> planCase(const LaunchFile& file, const std::vector<int64_t>& values);

}  // namespace np::kernel_port::launch
