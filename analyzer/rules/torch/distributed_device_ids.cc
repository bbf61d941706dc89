// NPT4003 distributed-device-ids
//
// DistributedDataParallel(model, device_ids=[rank]). On Neuron the process owns one core and the arguments are left
// out. No fix: on CUDA, leaving them out changes how inputs are moved.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void distributedDeviceIds(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::ApiUse& use : input.uses) {
    if (use.name == "torch.distributed.barrier" && use.call != python::kNoNode) {
      const python::NodeId ids = python::keywordValue(input.module, use.call, "device_ids");
      if (ids != python::kNoNode && !tree.is(ids, python::Kind::None))
        out.add("NPT4003", tree[ids].parent, textOf(input, tree[ids].parent),
                "an option of NCCL; leave it out on neuron");
    }
    if (!use.name.starts_with("torch.nn.parallel.") || !use.name.ends_with(".DistributedDataParallel") ||
        use.call == python::kNoNode)
      continue;
    const python::NodeId ids = python::keywordValue(input.module, use.call, "device_ids");
    if (ids == python::kNoNode || tree.is(ids, python::Kind::None)) continue;
    out.add("NPT4003", tree[ids].parent, textOf(input, tree[ids].parent),
            "a process owns one core on neuron; leave device_ids and output_device out there");
  }
}

}  // namespace np::analyzer
