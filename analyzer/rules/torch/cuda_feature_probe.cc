// NPT3017 cuda-feature-probe
//
// The module torch.cuda as a value: `hasattr(torch.cuda, "memory_reserved")`, `getattr(torch, "cuda")`,
// `backend = torch.cuda`. What is asked or stored here speaks of CUDA wherever it is used later. Assigning to a name of
// torch.cuda, or over torch's own `cuda` method, changes what rewritten code no longer calls.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::ApiUse;
using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

// The call of hasattr, getattr or setattr whose first argument this is.
NodeId probeOf(const RuleInput& input, NodeId value) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId list = tree[value].parent;
  if (!tree.is(list, Kind::ArgumentList) || !python::isFirstArgument(input.module, tree[list].parent, value))
    return kNoNode;
  const std::string callee = textOf(input, tree.child(tree[list].parent, Field::Function));
  return callee == "hasattr" || callee == "getattr" || callee == "setattr" || callee == "delattr" ? tree[list].parent
                                                                                                  : kNoNode;
}

bool isAssigned(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  return tree.is(tree[node].parent, Kind::Assignment) && tree[node].field == Field::Left;
}

// `getattr(torch, "cuda")`, `hasattr(torch.version, "cuda")`.
bool asksForCuda(const RuleInput& input, NodeId probe) {
  const auto arguments = python::argumentsOf(input.module, probe);
  return arguments.size() >= 2 && python::literalText(input.module, arguments[1].value) == "cuda";
}

bool isCudaMethod(std::string_view name) {
  return name == "torch.Tensor.cuda" || name == "torch.nn.Module.cuda" || name == "torch.Tensor.is_cuda";
}

}  // namespace

void cudaFeatureProbe(const RuleInput& input, FileFindings& out) {
  for (const ApiUse& use : input.uses) {
    if (out.full()) return;
    if (out.isClaimed(use.node)) continue;
    const NodeId probe = probeOf(input, use.node);
    const bool module =
        use.name == "torch.cuda" || use.name == "torch.backends.cudnn" || use.name == "torch.backends.cuda";
    if (isAssigned(input, use.node) &&
        (isCudaMethod(use.name) || (use.name.starts_with("torch.cuda.") && use.name != "torch.cuda.is_available"))) {
      out.claim(use.node);
      out.add("NPT3017", use.node, textOf(input, use.node),
              "replaces a function of torch.cuda, which is not called on neuron");
    } else if (probe != kNoNode &&
               (module || ((use.name == "torch" || use.name == "torch.version") && asksForCuda(input, probe)))) {
      out.claim(use.node);
      const auto arguments = python::argumentsOf(input.module, probe);
      if (arguments.size() >= 2) out.claim(arguments[1].value);
      out.add("NPT3017", probe, textOf(input, probe), "asks about CUDA; the answer says nothing about neuron");
    } else if (module && use.call == kNoNode) {
      out.claim(use.node);
      out.add("NPT3017", use.node, use.name,
              "the module is kept as a value; use torch.accelerator or torch.get_device_module()");
    }
  }
}

}  // namespace np::analyzer
