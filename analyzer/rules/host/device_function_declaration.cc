// NPT1024 device-function-declaration
//
// `Tensor scatter_cuda(Tensor, …);` in a header, its body in a .cu: a build without nvcc cannot link what calls it. In
// a build for Neuron the declaration becomes an inline function that calls the op of that name.

#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

std::string headOf(const CppFile& file, const Item& item) {
  std::string_view text = file.text->slice(item.range);
  text.remove_suffix(1);  // ";"
  if (text.starts_with("extern ")) text.remove_prefix(7);
  const std::string head(text);
  return head.starts_with("inline ") || head.starts_with("static ") ? head : "inline " + head;
}

}  // namespace

void deviceFunctionDeclaration(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) {
    const auto plan = input.plan.files.find(file.path());
    if (plan == input.plan.files.end()) continue;
    for (const Planned& planned : plan->second.items) {
      if (planned.fate != Fate::BridgeDeclaration) continue;
      const Item& item = *planned.item;
      Finding& finding = out.add("NPT1024", file, item.name_range, item.name,
                                 "\"" + item.name + "\" is defined in a .cu file; a build without nvcc cannot link it");
      if (!planned.problem.empty()) finding.notes.push_back("no bridge: it " + planned.problem);
      if (!input.plan.problem.empty()) finding.notes.push_back("no fix: " + input.plan.problem);
      if (!planned.problem.empty() || !input.plan.problem.empty()) continue;
      Fix fix;
      fix.safety = FixSafety::Unsafe;
      fix.title = "call the registered op in builds for Neuron";
      fix.group = kNeuronBuild;
      const std::string before = "#ifdef WITH_NEURON\n" + headOf(file, item) + " {\n" + planned.bridge + "}\n#else\n";
      fix.edits.push_back({file.path(), {item.range.start, item.range.start}, inStyleOf(file, before)});
      fix.edits.push_back({file.path(), {item.range.end, item.range.end}, inStyleOf(file, "\n#endif")});
      finding.fixes.push_back(std::move(fix));
    }
  }
}

}  // namespace np::analyzer::host
