// NPT1029 removed-torch-name
//
// Names of old PyTorch that current headers do not have any more, or have as deprecated. They stand in the way of every
// port, because Neuron needs a current torch. The replacements have been there since 1.5 and mean the same.

#include <array>

#include "analyzer/rules/host/expressions.h"
#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

struct Rename {
  std::string_view from, to;
  bool fixed;  // the new name needs no other header
};

constexpr std::array<Rename, 3> kRenames = {
    {{"AT_CHECK", "TORCH_CHECK", true}, {"THCudaCheck", "AT_CUDA_CHECK", true}, {"THCCeilDiv", "at::ceil_div", false}}};

bool isRemovedHeader(const std::string& header) { return header.starts_with("THC/") || header.starts_with("TH/"); }

class Look {
 public:
  Look(const CppFile& file, HostFindings& out) : file_(file), out_(out) {}

  void run() {
    names(file_.tokens());
    for (const Directive& directive : file_.lexed.directives) {
      if (directive.name == "define") names(directive.body);
      if (isRemovedHeader(directive.header())) header(directive);
    }
  }

 private:
  void add(Range range, std::string_view subject, std::string_view to, std::vector<Edit> edits, const char* min_torch) {
    Finding& finding = out_.add("NPT1029", file_, range, std::string(subject),
                                "\"" + std::string(subject) + "\" is gone from current torch, or about to go" +
                                    (to.empty() ? std::string() : "; use \"" + std::string(to) + "\""));
    if (edits.empty()) return;
    Fix fix;
    fix.safety = FixSafety::Safe;
    fix.title = "use the current name";
    fix.min_torch = min_torch;
    fix.edits = std::move(edits);
    finding.fixes.push_back(std::move(fix));
  }

  void names(const std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != TokenKind::Word) continue;
      const bool called = i + 1 < tokens.size() && tokens[i + 1].is("(");
      for (const Rename& rename : kRenames)
        if (tokens[i].is(rename.from) && called) {
          std::vector<Edit> edits;
          if (rename.fixed) edits.push_back({file_.path(), tokens[i].range, std::string(rename.to)});
          add(tokens[i].range, rename.from, rename.to, std::move(edits), "1.5");
        }
      if (tokens[i].is("type") && called) typeCall(tokens, i);
      if (tokens[i].is("data") && i > 0 && tokens[i - 1].is(".") && i + 1 < tokens.size() && tokens[i + 1].is("<"))
        add(tokens[i].range, ".data<T>", ".data_ptr<T>", {{file_.path(), tokens[i].range, "data_ptr"}}, "1.5");
    }
  }

  // `x.type().is_cuda()`, `x.type().scalarType()` and the type that AT_DISPATCH_* is given.
  void typeCall(const std::vector<Token>& tokens, std::size_t at) {
    if (at < 2 || !tokens[at - 1].is(".") || at + 2 >= tokens.size() || !tokens[at + 2].is(")")) return;
    const bool more = at + 4 < tokens.size() && tokens[at + 3].is(".");
    const Range call{tokens[at].range.start, tokens[at + 2].range.end};
    if (more && tokens[at + 4].is("is_cuda"))
      return add(call, ".type().is_cuda()", ".is_cuda()",
                 {{file_.path(), {tokens[at].range.start, tokens[at + 4].range.start}, ""}}, "1.5");
    if (more && (tokens[at + 4].is("scalarType") || tokens[at + 4].is("scalar_type")))
      return add(call, ".type().scalarType()", ".scalar_type()",
                 {{file_.path(), {tokens[at].range.start, tokens[at + 4].range.end}, "scalar_type"}}, "1.5");
    const auto around = callAround(tokens, at);
    if (!more && around && *around > 0 && tokens[*around - 1].text.starts_with("AT_DISPATCH_"))
      add(call, ".type()", ".scalar_type()", {{file_.path(), tokens[at].range, "scalar_type"}}, "1.5");
  }

  void header(const Directive& directive) {
    const std::string header = directive.header();
    const std::string to =
        header.starts_with("THC/THCAtomics") ? "#include <ATen/cuda/Atomic.cuh>" : "#include <ATen/cuda/CUDAContext.h>";
    bool uses = false;
    for (const Token& token : file_.tokens())
      uses = uses || (token.kind == TokenKind::Word && token.text.starts_with("THC") && !token.is("THCCeilDiv") &&
                      !token.is("THCudaCheck"));
    add(directive.range, header, "",
        uses ? std::vector<Edit>{} : std::vector<Edit>{{file_.path(), directive.range, to}}, "1.11");
  }

  const CppFile& file_;
  HostFindings& out_;
};

}  // namespace

void removedTorchName(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) Look(file, out).run();
}

}  // namespace np::analyzer::host
