// NPT3013 compile-options
//
// torch.compile options that the neuron backend rejects (`dynamic=True`), ignores with a warning (`mode=`), or that
// choose another backend (`backend="inductor"`) and its switches (`options=`).

#include "analyzer/python/strings.h"
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
    const python::NodeId backend = python::keywordValue(input.module, use.call, "backend");
    const std::optional<std::string> name =
        backend == python::kNoNode ? std::nullopt : python::literalText(input.module, backend);
    if (name == "inductor" || name == "cudagraphs" || name == "tensorrt" || name == "torch_tensorrt")
      out.add("NPT3013", tree[backend].parent, "torch.compile(backend=\"" + *name + "\")",
              "compiles for CUDA and the CPU; on neuron the backend is \"neuron\", taken when none is named")
          .severity = Severity::Warning;
    const python::NodeId options = python::keywordValue(input.module, use.call, "options");
    if (tree.is(options, python::Kind::Dictionary))
      out.add("NPT3013", tree[options].parent, "torch.compile(options=…)",
              "options of Inductor; leave them out on neuron");
  }
}

}  // namespace np::analyzer
