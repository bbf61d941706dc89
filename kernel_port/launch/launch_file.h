// Launch files: what a stand-alone kernel needs to run. The format is described in docs (contracts: "Launch files").
//
//   NP_ASSIGN(LaunchFile file, readLaunchFile("softmax.launch.json"));
//   for (const auto& sizes : file.cases) { NP_ASSIGN(CasePlan plan, planCase(file, sizes)); ... }   // launch_plan.h
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/launch/element_type.h"
#include "kernel_port/launch/expr.h"

namespace np::kernel_port::launch {

enum class Role { In, Out, InOut, Scratch };
std::string_view name(Role role);

// How a buffer is filled before the first launch; which fields count depends on the kind.
struct Init {
  enum class Kind { Normal, Uniform, Zeros, Ones, Iota, Permutation, RandInt, SortedOffsets };
  Kind kind = Kind::Zeros;
  double low = 0, high = 1;  // Uniform: [low, high)
  Expr int_low, int_high;    // RandInt: [low, high)
  Expr total;                // SortedOffsets: the last element
  bool nonempty = false;     // SortedOffsets: strictly increasing
};

struct Buffer {
  std::string name;
  ElementType type = ElementType::F32;
  std::vector<Expr> extent;  // empty: one element
  Role role = Role::In;
  std::optional<Init> init;  // present for In and InOut only
};

// A number with its declared type: `real` for float types, `integer` for the others.
struct Scalar {
  std::string name;
  ElementType type = ElementType::F32;
  double real = 0;
  int64_t integer = 0;
};

struct BufferRef {
  int index = 0;
};  // into LaunchFile::buffers
struct ScalarRef {
  int index = 0;
};  // into LaunchFile::scalars
// A field of a struct passed by value; `value` is a scalar, an integer expression, or a literal number.
struct StructField {
  ElementType type = ElementType::F32;
  std::variant<ScalarRef, Expr, double> value;
};
struct StructArg {
  std::vector<StructField> fields;
};
using Argument = std::variant<BufferRef, ScalarRef, Expr, StructArg>;

struct Launch {
  std::string kernel;  // as written in C++: "scale<float, 128>"
  std::array<Expr, 3> grid, block;
  Expr shared;  // bytes of dynamic shared memory
  std::vector<Argument> args;
};

struct LaunchFile {
  std::string path;
  std::string source;  // resolved against the folder of the launch file
  std::vector<std::string> size_names;
  std::vector<std::vector<int64_t>> cases;
  std::vector<Condition> where;
  std::vector<Buffer> buffers;  // in the order of the file
  std::vector<Scalar> scalars;
  std::vector<Launch> launches;

  const Buffer* findBuffer(std::string_view name) const;
  const Scalar* findScalar(std::string_view name) const;
};

// Reads and checks a file. Errors (codes "launch-file", "io", "unknown-name", "bad-expression") carry the path and the
// JSON pointer of the faulty value in `location`: "softmax.launch.json#/launches/0/args/2".
Result<LaunchFile> readLaunchFile(const std::string& path);

// The same from text; `path` is used for messages and to resolve `source`.
Result<LaunchFile> parseLaunchFile(std::string_view text, const std::string& path);

// Keeps only launches of `kernel` (template arguments do not count). Error "no-kernel" when there is none.
Result<void> selectKernel(LaunchFile& file, const std::string& kernel);

}  // namespace np::kernel_port::launch
