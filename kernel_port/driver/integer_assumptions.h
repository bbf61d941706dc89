// What must hold of integer inputs so that 32-bit sums do not leave 32 bits: CUDA wraps there, the chip may not.
#pragma once

#include <set>
#include <string>

#include "kernel_port/spec/spec.h"

namespace np::kernel_port::driver {

// Conditions for the module to check, such as "-2130706432 <= h[i] <= 2130706431".
std::set<std::string> integerAssumptions(const spec::Spec& spec);

}  // namespace np::kernel_port::driver
