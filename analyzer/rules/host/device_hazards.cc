// NPT2023 warp-size-assumption, NPT2024 missing-warp-barrier, NPT2026 double-literal, NPT2027 architecture-branch,
// NPT2028 legacy-warp-intrinsic, NPT2029 kernel-lock, NPT2030 float-atomic
//
// Properties of device code that decide whether it can be translated, or what its results are worth on other hardware.
// They are read off the text, so that kernels in files which do not compile here are judged too.

#include <algorithm>
#include <array>

#include "analyzer/rules/host/device_code.h"
#include "analyzer/rules/host/expressions.h"
#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

constexpr std::array<std::string_view, 8> kLegacy = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor",
                                                     "__any",  "__all",     "__ballot",    "__popc_warp"};

bool isFloating(const std::string& type) {
  for (std::string_view word : {"float", "double", "half", "scalar_t", "bfloat16", "Half", "BFloat16"})
    if (type.find(word) != std::string::npos) return true;
  return false;
}

bool isDoubleLiteral(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return false;
  const bool floating = text.find('.') != std::string_view::npos || text.find_first_of("eE") != std::string_view::npos;
  return floating && text.find_first_of("fFlL") == std::string_view::npos;
}

class Look {
 public:
  Look(const CppFile& file, const Item& function, HostFindings& out)
      : file_(file), tokens_(file.tokens()), function_(function), out_(out) {}

  void run() {
    const std::set<std::string> names = threadDependentNames(file_, function_);
    bool volatile_shared = false, syncs = false;
    for (std::size_t i = function_.open; i < function_.last; ++i) {
      const Token& token = tokens_[i];
      if (token.kind == TokenKind::Number) {
        warpSize(i, names);
        literal(token);
        continue;
      }
      volatile_shared = volatile_shared || (token.is("volatile") && i < function_.brace);
      syncs = syncs || token.is("__syncwarp") || token.is("__syncthreads");
      if (i + 1 >= tokens_.size() || !tokens_[i + 1].is("(")) continue;
      legacy(i);
      if (token.is("while")) lock(i);
      if (token.is("atomicAdd") || token.is("gpuAtomicAdd") || token.is("gpuAtomicAddNoReturn")) atomic(i);
    }
    if (volatile_shared && !syncs) warpBarrier();
  }

 private:
  // `threadIdx.x % 32`, `tid / 32`, `tid & 31`, `tid >> 5`.
  void warpSize(std::size_t at, const std::set<std::string>& names) {
    const std::string_view number = tokens_[at].text;
    const Token &before = tokens_[at - 1], &two = tokens_[at - 2];
    const bool divides = (before.is("%") || before.is("/")) && (number == "32" || number == "32u");
    const bool masks = before.is("&") && (number == "31" || number == "0x1f" || number == "0x1F");
    const bool shifts = before.is(">") && two.is(">") && number == "5";
    if (!divides && !masks && !shifts) return;
    const std::size_t end = shifts ? at - 2 : at - 1;
    const std::size_t start = expressionStart(tokens_, end);
    if (start >= end || !dependsOnThread(tokens_, start, end - 1, names)) return;
    out_.add("NPT2023", file_, {tokens_[start].range.start, tokens_[at].range.end}, function_.name,
             "the warp of a thread is computed with 32 written out; Neuron has no warps");
  }

  // Only in kernels over float: there a double literal makes the expression double.
  void literal(const Token& token) {
    if (!isDoubleLiteral(token.text) || token.range.start < tokens_[function_.brace].range.start) return;
    const auto has = [&](std::string_view word) {
      return std::any_of(function_.params.begin(), function_.params.end(),
                         [&](const Param& param) { return param.type.find(word) != std::string::npos; });
    };
    if (!has("float") || has("double") || function_.is_template) return;
    out_.add("NPT2026", file_, token.range, std::string(token.text),
             "\"" + std::string(token.text) + "\" is a double among floats; Trainium computes it in float32");
  }

  void legacy(std::size_t at) {
    const std::string_view word = tokens_[at].text;
    if (std::find(kLegacy.begin(), kLegacy.end(), word) == kLegacy.end()) return;
    Finding& finding = out_.add("NPT2028", file_, tokens_[at].range, std::string(word),
                                "\"" + std::string(word) + "\" is gone since CUDA 9 on current GPUs; use \"" +
                                    std::string(word) + "_sync\" with the mask of the threads that take part");
    Fix fix;
    fix.safety = FixSafety::Unsafe;
    fix.title = "use " + std::string(word) + "_sync over the whole warp";
    fix.edits.push_back(
        {file_.path(), {tokens_[at].range.start, tokens_[at + 1].range.end}, std::string(word) + "_sync(0xffffffff, "});
    finding.fixes.push_back(std::move(fix));
  }

  // `while (atomicCAS(lock, 0, 1) != 0);`
  void lock(std::size_t at) {
    const std::size_t close = std::min(closing(tokens_, at + 1), function_.last);
    for (std::size_t i = at + 1; i < close; ++i)
      if (tokens_[i].is("atomicCAS") || tokens_[i].is("atomicExch"))
        return void(out_.add("NPT2029", file_, tokens_[i].range, function_.name,
                             "a loop waits for another thread through \"" + std::string(tokens_[i].text) +
                                 "\"; tiles run to their end one after the other, so the wait may never end"));
  }

  // The buffer that is added to, when it is a floating-point parameter.
  void atomic(std::size_t at) {
    const std::size_t close = std::min(closing(tokens_, at + 1), function_.last);
    for (std::size_t i = at + 2; i < close && !tokens_[i].is(","); ++i)
      for (const Param& param : function_.params)
        if (!param.name.empty() && tokens_[i].is(param.name) && isFloating(param.type))
          return void(out_.add("NPT2030", file_, tokens_[at].range, function_.name,
                               "floats are added to \"" + param.name +
                                   "\" in an order that differs from run to run; compare with a tolerance"));
  }

  void warpBarrier() {
    out_.add("NPT2024", file_, function_.name_range, function_.name,
             "\"" + function_.name + "\" relies on threads of a warp running in step (volatile, no \"__syncwarp\")");
  }

  const CppFile& file_;
  const std::vector<Token>& tokens_;
  const Item& function_;
  HostFindings& out_;
};

}  // namespace

void deviceHazards(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) {
    eachDeviceFunction(file, [&](const Item& function) { Look(file, function, out).run(); });
    for (const Directive& directive : file.lexed.directives)
      for (const Token& token : directive.body)
        if ((directive.name == "if" || directive.name == "elif") && token.is("__CUDA_ARCH__") &&
            directive.body.size() > 2 && !directive.body.front().is("defined")) {
          out.add("NPT2027", file, directive.range, "__CUDA_ARCH__",
                  "what this code does depends on the GPU's generation; the branch of sm_80 is analysed");
          break;
        }
  }
}

}  // namespace np::analyzer::host
