// Functions that the file itself compiles get no fix at all (insideScript in places.h); this is about those that are
// compiled from elsewhere.

#include "analyzer/rules/torch/script_safety.h"

#include <algorithm>
#include <vector>

namespace np::analyzer {

bool mentionsScript(std::string_view bytes) {
  return bytes.find("jit.script") != std::string_view::npos || bytes.find("import script") != std::string_view::npos ||
         bytes.find("ScriptModule") != std::string_view::npos;
}

void lowerFixesInFunctions(const RuleInput& input, FileFindings& out) {
  std::vector<Range> bodies;
  for (const python::Symbol& symbol : input.module.symbols())
    for (const python::Binding& binding : symbol.bindings)
      if (binding.kind == python::BindingKind::Function && binding.value != python::kNoNode)
        bodies.push_back(input.module.tree()[binding.value].range);
  const auto inFunction = [&](const Edit& edit) {
    return std::any_of(bodies.begin(), bodies.end(),
                       [&](const Range& body) { return body.start <= edit.range.start && edit.range.end <= body.end; });
  };
  for (Finding& finding : out.all()) {
    bool lowered = false;
    for (Fix& fix : finding.fixes) {
      if (fix.safety != FixSafety::Safe || std::none_of(fix.edits.begin(), fix.edits.end(), inFunction)) continue;
      fix.safety = FixSafety::Unsafe;
      lowered = true;
    }
    if (lowered)
      finding.notes.push_back(
          "the project compiles functions with TorchScript, which takes no torch.accelerator: see that this one stays "
          "Python");
  }
}

}  // namespace np::analyzer
