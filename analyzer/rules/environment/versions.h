// Version ranges as requirements, conda, Poetry and setup files write them.
#pragma once

#include <string_view>

namespace np::analyzer {

// Whether a specifier (">=3.8,<3.11", "~=2.0", "==1.13.1", "^3.9", "3.10.*", "") admits some version of the release
// series ("3.12": 3.12.0 and everything up to 3.13). What cannot be read admits everything.
bool admitsSeries(std::string_view specifier, std::string_view series);

// What TorchNeuron needs (release notes of 2.33).
bool admitsNeuronPython(std::string_view specifier);
bool admitsNeuronTorch(std::string_view specifier);

}  // namespace np::analyzer
