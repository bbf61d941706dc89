// NPT3202 triton-kernel
//
// Functions compiled by Triton: no code generator for Neuron exists, so each one is an NKI kernel to be written.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void tritonKernel(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::ApiUse& use : input.uses) {
    if (use.name == "triton.autotune" || use.name == "triton.heuristics")
      out.add("NPT3202", use.node, textOf(input, use.node), "tunes a Triton kernel; leave it out with the kernel")
          .severity = Severity::Hint;
    if (use.name != "triton.jit") continue;
    const python::NodeId decorator = tree.ancestor(use.node, python::Kind::Decorator);
    if (decorator == python::kNoNode) continue;
    const python::NodeId definition = tree.child(tree[decorator].parent, python::Field::Definition);
    const python::NodeId name = tree.child(definition, python::Field::Name);
    out.add("NPT3202", use.node, textOf(input, name), "Triton kernel; neuron needs it written with NKI");
  }
}

}  // namespace np::analyzer
