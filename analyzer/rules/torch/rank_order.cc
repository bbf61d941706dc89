// NPT4009 rank-order
//
// Setting the device before init_process_group. Before the beta the process group wanted to be made first: it gives the
// process its core. Two calls in the same body, in the wrong order, are what can be seen in one file.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void rankOrder(const RuleInput& input, FileFindings& out) {
  for (const python::ApiUse& set : input.uses) {
    if (set.call == python::kNoNode) continue;
    if (set.name != "torch.cuda.set_device" && set.name != "torch.accelerator.set_device_index") continue;
    for (const python::ApiUse& init : input.uses) {
      if (init.name != "torch.distributed.init_process_group" || init.call == python::kNoNode || init.node < set.node)
        continue;
      if (input.module.scopeOf(init.node) != input.module.scopeOf(set.node)) continue;
      out.add("NPT4009", set.call, textOf(input, set.call),
              "sets the device before init_process_group; on neuron make the process group first");
      break;
    }
  }
}

}  // namespace np::analyzer
