// Neutral texts (target accelerator), chosen so that nothing changes where CUDA is present and nothing fails obscurely
// where no accelerator is:
//
//   deviceArgument   torch.accelerator.current_accelerator(check_available=True)
//                    device("cuda") with CUDA; None without, which torch takes as "leave it where it is": the code runs
//                    on the CPU. Only for arguments that torch itself reads.
//   deviceText       (… or torch.device("cuda")).type
//                    "cuda" with CUDA and "cuda" without: a string that other code may compare stays what it is.
//   deviceObject     … or torch.device("cuda")
//
// `current_accelerator()` alone is never written: it names what torch was built for, and is None in a CPU build.
// The parameter `check_available` came with torch 2.7.

#include "analyzer/rules/torch/fix_builder.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "analyzer/rules/torch/places.h"

namespace np::analyzer {

using python::Kind;
using python::NodeId;

bool olderTorch(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    int x = 0, y = 0;
    std::from_chars(a.data(), a.data() + a.size(), x);
    std::from_chars(b.data(), b.data() + b.size(), y);
    if (x != y) return x < y;
    const auto next = [](std::string_view v) {
      const auto dot = v.find('.');
      return dot == std::string_view::npos ? std::string_view{} : v.substr(dot + 1);
    };
    a = next(a);
    b = next(b);
  }
  return false;
}

namespace {

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }

// `return"cuda"if x` may be written without blanks; with a name instead of the string it would be another name.
std::string separated(std::string_view code, Range range, std::string text) {
  if (text.empty()) return text;
  const bool is_last = range.start >= code.size(), goes_on = range.end < code.size();
  const bool joins_left = range.start > 0 && isWordChar(code[range.start - 1]) && isWordChar(text.front()) &&
                          (is_last || !isWordChar(code[range.start]));
  const bool joins_right = goes_on && !range.empty() && isWordChar(code[range.end]) && isWordChar(text.back()) &&
                           !isWordChar(code[range.end - 1]);
  return (joins_left ? " " : "") + text + (joins_right ? " " : "");
}

}  // namespace

FixBuilder::FixBuilder(const RuleInput& input, FixSafety safety, std::string title) : input_(input) {
  fix_.safety = safety;
  fix_.title = std::move(title);
  // Names of neuron do not exist on a CUDA machine, so nothing aimed at it alone keeps today's behaviour.
  if (input.target == Target::Neuron) lowerTo(FixSafety::Unsafe);
}

void FixBuilder::touch(NodeId node, std::string_view text) {
  const python::SyntaxTree& tree = input_.module.tree();
  const NodeId statement = tree.statementOf(node);
  // Of a compound statement only the head counts: an error far down in its body does not spoil this line.
  for (NodeId part = tree[statement].first_child; part != python::kNoNode; part = tree[part].next_sibling) {
    const bool is_body = tree.is(part, Kind::Block) || tree.is(part, Kind::ElifClause) ||
                         tree.is(part, Kind::ElseClause) || tree.is(part, Kind::ExceptClause) ||
                         tree.is(part, Kind::FinallyClause);
    if (statement != 0 && !is_body && tree[part].has_error) given_up_ = true;
  }
  if (expectsException(input_, node)) given_up_ = true;
  if (insideCudaClass(input_, node)) of_cuda_class_ = true;
  if (insideScript(input_, node)) {
    given_up_ = true;
    scripted_ = true;
  }
  if (inBackendDispatch(input_, node)) {
    given_up_ = true;
    one_of_several_ = true;
  }
  if (tree[node].has_error || tree.ancestor(node, Kind::Error) != python::kNoNode) given_up_ = true;
  // Quotes inside the holes of an f-string may not be repeated before Python 3.12.
  const bool has_quote = text.find_first_of("\"'") != std::string_view::npos;
  if (has_quote && tree.ancestor(node, Kind::Interpolation) != python::kNoNode) given_up_ = true;
}

FixBuilder& FixBuilder::replace(NodeId node, std::string text) {
  return replace(input_.module.tree()[node].range, std::move(text), node);
}

FixBuilder& FixBuilder::replace(Range range, std::string text, NodeId statement_of) {
  touch(statement_of, text);
  const SourceText& source = input_.module.text();
  fix_.edits.push_back({source.path(), range, separated(source.bytes(), range, std::move(text))});
  return *this;
}

FixBuilder& FixBuilder::insert(Offset offset, std::string text, NodeId statement_of) {
  return replace(Range{offset, offset}, std::move(text), statement_of);
}

