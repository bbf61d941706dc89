// NPT3010 cuda-string
//
// Every other "cuda" in a string: a key of a table, an argument of somebody's function, a value with a name that is
// never used as a device. Listed so that nothing is passed over in silence; what it means only a person can say.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void cudaString(const RuleInput& input, FileFindings& out) {
  for (const python::DeviceString& device : input.device_strings) {
    const bool handled_elsewhere =
        device.use == python::DeviceUse::Fallback || device.use == python::DeviceUse::Comparison;
    if (handled_elsewhere || out.isClaimed(device.node)) continue;
    out.claim(device.node);
    const bool is_argument = device.use == python::DeviceUse::OtherArgument;
    out.add("NPT3010", device.node, textOf(input, device.node),
            is_argument ? "passed on as a string; see what the callee does on neuron"
                        : "names CUDA in data; see who reads it");
  }
  if (!input.imports_torch) return;
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId id : input.strings) {
    const std::optional<std::string> text = python::literalText(input.module, id);
    if ((text != "gpu" && text != "GPU") || out.isClaimed(id)) continue;
    const bool chosen = tree.is(tree[id].parent, python::Kind::ComparisonOperator) ||
                        tree.is(tree[id].parent, python::Kind::DefaultParameter) ||
                        tree.is(tree[id].parent, python::Kind::TypedDefaultParameter) ||
                        tree.is(tree[id].parent, python::Kind::KeywordArgument) ||
                        tree.is(tree[id].parent, python::Kind::Assignment);
    if (!chosen) continue;
    out.claim(id);
    out.add("NPT3010", id, textOf(input, id), "means CUDA in most programs; see who reads it");
  }
}

}  // namespace np::analyzer
