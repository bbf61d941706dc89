// FlatProgram: a TileProgram at concrete sizes: no loops, no symbols, every view an access pattern.
//
// It is canonical: inputs are %in0.., outputs %out0.., tiles %t0.. in the order of their first use, tiles never used
// are gone, the step of a dimension of size 1 is 1 (of a partition dimension: the partition's elements). Two programs
// do the same thing in the same way exactly when printFlat() of them is the same text; the roundtrip gate compares
// that.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "runtime/tile/program.h"

namespace np::tile {

struct FlatBuffer {
  std::string name;
  Memory memory = Memory::kHbm;
  Dtype dtype = Dtype::kF32;
  std::vector<int64_t> shape;
  bool is_input = false, is_output = false;

  int64_t elements() const;        // of the whole buffer
  int64_t partitionPitch() const;  // elements a partition holds: product of shape[1..]
};

struct FlatDim {
  int64_t step = 1, size = 1;
  friend bool operator==(const FlatDim&, const FlatDim&) = default;
};

// Element (i0, i1, ..) is storage element offset + sum(i * step). On chip dims[0] is the partition.
struct FlatView {
  int buffer = 0;
  Dtype dtype = Dtype::kF32;  // the buffer's, unless reinterpreted
  int64_t offset = 0;
  std::vector<FlatDim> dims;
  std::vector<FlatView> index;  // 0 or 1; see View::index

  int64_t elements() const;
  int64_t partitions() const { return dims.empty() ? 1 : dims[0].size; }
  int64_t perPartition() const;  // product of the other sizes
};

using FlatArgument = std::variant<std::monostate, FlatView, double, bool, int64_t, Function, Engine, ReduceCommand,
                                  OobMode, std::vector<int>, std::vector<FlatDim>>;

struct FlatInstruction {
  Opcode opcode = Opcode::kDmaCopy;
  std::vector<FlatArgument> arguments;

  // Absent optional arguments give nullptr, or the fallback.
  const FlatView* view(std::string_view name) const;
  const double* number(std::string_view name) const;
  bool flag(std::string_view name) const;
  int64_t integer(std::string_view name, int64_t fallback = 0) const;
  std::optional<Function> function(std::string_view name) const;
  const FlatArgument& argument(std::string_view name) const;
};

struct FlatProgram {
  std::string name;
  std::vector<FlatBuffer> buffers;  // inputs, outputs, then tiles
  std::vector<FlatInstruction> instructions;
};

// Unrolls the program at these sizes. Errors (code "tile-instantiate"): a broken requirement, an unbound name, a slice
// that is empty or leaves its buffer, a tile above its stated maximum, more than `limit` instructions.
Result<FlatProgram> instantiate(const TileProgram& program, const Bindings& sizes, int64_t limit = 4'000'000);

}  // namespace np::tile
