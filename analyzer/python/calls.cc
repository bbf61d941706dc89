// Finds API uses bottom-up: an identifier that resolves to an import is extended by the attributes around it.

#include "analyzer/python/calls.h"

namespace np::analyzer::python {
namespace {

bool isBindingSite(const SyntaxTree& tree, NodeId id) {
  const Kind parent = tree.kind(tree[id].parent);
  if (parent == Kind::AliasedImport || parent == Kind::DottedName) return true;
  const NodeId statement = tree.statementOf(id);
  const Kind kind = tree.kind(statement);
  return kind == Kind::ImportStatement || kind == Kind::ImportFromStatement;
}

}  // namespace

std::vector<ApiUse> findApiUses(const Module& module) {
  const SyntaxTree& tree = module.tree();
  std::vector<ApiUse> out;
  for (NodeId id = 0; id < tree.nodes().size(); ++id) {
    if (!tree.is(id, Kind::Identifier)) continue;
    const Symbol* symbol = module.symbolOf(id);
    if (symbol ? isBindingSite(tree, id) : module.starName(id).empty()) continue;
    bool is_target = false;
    if (symbol)
      for (const Binding& binding : symbol->bindings) is_target = is_target || binding.node == id;
    if (is_target) continue;
    NodeId chain = id;
    while (tree.is(tree[chain].parent, Kind::Attribute) && tree[chain].field == Field::Object)
      chain = tree[chain].parent;
    std::string name = module.qualifiedName(chain);
    if (name.empty()) continue;
    const NodeId parent = tree[chain].parent;
    const bool called = tree.is(parent, Kind::Call) && tree[chain].field == Field::Function;
    out.push_back({chain, std::move(name), called ? parent : kNoNode});
  }
  return out;
}

std::vector<Argument> argumentsOf(const Module& module, NodeId call) {
  const SyntaxTree& tree = module.tree();
  std::vector<Argument> out;
  const NodeId list = tree.child(call, Field::Arguments);
  if (!tree.is(list, Kind::ArgumentList)) {
    if (list != kNoNode) out.push_back({"", list, list});
    return out;
  }
  for (NodeId item : tree.children(list)) {
    if (tree.is(item, Kind::KeywordArgument)) {
      const NodeId name = tree.child(item, Field::Name);
      out.push_back({name == kNoNode ? "" : module.slice(name), item, tree.child(item, Field::Value)});
    } else {
      const std::string_view text = module.slice(item);
      const bool splat = text.starts_with("*");
      out.push_back({splat ? (text.starts_with("**") ? "**" : "*") : "", item, item});
    }
  }
  return out;
}

bool isFirstArgument(const Module& module, NodeId call, NodeId value) {
  return module.tree().firstChild(module.tree().child(call, Field::Arguments)) == value;
}

NodeId keywordValue(const Module& module, NodeId call, std::string_view name) {
  for (const Argument& argument : argumentsOf(module, call))
    if (argument.name == name) return argument.value;
  return kNoNode;
}

std::string_view methodName(const Module& module, NodeId call) {
  const SyntaxTree& tree = module.tree();
  if (!tree.is(call, Kind::Call)) return {};
  const NodeId callee = tree.child(call, Field::Function);
  if (!tree.is(callee, Kind::Attribute)) return {};
  const NodeId name = tree.child(callee, Field::Attribute);
  return name == kNoNode ? std::string_view{} : module.slice(name);
}

NodeId receiverOf(const Module& module, NodeId call) {
  const SyntaxTree& tree = module.tree();
  const NodeId callee = tree.child(call, Field::Function);
  return tree.is(callee, Kind::Attribute) ? tree.child(callee, Field::Object) : kNoNode;
}

}  // namespace np::analyzer::python
