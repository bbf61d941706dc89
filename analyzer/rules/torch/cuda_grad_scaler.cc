// NPT3012 cuda-grad-scaler
//
// torch.cuda.amp.GradScaler switches itself off (with a warning) where CUDA is absent, and bfloat16 needs no scaling:
// the loop keeps working. Whether float16 scaling works on Neuron is not documented, so there is nothing to rewrite to.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void cudaGradScaler(const RuleInput& input, FileFindings& out) {
  for (const python::ApiUse& use : input.uses) {
    const bool of_cuda = use.name == "torch.cuda.amp.GradScaler" || use.name == "torch.cuda.amp.grad_scaler.GradScaler";
    const bool generic = use.name == "torch.amp.GradScaler" || use.name == "torch.GradScaler";
    if (!of_cuda && !generic) continue;
    out.claim(use.node);
    if (use.call == python::kNoNode) continue;
    bool names_cuda = of_cuda;
    for (const python::DeviceString& device : input.device_strings) {
      if (device.holder != use.call) continue;
      out.claim(device.node);
      names_cuda = true;
    }
    if (names_cuda)
      out.add("NPT3012", use.node, textOf(input, use.node),
              "switches itself off on neuron, where bfloat16 needs no loss scaling");
  }
}

}  // namespace np::analyzer
