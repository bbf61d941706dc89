// Fills a Module's scopes, symbols and imports from its tree; used by Module::parse only.
#pragma once

#include <string_view>

#include "analyzer/python/module.h"

namespace np::analyzer::python {

class ScopeBuilder {
 public:
  explicit ScopeBuilder(Module& module) : module_(module), tree_(module.tree_) {}
  void build();

 private:
  void openScopes();
  ScopeId openScope(NodeId node, ScopeKind kind, ScopeId parent);
  void bindNode(NodeId id);
  void bindImport(NodeId id);
  void bindFromImport(NodeId id);
  void bindParameter(NodeId id, ScopeId scope);
  void bindTargets(NodeId target, NodeId value, BindingKind kind, ScopeId scope);
  void bind(std::string_view name, ScopeId scope, Binding binding);
  void redirectGlobals();
  void resolveReferences();
  bool isReference(NodeId id) const;
  ScopeId targetScope(NodeId id) const;

  Module& module_;
  const SyntaxTree& tree_;
  // (scope, name) pairs that `global` and `nonlocal` send to another scope.
  std::map<std::pair<ScopeId, std::string>, ScopeId> redirected_;
};

}  // namespace np::analyzer::python
