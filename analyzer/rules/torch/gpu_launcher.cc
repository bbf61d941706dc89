// NPT4011 gpu-launcher
//
// A distributed job started from Python: torchrun, torch.distributed.launch, accelerate launch, deepspeed, horovodrun.
// A written count is one of GPUs; on Neuron one process drives one logical core. A count that is computed is judged
// where it is.

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

// "--nproc_per_node=8", `"--nproc_per_node", "8"`
bool hasWrittenCount(const RuleInput& input, NodeId string, std::string_view text) {
  const auto isDigit = [](std::string_view rest) {
    const auto at = rest.find_first_not_of("= ");
    return at != std::string_view::npos && rest[at] >= '0' && rest[at] <= '9';
  };
  for (std::string_view option : {"--nproc_per_node", "--nproc-per-node", "--gpu_ids", "--num_gpus", "--num-gpus"}) {
    const auto at = text.find(option);
    if (at == std::string_view::npos) continue;
    if (at + option.size() < text.size()) return isDigit(text.substr(at + option.size()));
    const python::SyntaxTree& tree = input.module.tree();
    NodeId next = tree[string].next_sibling;
    while (next != kNoNode && !tree[next].named) next = tree[next].next_sibling;
    return tree.is(next, Kind::Integer) ||
           (tree.is(next, Kind::String) && isDigit(python::literalText(input.module, next).value_or("")));
  }
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
    const bool launches =
        text.starts_with("horovodrun ") ||
        ((text.starts_with("torchrun ") || text.find(" torch.distributed.launch") != std::string::npos ||
          text.find(" torch.distributed.run") != std::string::npos) &&
         hasWrittenCount(input, id, text));
    // One option of a command line is a string of its own; help texts have spaces around the option.
    const bool counts = isCountOption(text) && !isDefinition(input, id) && hasWrittenCount(input, id, text);
    if (launches || counts)
      out.add("NPT4011", id, text.substr(0, text.find('\n')),
              "starts one process a GPU; on neuron start one a logical core, with torchrun");
  }
}

}  // namespace np::analyzer
