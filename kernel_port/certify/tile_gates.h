// Gates about the tile program: `tile` (legal at every size), `roundtrip` (the emitted text is this program).
#pragma once

#include "kernel_port/certify/certify.h"
#include "kernel_port/certify/trial.h"
#include "kernel_port/certify/value_gates.h"
#include "runtime/tile/flat.h"

namespace np::kernel_port::certify {

// Results of the tile program on a trial, by buffer name (an inout buffer's output is its NAME_out parameter).
Result<TileResults> tileResults(const tile::TileProgram& program, const tile::FlatProgram& flat,
                                const launch::LaunchFile& file, const Trial& trial);

// Instantiates and verifies at every size; `required` sizes must be accepted, others may be refused by the entry guard.
Gate tileGate(const Subject& subject, const CertifyOptions& options,
              const std::vector<std::vector<std::int64_t>>& required,
              const std::vector<std::vector<std::int64_t>>& others);

// Traces the emitted module with the stand-in `nki` at each size and compares with the instantiated program, letter by
// letter.
Gate roundtripGate(const Subject& subject, const CertifyOptions& options,
                   const std::vector<std::vector<std::int64_t>>& sizes);

// The arguments file for `python -m nki.trace`.
std::string traceArguments(const tile::TileProgram& program, const tile::Bindings& sizes);

}  // namespace np::kernel_port::certify
