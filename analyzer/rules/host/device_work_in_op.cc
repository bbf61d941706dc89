// NPT1025 device-work-in-op
//
// A function that Python calls and that launches kernels or takes CUDA's stream. The op is what a port replaces, so in
// a build for Neuron the function's body is a call of the ported op; the CUDA body stays as it is for other builds.

#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

bool restOfLineIsBlank(std::string_view bytes, std::size_t at) {
  while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) ++at;
  return at >= bytes.size() || bytes[at] == '\n';
}

bool startsLine(std::string_view bytes, std::size_t at) {
  while (at > 0 && (bytes[at - 1] == ' ' || bytes[at - 1] == '\t')) --at;
  return at == 0 || bytes[at - 1] == '\n';
}

}  // namespace

void deviceWorkInOp(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) {
    const auto plan = input.plan.files.find(file.path());
    if (plan == input.plan.files.end()) continue;
    for (const Planned& planned : plan->second.items) {
      if (planned.fate != Fate::BridgeBody) continue;
      const Item& item = *planned.item;
      Finding& finding = out.add("NPT1025", file, item.name_range, item.name,
                                 "\"" + item.name + "\" is called from Python and works on CUDA's device only");
      if (!planned.problem.empty()) finding.notes.push_back("no bridge: it " + planned.problem);
      if (!input.plan.problem.empty()) finding.notes.push_back("no fix: " + input.plan.problem);
      if (!planned.problem.empty() || !input.plan.problem.empty()) continue;
      const std::string_view bytes = file.text->bytes();
      const Offset open = file.tokens()[item.brace].range.end, close = file.tokens()[item.last].range.start;
      Fix fix;
      fix.safety = FixSafety::Unsafe;
      fix.title = "call the ported op in builds for Neuron";
      fix.group = kNeuronBuild;
      const std::string before = "\n#ifdef WITH_NEURON\n" + planned.bridge + "#else";
      fix.edits.push_back(
          {file.path(), {open, open}, inStyleOf(file, before + (restOfLineIsBlank(bytes, open) ? "" : "\n"))});
      fix.edits.push_back(
          {file.path(), {close, close}, inStyleOf(file, startsLine(bytes, close) ? "#endif\n" : "\n#endif\n")});
      finding.fixes.push_back(std::move(fix));
    }
  }
}

}  // namespace np::analyzer::host
