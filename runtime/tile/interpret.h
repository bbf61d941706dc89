// Reference interpreter of flat programs.
#pragma once

#include <map>
#include <span>

#include "runtime/tile/flat.h"

namespace np::tile {

struct RunReport {
  // Elements that an activation saw outside its documented range: there the hardware may differ from us.
  std::map<Function, int64_t> out_of_range;
};

// Runs a verified program. `inputs` and `outputs` are dense row-major arrays in the order of the buffers; their sizes
// in bytes must match. Errors (code "tile-run"): a size mismatch, a read of something never written, an index out of
// bounds without oob_mode=skip, an output element never written. Run verify() first: an illegal program is undefined.
Result<RunReport> interpret(const FlatProgram& program, std::span<const std::span<const std::byte>> inputs,
                            std::span<const std::span<std::byte>> outputs);

}  // namespace np::tile
