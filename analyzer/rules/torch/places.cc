// Questions about a place, answered by climbing the tree.

#include "analyzer/rules/torch/places.h"

namespace np::analyzer {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

std::string textOf(const RuleInput& input, NodeId node) {
  return node == kNoNode ? std::string() : std::string(input.module.slice(node));
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

std::string flowOf(const RuleInput& input, NodeId identifier) {
  const python::Symbol* symbol = input.module.symbolOf(identifier);
  if (!symbol || symbol->bindings.size() != 1) return "";
  return "device-flow " + symbol->name + "@" +
         std::to_string(input.module.tree()[symbol->bindings.front().node].range.start);
}

}  // namespace np::analyzer
