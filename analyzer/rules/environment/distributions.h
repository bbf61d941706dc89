// Distributions (the names that pip and conda know) that bring or need CUDA.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/base/finding.h"

namespace np::analyzer {

struct Distribution {
  std::string_view name;  // normalised: lower case, '-' between words; a '*' at the end stands for any rest
  std::string_view instead;
  Severity severity = Severity::Error;
};

// "Flash_Attn" → "flash-attn".
std::string normalisedName(std::string_view name);
// Null when the distribution has nothing to do with CUDA. The name is normalised.
const Distribution* cudaDistribution(std::string_view normalised);
// The CUDA toolkit and its libraries as packages: "cudatoolkit", "pytorch-cuda", "nvidia-cudnn-cu12".
bool isCudaToolkit(std::string_view normalised);

}  // namespace np::analyzer
