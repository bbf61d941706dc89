// NPT3013 compile-options
//
// torch.compile options that the neuron backend rejects (`dynamic=True`) or ignores with a warning (`mode=`).

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {

void compileOptions(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::ApiUse& use : input.uses) {
    if (use.name != "torch.compile" || use.call == python::kNoNode) continue;
    const python::NodeId dynamic = python::keywordValue(input.module, use.call, "dynamic");
    if (tree.is(dynamic, python::Kind::True))
      out.add("NPT3013", tree[dynamic].parent, "torch.compile(dynamic=True)",
              "the neuron backend rejects dynamic shapes; pad or bucket and leave \"dynamic\" out")
          .severity = Severity::Error;
    const python::NodeId mode = python::keywordValue(input.module, use.call, "mode");
    const std::string text = textOf(input, mode);
    if (text.find("reduce-overhead") != std::string::npos || text.find("max-autotune") != std::string::npos)
      out.add("NPT3013", tree[mode].parent, "torch.compile(mode=" + text + ")",
              "the neuron backend ignores this mode with a warning");
  }
}

}  // namespace np::analyzer
