// Questions about a place, answered by climbing the tree.

#include "analyzer/rules/torch/places.h"

#include <cctype>

namespace np::analyzer {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

namespace {

// Whether a condition names a backend other than CUDA, MPS and the CPU. Words are compared whole: "input" holds "npu".
bool namesOtherBackend(std::string_view text, bool neuron_counts) {
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? static_cast<char>(std::tolower(static_cast<unsigned char>(text[i]))) : ' ';
    if (c >= 'a' && c <= 'z') {
      word += c;
      continue;
    }
    for (const char* backend : {"xpu", "npu", "hpu", "mlu", "musa", "sdaa", "xla", "habana", "ipu", "gaudi"})
      if (word == backend) return true;
    if (neuron_counts && word == "neuron") return true;
    word.clear();
  }
  return false;
}

// The conditions of an if statement and its elifs; nothing for other nodes.
std::vector<NodeId> conditionsOf(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  std::vector<NodeId> out;
  if (tree.is(node, Kind::ConditionalExpression)) {
    const std::vector<NodeId> parts = tree.children(node);
    if (parts.size() == 3) out.push_back(parts[1]);
  }
  if (!tree.is(node, Kind::IfStatement)) return out;
  out.push_back(tree.child(node, Field::Condition));
  for (NodeId part : tree.children(node))
    if (tree.is(part, Kind::ElifClause)) out.push_back(tree.child(part, Field::Condition));
  return out;
}

}  // namespace

std::string textOf(const RuleInput& input, NodeId node) {
  constexpr std::size_t kLongest = 2000;
  return node == kNoNode ? std::string() : std::string(input.module.slice(node).substr(0, kLongest));
}

bool runsAtImport(const RuleInput& input, NodeId node) {
  for (python::ScopeId at = input.module.scopeOf(node); at != python::kNoId; at = input.module.scopes()[at].parent) {
    const python::ScopeKind kind = input.module.scopes()[at].kind;
    if (kind == python::ScopeKind::Function || kind == python::ScopeKind::Lambda) return false;
  }
  return true;
}

bool insideTry(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId at = node; at != kNoNode; at = tree[at].parent) {
    if (tree.is(at, Kind::FunctionDefinition)) return false;
    if (tree.is(tree[at].parent, Kind::TryStatement) && tree[at].field == Field::Body) return true;
  }
  return false;
}

bool inBackendDispatch(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId at = node; at != kNoNode && !tree.is(at, Kind::FunctionDefinition); at = tree[at].parent) {
    if (!tree.is(at, Kind::IfStatement) && !tree.is(at, Kind::ConditionalExpression)) continue;
    const auto [known, is_new] = input.dispatches.emplace(at, false);
    for (NodeId condition : is_new ? conditionsOf(input, at) : std::vector<NodeId>{})
      if (namesOtherBackend(textOf(input, condition), input.target != Target::Neuron)) known->second = true;
    if (known->second) return true;
  }
  return false;
}

bool insideScript(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::ApiUse& use : input.uses) {
    if (use.name != "torch.jit.script" && use.name != "torch.jit.script_method" && use.name != "torch.jit.export")
      continue;
    NodeId scripted = kNoNode;
    if (tree.is(tree[use.node].parent, Kind::Decorator)) {
      scripted = tree[tree[use.node].parent].parent;
    } else if (use.call != kNoNode) {
      NodeId first = tree.firstChild(tree.child(use.call, Field::Arguments));
      if (tree.is(first, Kind::Call)) first = tree.child(first, Field::Function);  // torch.jit.script(Model())
      const python::Symbol* symbol = tree.is(first, Kind::Identifier) ? input.module.symbolOf(first) : nullptr;
      if (symbol && symbol->bindings.size() == 1) scripted = symbol->bindings.front().value;
    }
    if (scripted != kNoNode && tree.inside(node, scripted)) return true;
  }
  return false;
}

std::string parenthesizedFor(const RuleInput& input, NodeId replaced, std::string text) {
  const python::SyntaxTree& tree = input.module.tree();
  switch (tree.kind(tree[replaced].parent)) {
    case Kind::Assignment:
    case Kind::ReturnStatement:
    case Kind::ArgumentList:
    case Kind::KeywordArgument:
    case Kind::ParenthesizedExpression:
    case Kind::DefaultParameter:
    case Kind::TypedDefaultParameter:
    case Kind::ExpressionStatement:
      return text;
    default:
      return "(" + text + ")";
  }
}

bool becomesCurrentDevice(const RuleInput& input, std::string_view number) {
  if (number.empty()) return false;
  for (const python::ApiUse& use : input.uses) {
    if (use.call == kNoNode ||
        (use.name != "torch.cuda.set_device" && use.name != "torch.accelerator.set_device_index"))
      continue;
    const auto arguments = python::argumentsOf(input.module, use.call);
    if (arguments.size() == 1 && input.module.slice(arguments[0].value) == number) return true;
  }
  return false;
}

std::string flowOf(const RuleInput& input, NodeId identifier) {
  return input.devices.flowOf(identifier).name;
}

}  // namespace np::analyzer
