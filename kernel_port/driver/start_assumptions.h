// What an emitted module must check so that no running maximum or minimum loses its start.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel_port/spec/spec.h"

namespace np::kernel_port::driver {

// Sentences for NEURON_PORT_DATA_ASSUMPTIONS, "-3.4028234e38 < x[i] < 3.4028234e38", one for each kind of value that is
// compared; empty where `assumptions` of the lifter mention no start at FLT_MAX. Nothing when a maximum or minimum
// compares values that cannot be checked from outside: such a kernel is not translated.
std::optional<std::set<std::string>> startAssumptions(const spec::Spec& spec,
                                                      const std::vector<std::string>& assumptions);

}  // namespace np::kernel_port::driver
