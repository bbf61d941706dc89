// NPT1022 cuda-dispatch-key
//
// An op registered under the dispatch key CUDA does not exist for neuron tensors: the dispatcher raises before any of
// our code runs. One finding for each op, at its m.impl, so that the list is the list of ops to port.

#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {

void cudaDispatchKey(const CudaRuleInput& input, CudaFindings& out) {
  for (const BindingFacts& binding : input.analysis.bindings) {
    if (binding.dispatch_key != "CUDA" && binding.dispatch_key != "AutocastCUDA") continue;
    Finding& finding = out.add("NPT1022", binding.binding.where, binding.binding.name,
                               "op \"" + binding.binding.name + "\" is registered for CUDA only; register it with " +
                                   "`torch_neuronx.nki_op` once its kernels are translated");
    if (!binding.binding.schema.empty()) finding.notes.push_back("schema: " + binding.binding.schema);
  }
}

}  // namespace np::analyzer
