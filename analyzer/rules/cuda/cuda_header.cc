// NPT1023 cuda-header
//
// Headers of CUDA, its libraries and torch's CUDA layer: the file does not compile without a toolkit. Known by name,
// because there is no toolkit to look into; a header that the project has itself is its own.

#include <algorithm>
#include <array>
#include <string_view>

#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {
namespace {

bool isCudaHeader(std::string_view header) {
  constexpr std::array<std::string_view, 16> kPrefixes = {
      "cuda",    "cublas", "cudnn",      "curand", "cufft",      "cusparse",  "cusolver", "nccl",
      "thrust/", "cub/",   "nvToolsExt", "nvtx3/", "ATen/cuda/", "c10/cuda/", "THC/",     "cooperative_groups"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](auto prefix) { return header.starts_with(prefix); }) ||
         header == "mma.h" || header == "device_launch_parameters.h";
}

}  // namespace

void cudaHeader(const CudaRuleInput& input, CudaFindings& out) {
  for (const IncludeFacts& include : input.analysis.includes) {
    if (!isCudaHeader(include.header)) continue;
    const auto& files = input.analysis.files;
    const bool own = !include.angled && std::any_of(files.begin(), files.end(), [&](const CudaFile& file) {
      return file.path == include.header || file.path.ends_with("/" + include.header);
    });
    if (own) continue;
    out.add("NPT1023", include.where, include.header,
            "\"" + include.header + "\" comes with CUDA; the file cannot be compiled for neuron");
  }
}

}  // namespace np::analyzer
