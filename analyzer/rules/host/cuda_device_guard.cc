// NPT1027 cuda-device-guard
//
// `CUDAGuard g(x.device())` makes the tensor's device the current one until the scope ends. `c10::DeviceGuard` does the
// same for whatever kind of device it is given, through the backend that is registered for it. Files of nvcc are
// reported and left alone.

#include "analyzer/rules/host/cuda_words.h"
#include "analyzer/rules/host/expressions.h"
#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

constexpr const char* kCudaHeader = "c10/cuda/CUDAGuard.h";

struct Guard {
  std::size_t first = 0, word = 0;  // "at" of "at::cuda::CUDAGuard", and "CUDAGuard"
  std::vector<Edit> edits;
  bool exact = true;  // what it does on CUDA is the same
};

// `name(argument)` or `name{argument}` after the guard's type: the edits of the argument, none when it has no neutral
// form.
bool editArgument(const CppFile& file, const std::vector<Token>& tokens, Guard& guard) {
  std::size_t open = guard.word + 1;
  if (open < tokens.size() && tokens[open].kind == TokenKind::Word) ++open;
  if (open >= tokens.size() || !(tokens[open].is("(") || tokens[open].is("{"))) return false;
  const std::size_t close = closing(tokens, open);
  if (close >= tokens.size() || close == open + 1) return false;
  const std::string text = spelled(tokens, open + 1, close - 1);
  if (text.ends_with(")") &&
      (text.starts_with("device_of(") || text.starts_with("at::device_of(") || text.starts_with("torch::device_of(")))
    return true;
  const std::string device = deviceExpression(tokens, open + 1, close - 1);
  if (device.empty()) return false;
  if (device != text) {
    guard.exact = false;
    guard.edits.push_back({file.path(), {tokens[open + 1].range.start, tokens[close - 1].range.end}, device});
  }
  return true;
}

std::size_t nameStart(const std::vector<Token>& tokens, std::size_t word) {
  std::size_t first = word;
  while (first >= 2 && tokens[first - 1].is("::") && tokens[first - 2].kind == TokenKind::Word) first -= 2;
  return first;
}

class FileGuards {
 public:
  FileGuards(const CppFile& file, const NeuronPlan& plan, bool host, HostFindings& out)
      : file_(file), plan_(plan), host_(host), out_(out) {}

  void run() {
    look(file_.tokens());
    for (const Directive& directive : file_.lexed.directives)
      if (directive.name == "define") look(directive.body);
    addFixes();
  }

 private:
  void look(const std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].is("CUDAGuard") && !tokens[i].is("OptionalCUDAGuard")) continue;
      Guard guard{nameStart(tokens, i), i, {}, true};
      const Range name{tokens[guard.first].range.start, tokens[i].range.end};
      const std::string neutral = tokens[i].is("OptionalCUDAGuard") ? "c10::OptionalDeviceGuard" : "c10::DeviceGuard";
      out_.add("NPT1027", file_, name, std::string(tokens[i].text),
               "\"" + std::string(tokens[i].text) + "\" takes CUDA devices only; \"" + neutral + "\" takes any");
      if (!host_ || isCudaOnly(file_, plan_, name.start) || !editArgument(file_, tokens, guard)) {
        all_fixed_ = false;
        continue;
      }
      guard.edits.push_back({file_.path(), name, neutral});
      exact_ = exact_ && guard.exact;
      fixes_.emplace_back(out_.all().size() - 1, std::move(guard.edits));
    }
  }

  // The #include becomes the neutral one when nothing of the header is left; then all guards of the file go together.
  void addFixes() {
    for (auto& [finding, edits] : fixes_) {
      Fix fix;
      fix.safety = exact_ ? FixSafety::Safe : FixSafety::Unsafe;
      fix.title = "use " + edits.back().text;
      fix.group = "device-guards:" + file_.path();
      fix.edits = std::move(edits);
      for (const Directive& directive : file_.lexed.directives)
        if (all_fixed_ && directive.header() == kCudaHeader)
          fix.edits.push_back({file_.path(), directive.range, "#include <c10/core/DeviceGuard.h>"});
      out_.all()[finding].fixes.push_back(std::move(fix));
    }
  }

  const CppFile& file_;
  const NeuronPlan& plan_;
  const bool host_;
  HostFindings& out_;
  bool exact_ = true, all_fixed_ = true;
  std::vector<std::pair<std::size_t, std::vector<Edit>>> fixes_;  // by index of the finding
};

}  // namespace

void cudaDeviceGuard(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) {
    const bool host = input.project.isHost(file) && !file.isDevice();
    FileGuards(file, input.plan, host, out).run();
  }
}

}  // namespace np::analyzer::host
