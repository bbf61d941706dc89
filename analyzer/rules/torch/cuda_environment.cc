// NPT4005 cuda-environment
//
// Environment variables that only CUDA, cuBLAS or NCCL read. Setting them does no harm on Neuron and no good either.

#include <array>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/environment_access.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

bool isCudaVariable(std::string_view name) {
  constexpr std::array<std::string_view, 16> kNames = {"CUDA_LAUNCH_BLOCKING",
                                                       "PYTORCH_CUDA_ALLOC_CONF",
                                                       "CUBLAS_WORKSPACE_CONFIG",
                                                       "CUDA_DEVICE_ORDER",
                                                       "CUDA_DEVICE_MAX_CONNECTIONS",
                                                       "CUDA_MODULE_LOADING",
                                                       "PYTORCH_NVML_BASED_CUDA_CHECK",
                                                       "PYTORCH_ALLOC_CONF",
                                                       "TORCH_CUDA_ARCH_LIST",
                                                       "CUDA_HOME",
                                                       "CUDA_PATH",
                                                       "CUDACXX",
                                                       "CUDA_CACHE_PATH",
                                                       "NVIDIA_TF32_OVERRIDE",
                                                       "NVIDIA_VISIBLE_DEVICES",
                                                       "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"};
  for (std::string_view known : kNames)
    if (name == known) return true;
  return name.starts_with("NCCL_") || name.starts_with("TORCHINDUCTOR_") || name.starts_with("TRITON_") ||
         name.starts_with("TORCH_NCCL_");
}

// Any other variable that begins like one of CUDA's, where the environment is what is asked.
bool isReadFromEnvironment(const RuleInput& input, python::NodeId string) {
  const std::string text = python::literalText(input.module, string).value_or("");
  bool alike = false;
  for (std::string_view start : {"CUDA_", "CUDNN_", "CUBLAS_", "NVTE_", "TORCH_CUDA_", "PYTORCH_CUDA_"})
    alike = alike || text.starts_with(start);
  if (!alike || text == "CUDA_VISIBLE_DEVICES") return false;
  return inEnvironmentAccess(input, string);
}

}  // namespace

void cudaEnvironment(const RuleInput& input, FileFindings& out) {
  for (python::NodeId id : input.strings) {
    const std::optional<std::string> text = python::literalText(input.module, id);
    if (!text || (!isCudaVariable(*text) && !isReadFromEnvironment(input, id))) continue;
    Finding& finding = out.add("NPT4005", id, *text, "is read by CUDA libraries only");
    if (*text == "CUDA_LAUNCH_BLOCKING")
      finding.notes.push_back("NEURON_LAUNCH_BLOCKING=1 is the like on neuron (seen before the beta)");
  }
  for (const NamedVariable& access : environmentAccessesByName(input))
    if (isCudaVariable(access.variable))
      out.add("NPT4005", access.node, access.variable, "is read by CUDA libraries only");
}

}  // namespace np::analyzer
