// NPT4004 cuda-visible-devices
//
// The environment variable that picks GPUs. Neuron's is NEURON_RT_VISIBLE_CORES, which counts logical cores and is set
// per process by the launcher, so the value does not carry over.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void cudaVisibleDevices(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId id = 0; id < tree.nodes().size(); ++id) {
    if (!tree.is(id, python::Kind::String) || python::isDocstring(input.module, id)) continue;
    // Alone, or at the head of a command: `f"CUDA_VISIBLE_DEVICES={i} python …"`.
    const std::string text = python::leadingText(input.module, id);
    if (text.starts_with("CUDA_VISIBLE_DEVICES=") || python::literalText(input.module, id) == "CUDA_VISIBLE_DEVICES")
      out.add("NPT4004", id, "CUDA_VISIBLE_DEVICES",
              "has no effect on neuron, where NEURON_RT_VISIBLE_CORES picks logical cores");
  }
}

}  // namespace np::analyzer
