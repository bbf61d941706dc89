// Runs the program made from a Spec and compares it with the Spec's evaluator, by the rule of the `shadow` gate.
#pragma once

#include <string>

#include "kernel_port/spec/spec.h"
#include "runtime/tile/program.h"

namespace np::kernel_port::schedule {

// "" if the program is legal on every target at `sizes` and every output element of it is within 4 * |error of native
// rounding| + 8 * E of float64; else what is wrong. Inputs are normal, from `seed`.
std::string checkAt(const spec::Spec& spec, const tile::TileProgram& program, const spec::SizeValues& sizes,
                    unsigned seed);

// Reads tests/golden/specs/NAME.spec.
spec::Spec goldenSpec(const std::string& name);

}  // namespace np::kernel_port::schedule
