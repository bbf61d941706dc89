// Gates that compare numbers: `write_set`, `differential`, `shadow`.
#pragma once

#include "kernel_port/certify/certify.h"
#include "kernel_port/certify/trial.h"

namespace np::kernel_port::certify {

// Exactly the elements the Spec writes are written, in every trial; input buffers are not touched. An element of an
// inout buffer that the kernel leaves alone may have a formula that gives it its own value.
Gate writeSetGate(const std::vector<Trial>& trials);
// The executor agrees with the Spec (compare.h) in every element of every trial, and the tile program (when there is
// one) too.
Gate differentialGate(const std::vector<Trial>& trials);
// Errors of executor and tile program against float64, element by element. `tiles[t]` are trial t's tile results by
// buffer name, empty where the tile program does not accept the sizes.
using TileResults = std::map<std::string, std::vector<double>>;
Gate shadowGate(const std::vector<Trial>& trials, const std::vector<TileResults>& tiles);

}  // namespace np::kernel_port::certify
