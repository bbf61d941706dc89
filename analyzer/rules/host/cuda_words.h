// Which words of C++ make it CUDA's: what a compiler without a CUDA toolkit cannot read.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/rules/host/cpp_file.h"

namespace np::analyzer::host {

// Headers of CUDA, its libraries and torch's CUDA layer, known by name.
bool isCudaHeader(std::string_view header);

// True when the token at `at` names CUDA. A guard over a device (`at::cuda::CUDAGuard`) has a neutral form and is not
// counted in host code; `guards` says that it is.
bool isCudaWord(const std::vector<Token>& tokens, std::size_t at, bool guards);

// Macros that say "this build has CUDA", or are ours.
bool isSwitch(std::string_view macro);

// True when a condition on such a macro already decides whether the place is compiled.
bool isSwitched(const CppFile& file, Offset at);

inline constexpr std::string_view kNeuronSwitch = "WITH_NEURON";

}  // namespace np::analyzer::host
