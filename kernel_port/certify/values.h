// The same buffers seen by the three parties of a comparison: the executor (bytes), the Spec (doubles), the tile
// program (bytes).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel_port/launch/inputs.h"
#include "kernel_port/spec/evaluate.h"
#include "runtime/tile/flat.h"

namespace np::kernel_port::certify {

// Every element as a double. 64-bit integers beyond 2^53 would lose bits; such data is not generated.
spec::Array toArray(const launch::HostBuffer& buffer);

// What the Spec is evaluated on: sizes, scalars (rounded to their type) and every in and inout buffer.
spec::Inputs specInputs(const launch::LaunchFile& file, const launch::CasePlan& plan,
                        const std::vector<launch::HostBuffer>& buffers);

// Output arrays of a tile program, in the order of its kOut parameters.
struct TileOutput {
  std::string param;
  tile::Dtype dtype = tile::Dtype::kF32;
  std::vector<double> values;
};

// Runs a verified flat program of `program` on the case's data. Inputs are matched by parameter name: a buffer's name,
// or a scalar's ([1,1] f32). Errors: an input nobody has, those of tile::interpret.
Result<std::vector<TileOutput>> runTile(const tile::TileProgram& program, const tile::FlatProgram& flat,
                                        const launch::LaunchFile& file, const std::vector<launch::HostBuffer>& buffers);

}  // namespace np::kernel_port::certify
