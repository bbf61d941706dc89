// NPT4002 data-parallel
//
// torch.nn.DataParallel drives several devices from one process. On Neuron a process owns one logical core, so the
// model needs DistributedDataParallel and torchrun: a change of the program's start, not of one line.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void dataParallel(const RuleInput& input, FileFindings& out) {
  for (const python::ApiUse& use : input.uses) {
    const bool found = use.name == "torch.nn.DataParallel" || use.name == "torch.nn.parallel.DataParallel" ||
                       use.name == "torch.nn.parallel.data_parallel" ||
                       use.name == "torch.nn.parallel.data_parallel.DataParallel";
    if (found)
      out.add("NPT4002", use.node, use.name,
              "one process drives several GPUs; on neuron use DistributedDataParallel with torchrun");
  }
}

}  // namespace np::analyzer
