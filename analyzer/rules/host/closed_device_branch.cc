// NPT1028 closed-device-branch
//
// `#ifdef WITH_CUDA return scatter_cuda(x); #endif`: in a build for Neuron the function called has a bridge, but the
// branch is not compiled. The condition is widened when everything under it compiles without CUDA: calls of bridged
// functions and the headers that declare them.

#include "analyzer/rules/host/cuda_words.h"
#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

// The macro of `#ifdef M` and `#if defined(M)`, when it switches CUDA.
std::string switchOf(const Directive& directive) {
  const auto& body = directive.body;
  std::string macro;
  if (directive.name == "ifdef" && body.size() == 1) macro = std::string(body[0].text);
  if (directive.name == "if" && body.size() == 4 && body[0].is("defined")) macro = std::string(body[2].text);
  if (directive.name == "if" && body.size() == 1) macro = std::string(body[0].text);
  const bool theirs = macro == "WITH_CUDA" || macro == "USE_CUDA" || macro == "HAVE_CUDA" || macro == "ENABLE_CUDA" ||
                      macro == "WITH_GPU";
  return theirs ? macro : "";
}

class Branch {
 public:
  Branch(const HostRuleInput& input, const CppFile& file, const Conditional& conditional)
      : input_(input), file_(file), from_(conditional.open), to_(conditional.otherwise.value_or(conditional.close)) {}

  bool opens() const {
    bool useful = false;
    for (std::size_t i = from_ + 1; i < to_; ++i)
      if (!isBridgedHeader(file_.lexed.directives[i].header(), useful)) return false;
    const std::size_t end = file_.lexed.directives[to_].token;
    for (std::size_t i = file_.lexed.directives[from_].token; i < end; ++i) {
      if (isCudaWord(file_.tokens(), i, true)) return false;
      useful = useful || input_.plan.bridged.contains(std::string(file_.tokens()[i].text));
    }
    return useful;
  }

 private:
  bool isBridgedHeader(const std::string& header, bool& useful) const {
    if (header.empty()) return false;
    for (const auto& [path, plan] : input_.plan.files) {
      if (path != header && !path.ends_with("/" + header)) continue;
      for (const Planned& planned : plan.items) {
        const bool has_bridge = planned.done || (planned.fate == Fate::BridgeDeclaration && planned.problem.empty());
        useful = useful || has_bridge;
        if (planned.fate == Fate::BridgeDeclaration && !planned.problem.empty()) return false;
      }
      return true;
    }
    return false;
  }

  const HostRuleInput& input_;
  const CppFile& file_;
  std::size_t from_, to_;
};

}  // namespace

void closedDeviceBranch(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) {
    if (!input.project.isHost(file) || !file.is_balanced) continue;
    for (const Conditional& conditional : file.conditionals) {
      const Directive& directive = file.lexed.directives[conditional.open];
      const std::string macro = switchOf(directive);
      if (macro.empty() || !Branch(input, file, conditional).opens()) continue;
      Finding& finding =
          out.add("NPT1028", file, directive.range, macro,
                  "the code under \"" + macro + "\" has a bridge to Neuron, but only CUDA builds compile it");
      if (!input.plan.problem.empty()) continue;
      Fix fix;
      fix.safety = FixSafety::Unsafe;
      fix.title = "compile it in builds for Neuron too";
      fix.group = kNeuronBuild;
      const std::string tested =
          directive.name == "if" && directive.body.size() == 1 ? macro : "defined(" + macro + ")";
      fix.edits.push_back({file.path(), directive.range, "#if " + tested + " || defined(WITH_NEURON)"});
      finding.fixes.push_back(std::move(fix));
    }
  }
}

}  // namespace np::analyzer::host
