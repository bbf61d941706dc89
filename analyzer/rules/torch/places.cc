// Questions about a place, answered by climbing the tree.

#include "analyzer/rules/torch/places.h"

#include <algorithm>
#include <cctype>

namespace np::analyzer {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

namespace {

bool isOtherBackend(std::string_view word) {
  for (const char* backend : {"xpu", "npu", "hpu", "mlu", "musa", "sdaa", "xla", "habana", "ipu", "gaudi"})
    if (word == backend) return true;
  return false;
}

// Whether a condition names a backend other than CUDA, MPS and the CPU. Words are compared whole: "input" holds "npu".
bool namesOtherBackend(std::string_view text, bool neuron_counts) {
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? static_cast<char>(std::tolower(static_cast<unsigned char>(text[i]))) : ' ';
    if (c >= 'a' && c <= 'z') {
      word += c;
      continue;
    }
    if (isOtherBackend(word)) return true;
    if (neuron_counts && word == "neuron") return true;
    word.clear();
  }
  return false;
}

// "is_xpu_available", "torch_npu"
bool hasBackendWord(std::string_view name) {
  while (!name.empty()) {
    const auto end = name.find_first_of("_.:");
    if (isOtherBackend(name.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    name.remove_prefix(end + 1);
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

bool tellsBackendsApart(const RuleInput& input) {
  if (input.several_backends) return *input.several_backends;
  const python::SyntaxTree& tree = input.module.tree();
  bool found = false;
  for (NodeId id = 0; id < tree.nodes().size() && !found; ++id)
    if (tree.is(id, Kind::Identifier) || tree.is(id, Kind::StringContent))
      found = hasBackendWord(input.module.slice(id));
  input.several_backends = found;
  return found;
}

bool indexIsRead(const RuleInput& input, NodeId expression) {
  const python::SyntaxTree& tree = input.module.tree();
  NodeId at = expression;
  while (at != kNoNode && !tree.is(at, Kind::Assignment) && !tree.is(at, Kind::Block) && !tree.is(at, Kind::Module))
    at = tree[at].parent;
  if (!tree.is(at, Kind::Assignment)) return false;
  const std::string name = textOf(input, tree.child(at, Field::Left));
  return std::any_of(input.attributes.begin(), input.attributes.end(), [&](NodeId attribute) {
    return textOf(input, tree.child(attribute, Field::Attribute)) == "index" &&
           textOf(input, tree.child(attribute, Field::Object)) == name;
  });
}

bool isChosen(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId at = tree[node].parent; at != kNoNode && !tree.isStatement(at); at = tree[at].parent)
    switch (tree.kind(at)) {
      case Kind::ComparisonOperator:
      case Kind::Dictionary:
      case Kind::List:
      case Kind::Tuple:
      case Kind::Set:
      case Kind::TypeNode:
        return false;
      case Kind::ArgumentList:
      case Kind::KeywordArgument:
        return true;
      default:
        break;
    }
  return true;
}

bool insideCudaClass(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId at = tree.ancestor(node, Kind::ClassDefinition); at != kNoNode;
       at = tree.ancestor(at, Kind::ClassDefinition)) {
    const NodeId name = tree.child(at, Field::Name);
    const std::string_view text = name == kNoNode ? std::string_view{} : input.module.slice(name);
    // Tests are ported with the code they test.
    if (text.find("Test") != std::string_view::npos || text.find("test") != std::string_view::npos) continue;
    if (text.find("CUDA") != std::string_view::npos || text.find("Cuda") != std::string_view::npos) return true;
  }
  return false;
}

bool expectsException(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId at = tree[node].parent; at != kNoNode && !tree.is(at, Kind::FunctionDefinition); at = tree[at].parent) {
    if (!tree.is(at, Kind::WithStatement)) continue;
    const NodeId body = tree.child(at, Field::Body);
    const Offset end = body == kNoNode ? tree[at].range.end : tree[body].range.start;
    const std::string_view head = input.module.text().slice({tree[at].range.start, end});
    if (head.find("ssertRaises") != std::string_view::npos || head.find(".raises(") != std::string_view::npos)
      return true;
  }
  return false;
}

bool namesModule(const RuleInput& input, std::string_view written, const std::set<std::string>& modules) {
  const auto dots = std::min(written.find_first_not_of('.'), written.size());
  if (dots == 0) return modules.contains(std::string(written));
  // "pkg/hashing/__init__.py" with ".hash_cuda" is "pkg.hashing.hash_cuda"; a folder such as "src" may stand before it.
  std::string_view folder = input.module.text().path();
  for (std::size_t i = 0; i < dots; ++i) {
    const auto slash = folder.rfind('/');
    folder = slash == std::string_view::npos ? std::string_view{} : folder.substr(0, slash);
  }
  std::string absolute(folder);
  std::replace(absolute.begin(), absolute.end(), '/', '.');
  if (!absolute.empty() && dots < written.size()) absolute += '.';
  absolute += written.substr(dots);
  return std::any_of(modules.begin(), modules.end(),
                     [&](const std::string& module) { return absolute == module || absolute.ends_with("." + module); });
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

std::string flowOf(const RuleInput& input, NodeId identifier) { return input.devices.flowOf(identifier).name; }

}  // namespace np::analyzer
