// NPT3009 cuda-custom-function
//
// @torch.cuda.amp.custom_fwd and custom_bwd look at CUDA's autocast state only, so on Neuron a custom function would
// run in whatever type its inputs have. torch.amp.custom_fwd(device_type=…) is the same function with the device given.

#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::NodeId;

void replaceDecorator(const RuleInput& input, const python::ApiUse& use, Finding& finding) {
  const python::SyntaxTree& tree = input.module.tree();
  const std::string name = use.name.substr(use.name.rfind('.') + 1);
  FixBuilder fix(input, FixSafety::Unsafe, "follow the accelerator's autocast state");
  fix.requireTorch("2.4");
  fix.replace(use.node, fix.torchAt(use.node) + ".amp." + name +
                            (use.call == python::kNoNode ? "(device_type=" + fix.deviceText(use.node) + ")" : ""));
  if (use.call != python::kNoNode) {
    // A positional argument is the decorated function: `custom_fwd(f)` is not a decorator factory there.
    for (const python::Argument& argument : python::argumentsOf(input.module, use.call))
      if (argument.name != "cast_inputs") return;
    const NodeId list = tree.child(use.call, python::Field::Arguments);
    const bool has_arguments = !python::argumentsOf(input.module, use.call).empty();
    fix.insert(tree[list].range.start + 1, "device_type=" + fix.deviceText(use.node) + (has_arguments ? ", " : ""),
               use.call);
  } else if (!tree.is(tree[use.node].parent, Kind::Decorator)) {
    return;
  }
  std::move(fix).addTo(finding);
}

}  // namespace

void cudaCustomFunction(const RuleInput& input, FileFindings& out) {
  for (const python::ApiUse& use : input.uses) {
    const bool is_custom = use.name.ends_with(".custom_fwd") || use.name.ends_with(".custom_bwd");
    if (!is_custom || !use.name.starts_with("torch.cuda.amp.")) continue;
    out.claim(use.node);
    Finding& finding = out.add("NPT3009", use.node, textOf(input, use.node),
                               "follows CUDA's autocast state only; give the device type");
    replaceDecorator(input, use, finding);
  }
}

}  // namespace np::analyzer
