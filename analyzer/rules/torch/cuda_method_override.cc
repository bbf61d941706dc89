// NPT3019 cuda-method-override
//
// A class that defines `cuda(self, …)`. Code that is rewritten to `.to(device)` no longer calls it, so what it does
// besides moving must also happen in `to` or `_apply`. One that hands on to another `.cuda()` is reported there, with a
// note.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

// Whether other rules have found something to change inside.
bool noteOnCalls(Range method, FileFindings& out) {
  bool any = false;
  for (Finding& finding : out.all()) {
    if (finding.rule != "NPT3002" || !method.contains(finding.range)) continue;
    finding.notes.push_back("in a method \"cuda\", which code that says .to(device) does not call");
    any = true;
  }
  return any;
}

}  // namespace

void cudaMethodOverride(const RuleInput& input, FileFindings& out) {
  if (!input.imports_torch) return;
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::Scope& scope : input.module.scopes()) {
    if (scope.kind != python::ScopeKind::Class) continue;
    const auto found = scope.symbols.find("cuda");
    if (found == scope.symbols.end()) continue;
    for (const python::Binding& binding : input.module.symbols()[found->second].bindings)
      if (binding.kind == python::BindingKind::Function && !noteOnCalls(tree[binding.value].range, out))
        out.add("NPT3019", binding.node, "cuda",
                "not called by code that says .to(device); do its work in \"to\" as well");
  }
}

}  // namespace np::analyzer
