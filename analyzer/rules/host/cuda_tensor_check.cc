// NPT1021 cuda-tensor-check
//
// `TORCH_CHECK(x.is_cuda(), …)` refuses every tensor of another device, and `if (x.is_cuda())` takes the CPU branch. In
// a check the neutral test is that the tensor is not on the CPU; a branch is turned when its body calls a function that
// has a bridge, and only then. A macro is changed where it is defined; its uses are listed.

#include <algorithm>
#include <array>

#include "analyzer/rules/host/cuda_words.h"
#include "analyzer/rules/host/expressions.h"
#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

constexpr std::array<std::string_view, 8> kChecks = {"TORCH_CHECK",           "AT_ASSERTM",       "AT_ASSERT",
                                                     "TORCH_INTERNAL_ASSERT", "AT_CHECK",         "STD_TORCH_CHECK",
                                                     "TORCH_CHECK_EQ",        "TORCH_CHECK_VALUE"};
constexpr std::size_t kUsesListed = 20;

class Checker {
 public:
  Checker(const HostRuleInput& input, const CppFile& file, HostFindings& out) : input_(input), file_(file), out_(out) {}

  void run() {
    look(file_.tokens(), nullptr);
    for (const Directive& directive : file_.lexed.directives)
      if (directive.name == "define") look(directive.body, &directive);
  }

 private:
  void look(const std::vector<Token>& tokens, const Directive* macro) {
    for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
      if (!tokens[i].is("is_cuda") || !tokens[i + 1].is("(") || !tokens[i + 2].is(")")) continue;
      if (!tokens[i - 1].is(".") && !tokens[i - 1].is("->")) continue;
      const Range range{tokens[i].range.start, tokens[i + 2].range.end};
      if (file_.isUnder(range.start, kNeuronSwitch)) continue;  // the body that a bridge stands beside
      Finding& finding =
          out_.add("NPT1021", file_, range, "is_cuda", "\"is_cuda()\" is false for neuron tensors" + advice(macro));
      if (macro) listUses(macro->body[0].text, finding);
      if (!input_.project.isHost(file_) || file_.isDevice() || isCudaOnly(file_, input_.plan, range.start)) continue;
      addFix(tokens, i, finding);
    }
  }

  static std::string advice(const Directive* macro) {
    return macro ? "; the macro \"" + std::string(macro->body[0].text) + "\" refuses them wherever it is used"
                 : "; test for the CPU instead, or compare the devices of the inputs";
  }

  void listUses(std::string_view macro, Finding& finding) const {
    std::size_t uses = 0;
    for (const CppFile& file : input_.project.files()) {
      const auto count = [&](const std::vector<Token>& tokens, std::size_t from) {
        for (std::size_t i = from; i < tokens.size(); ++i) {
          if (!tokens[i].is(macro)) continue;
          if (uses++ >= kUsesListed) continue;
          Related related{file.path(), tokens[i].range, file.text->position(tokens[i].range.start),
                          file.text->position(tokens[i].range.end), "used here"};
          finding.trace.push_back(std::move(related));
        }
      };
      count(file.tokens(), 0);
      for (const Directive& directive : file.lexed.directives)
        if (directive.name == "define") count(directive.body, 1);
    }
    finding.notes.push_back("used in " + std::to_string(uses) + (uses == 1 ? " place" : " places"));
  }

  void addFix(const std::vector<Token>& tokens, std::size_t word, Finding& finding) const {
    const auto call = callAround(tokens, word);
    if (!call || *call == 0) return;
    const std::string_view callee = tokens[*call - 1].text;
    Fix fix;
    fix.safety = FixSafety::Unsafe;
    if (std::find(kChecks.begin(), kChecks.end(), callee) != kChecks.end()) {
      fix.title = "check that the tensor is not on the CPU";
      addMessageEdits(tokens, *call, fix);
    } else if (callee == "if" && input_.plan.problem.empty() && bodyCallsBridge(tokens, *call)) {
      fix.title = "take the device's branch for every device but the CPU";
      fix.group = kNeuronBuild;
    } else {
      return;
    }
    const std::size_t start = expressionStart(tokens, word - 1);
    const bool negated = start > 0 && tokens[start - 1].is("!");
    const Offset at = tokens[start].range.start;
    if (negated)
      fix.edits.push_back({file_.path(), tokens[start - 1].range, ""});
    else
      fix.edits.push_back({file_.path(), {at, at}, "!"});
    fix.edits.push_back({file_.path(), tokens[word].range, "is_cpu"});
    finding.fixes.push_back(std::move(fix));
  }

  // "x must be a CUDA tensor" would not be true any more.
  void addMessageEdits(const std::vector<Token>& tokens, std::size_t open, Fix& fix) const {
    const std::size_t close = std::min(closing(tokens, open), tokens.size());
    for (std::size_t i = open; i < close; ++i) {
      if (tokens[i].kind != TokenKind::String) continue;
      for (const auto& [from, to] :
           {std::pair<std::string_view, std::string_view>{"a CUDA tensor", "an accelerator tensor"},
            {"CUDA tensor", "accelerator tensor"},
            {"a GPU tensor", "an accelerator tensor"},
            {"on CUDA", "on an accelerator"}}) {
        const std::size_t at = tokens[i].text.find(from);
        if (at == std::string_view::npos) continue;
        const Offset start = tokens[i].range.start + static_cast<Offset>(at);
        fix.edits.push_back({file_.path(), {start, start + static_cast<Offset>(from.size())}, std::string(to)});
        break;
      }
    }
  }

  bool bodyCallsBridge(const std::vector<Token>& tokens, std::size_t open) const {
    std::size_t at = closing(tokens, open) + 1;
    if (at >= tokens.size()) return false;
    std::size_t end = at;
    if (tokens[at].is("{"))
      end = closing(tokens, at);
    else
      while (end < tokens.size() && !tokens[end].is(";")) ++end;
    for (; at < end && at < tokens.size(); ++at)
      if (input_.plan.bridged.contains(std::string(tokens[at].text)) && at + 1 < tokens.size() &&
          tokens[at + 1].is("("))
        return true;
    return false;
  }

  const HostRuleInput& input_;
  const CppFile& file_;
  HostFindings& out_;
};

}  // namespace

void cudaTensorCheck(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) Checker(input, file, out).run();
}

}  // namespace np::analyzer::host
