// NPT4004 cuda-visible-devices
//
// The environment variable that picks GPUs. Neuron's is NEURON_RT_VISIBLE_CORES, which counts logical cores and is set
// per process by the launcher, so the value does not carry over.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/environment_access.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

namespace {

constexpr std::string_view kVariable = "CUDA_VISIBLE_DEVICES";
constexpr std::string_view kMessage = "has no effect on neuron, where NEURON_RT_VISIBLE_CORES picks logical cores";

}  // namespace

void cudaVisibleDevices(const RuleInput& input, FileFindings& out) {
  for (python::NodeId id : input.strings) {
    // Alone, or at the head of a command: `f"CUDA_VISIBLE_DEVICES={i} python …"`.
    const std::string text = python::leadingText(input.module, id);
    if (text.starts_with("CUDA_VISIBLE_DEVICES=") || python::literalText(input.module, id) == kVariable)
      out.add("NPT4004", id, std::string(kVariable), std::string(kMessage));
  }
  for (const NamedVariable& access : environmentAccessesByName(input))
    if (access.variable == kVariable) out.add("NPT4004", access.node, std::string(kVariable), std::string(kMessage));
}

}  // namespace np::analyzer
