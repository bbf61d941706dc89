// NPT4011 gpu-launcher
//
// A distributed job started from Python: torchrun, torch.distributed.launch, accelerate launch, deepspeed, horovodrun.
// What they are told counts GPUs; on Neuron one process drives one logical core.

#include <array>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::kNoNode;
using python::NodeId;

bool isCountOption(std::string_view text) {
  for (std::string_view option : {"--nproc_per_node", "--nproc-per-node", "--gpu_ids", "--num_gpus", "--num-gpus"})
    if (text.starts_with(option) &&
        (text.size() == option.size() || text[option.size()] == '=' || text[option.size()] == ' '))
      return true;
  return false;
}

bool isDefinition(const RuleInput& input, NodeId string) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId list = tree[string].parent;
  if (!tree.is(list, Kind::ArgumentList)) return false;
  const std::string_view method = python::methodName(input.module, tree[list].parent);
  return method == "add_argument" || method == "option";
}

}  // namespace

void gpuLauncher(const RuleInput& input, FileFindings& out) {
  for (NodeId id : input.strings) {
    const std::string text = python::leadingText(input.module, id);
    const bool launches = text.starts_with("torchrun ") ||
                          text.find(" torch.distributed.launch") != std::string::npos ||
                          text.find(" torch.distributed.run") != std::string::npos || text.starts_with("horovodrun ");
    // One option of a command line is a string of its own; help texts have spaces around the option.
    const bool counts = isCountOption(text) && !isDefinition(input, id);
    if (launches || counts)
      out.add("NPT4011", id, text.substr(0, text.find('\n')),
              "starts one process a GPU; on neuron start one a logical core, with torchrun");
  }
}

}  // namespace np::analyzer