FixBuilder& FixBuilder::requireTorch(std::string_view version) {
  if (olderTorch(fix_.min_torch, version)) fix_.min_torch = std::string(version);
  return *this;
}

FixBuilder& FixBuilder::lowerTo(FixSafety safety) {
  fix_.safety = std::max(fix_.safety, safety);
  return *this;
}

FixBuilder& FixBuilder::group(std::string name) {
  fix_.group = std::move(name);
  return *this;
}

FixBuilder& FixBuilder::include(const Fix& other) {
  lowerTo(other.safety);
  requireTorch(other.min_torch);
  for (const Edit& edit : other.edits)
    if (std::find(fix_.edits.begin(), fix_.edits.end(), edit) == fix_.edits.end()) fix_.edits.push_back(edit);
  for (const std::string& import : other.imports)
    if (std::find(fix_.imports.begin(), fix_.imports.end(), import) == fix_.imports.end())
      fix_.imports.push_back(import);
  return *this;
}

std::string FixBuilder::torchAt(NodeId place) {
  const python::Module::Spelling spelling = input_.module.spellingOfTorch(place);
  if (spelling.name.empty()) {
    given_up_ = true;
    return "torch";
  }
  const std::string line = "import torch";
  if (spelling.needs_import && std::find(fix_.imports.begin(), fix_.imports.end(), line) == fix_.imports.end())
    fix_.imports.push_back(line);
  return spelling.name;
}

std::string FixBuilder::deviceArgument(NodeId place) {
  if (input_.target == Target::Neuron) return "\"neuron\"";
  requireTorch("2.7");
  return torchAt(place) + ".accelerator.current_accelerator(check_available=True)";
}

std::string FixBuilder::deviceObject(NodeId place) {
  const std::string torch = torchAt(place);
  if (input_.target == Target::Neuron) return torch + ".device(\"neuron\")";
  return deviceArgument(place) + " or " + torch + ".device(\"cuda\")";
}

std::string FixBuilder::deviceText(NodeId place) {
  if (input_.target == Target::Neuron) return "\"neuron\"";
  return "(" + deviceObject(place) + ").type";
}

std::string FixBuilder::isAvailable(NodeId place) {
  const std::string torch = torchAt(place);
  if (input_.target == Target::Neuron) return torch + ".neuron.is_available()";
  requireTorch("2.6");
  return torch + ".accelerator.is_available()";
}

bool replaceType(const RuleInput& input, const python::DeviceString& device, FixBuilder& fix) {
  const python::SyntaxTree& tree = input.module.tree();
  const auto at = input.module.slice(device.node).find("cuda");
  if (at == std::string_view::npos) return false;
  const Offset start = tree[device.node].range.start + static_cast<Offset>(at);
  const std::string sum = fix.deviceText(device.node) + " + ";
  const bool alone = parenthesizedFor(input, device.whole, "x") == "x" ||
                     tree.is(tree[device.whole].parent, Kind::ConditionalExpression);
  fix.insert(tree[device.whole].range.start, (alone ? "" : "(") + sum, device.whole);
  fix.replace(Range{start, start + 4}, "", device.node);
  if (!alone) fix.insert(tree[device.whole].range.end, ")", device.whole);
  return true;
}

void FixBuilder::addTo(Finding& finding) && {
  if (scripted_) finding.notes.push_back("compiled by torch.jit.script, which knows no torch.accelerator");
  if (one_of_several_) finding.notes.push_back("one of several backends here; give neuron its own branch");
  if (given_up_ || fix_.edits.empty()) return;
  if (fix_.safety != FixSafety::Safe && of_cuda_class_) {
    finding.notes.push_back("in a class that is CUDA's own by its name; give neuron one of its own");
    return;
  }
  if (fix_.safety != FixSafety::Safe && tellsBackendsApart(input_)) {
    finding.notes.push_back("this file tells several backends apart; give neuron its own case");
    return;
  }
  if (finding.evidence != Evidence::Documented) fix_.safety = FixSafety::Display;
  if (fix_.safety == FixSafety::Safe && !input_.pin.admits(fix_.min_torch)) {
    fix_.safety = FixSafety::Unsafe;
    finding.notes.push_back("needs torch " + fix_.min_torch + ", which the project's pin \"" + input_.pin.text() +
                            "\" does not admit");
  }
  finding.fixes.push_back(std::move(fix_));
}

}  // namespace np::analyzer
