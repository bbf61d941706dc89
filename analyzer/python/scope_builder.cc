// Three loops over the flat tree: open scopes, collect bindings, resolve references. Bindings come first as a whole,
// since a function may read a module name that is bound further down.
//
// Python's rules that matter here: a default value, a decorator and a base class are evaluated outside the scope they
// introduce; the first iterable of a comprehension too; class bodies are invisible to the functions in them.

#include "analyzer/python/scope_builder.h"

namespace np::analyzer::python {
namespace {

ScopeKind scopeKindOf(Kind kind) {
  switch (kind) {
    case Kind::ClassDefinition:
      return ScopeKind::Class;
    case Kind::FunctionDefinition:
      return ScopeKind::Function;
    case Kind::Lambda:
      return ScopeKind::Lambda;
    case Kind::ListComprehension:
    case Kind::SetComprehension:
    case Kind::DictionaryComprehension:
    case Kind::GeneratorExpression:
      return ScopeKind::Comprehension;
    default:
      return ScopeKind::Module;
  }
}

}  // namespace

void ScopeBuilder::build() {
  openScopes();
  module_.symbol_of_node_.assign(tree_.nodes().size(), kNoId);
  redirectGlobals();
  for (NodeId id = 0; id < tree_.nodes().size(); ++id) bindNode(id);
  resolveReferences();
}

ScopeId ScopeBuilder::openScope(NodeId node, ScopeKind kind, ScopeId parent) {
  Scope scope;
  scope.kind = kind;
  scope.node = node;
  scope.parent = parent;
  module_.scopes_.push_back(std::move(scope));
  return static_cast<ScopeId>(module_.scopes_.size() - 1);
}

void ScopeBuilder::openScopes() {
  const std::vector<Node>& nodes = tree_.nodes();
  std::vector<ScopeId>& scope_of = module_.scope_of_node_;
  scope_of.assign(nodes.size(), 0);
  openScope(0, ScopeKind::Module, kNoId);
  std::vector<ScopeId> inner(nodes.size(), kNoId);  // by node that introduces a scope: that scope
  for (NodeId id = 1; id < nodes.size(); ++id) {
    const Node& node = nodes[id];
    const ScopeId introduced = inner[node.parent];
    ScopeId scope = scope_of[node.parent];
    if (introduced != kNoId) {
      // Only the body and the parameter names live inside; the name, decorators, bases and annotations do not.
      const bool inside = node.field == Field::Body || node.field == Field::Parameters ||
                          module_.scopes_[introduced].kind == ScopeKind::Comprehension;
      if (inside) scope = introduced;
    }
    const Kind parent_kind = nodes[node.parent].kind;
    const bool is_default = (parent_kind == Kind::DefaultParameter || parent_kind == Kind::TypedDefaultParameter) &&
                            (node.field == Field::Value || node.field == Field::Type);
    const bool is_annotation = parent_kind == Kind::TypedParameter && node.field == Field::Type;
    if ((is_default || is_annotation) && module_.scopes_[scope].parent != kNoId) scope = module_.scopes_[scope].parent;
    // `for x in ITERABLE`: the first iterable is evaluated outside.
    if (parent_kind == Kind::ForInClause && node.field == Field::Right &&
        module_.scopes_[scope].kind == ScopeKind::Comprehension) {
      const NodeId comprehension = module_.scopes_[scope].node;
      NodeId first = tree_.firstChild(comprehension);
      while (first != kNoNode && nodes[first].kind != Kind::ForInClause) first = nodes[first].next_sibling;
      if (first == node.parent) scope = module_.scopes_[scope].parent;
    }
    scope_of[id] = scope;
    const ScopeKind kind = scopeKindOf(node.kind);
    if (kind != ScopeKind::Module && node.named) inner[id] = openScope(id, kind, scope);
  }
}

void ScopeBuilder::redirectGlobals() {
  for (NodeId id = 0; id < tree_.nodes().size(); ++id) {
    const Kind kind = tree_.kind(id);
    if (kind != Kind::GlobalStatement && kind != Kind::NonlocalStatement) continue;
    const ScopeId scope = module_.scopeOf(id);
    ScopeId target = 0;
    if (kind == Kind::NonlocalStatement) {
      target = module_.scopes_[scope].parent;
      while (target != kNoId && module_.scopes_[target].kind == ScopeKind::Class)
        target = module_.scopes_[target].parent;
      if (target == kNoId) target = 0;
    }
    for (NodeId name : tree_.children(id)) redirected_[{scope, std::string(module_.slice(name))}] = target;
  }
}

// The scope that an assignment at `id` binds in: comprehensions do not catch `:=`.
ScopeId ScopeBuilder::targetScope(NodeId id) const {
  ScopeId scope = module_.scopeOf(id);
  while (module_.scopes_[scope].kind == ScopeKind::Comprehension) scope = module_.scopes_[scope].parent;
  return scope;
}

void ScopeBuilder::bind(std::string_view name, ScopeId scope, Binding binding) {
  const auto redirect = redirected_.find({scope, std::string(name)});
  if (redirect != redirected_.end()) scope = redirect->second;
  auto& symbols = module_.scopes_[scope].symbols;
  auto found = symbols.find(name);
  if (found == symbols.end()) {
    found = symbols.emplace(std::string(name), static_cast<SymbolId>(module_.symbols_.size())).first;
    module_.symbols_.push_back({std::string(name), scope, {}, {}});
  }
  if (binding.node != kNoNode) module_.symbol_of_node_[binding.node] = found->second;
  module_.symbols_[found->second].bindings.push_back(std::move(binding));
}

void ScopeBuilder::bindNode(NodeId id) {
  const ScopeId scope = module_.scopeOf(id);
  switch (tree_.kind(id)) {
    case Kind::ImportStatement:
      return bindImport(id);
    case Kind::ImportFromStatement:
      return bindFromImport(id);
    case Kind::Assignment: {
      // `a = b = value`: the value of the outer assignment is the inner one's.
      NodeId value = tree_.child(id, Field::Right);
      while (tree_.is(value, Kind::Assignment)) value = tree_.child(value, Field::Right);
      if (value != kNoNode) bindTargets(tree_.child(id, Field::Left), value, BindingKind::Assignment, scope);
      return;
    }
    case Kind::NamedExpression:
      return bindTargets(tree_.child(id, Field::Name), tree_.child(id, Field::Value), BindingKind::Assignment,
                         targetScope(id));
    case Kind::AugmentedAssignment:
      return bindTargets(tree_.child(id, Field::Left), kNoNode, BindingKind::Target, scope);
    case Kind::ForStatement:
    case Kind::ForInClause:
      return bindTargets(tree_.child(id, Field::Left), kNoNode, BindingKind::Target, scope);
    case Kind::AsPatternTarget:
      return bindTargets(tree_.firstChild(id), kNoNode, BindingKind::Target, scope);
    case Kind::DeleteStatement:
      for (NodeId target : tree_.children(id)) bindTargets(target, kNoNode, BindingKind::Deleted, scope);
      return;
    case Kind::CasePattern: {
      const NodeId name = tree_.firstChild(id);
      if (tree_.is(name, Kind::DottedName) && module_.slice(name).find('.') == std::string_view::npos)
        bind(module_.slice(name), scope, {BindingKind::Target, name, kNoNode, ""});
      return;
    }
    case Kind::FunctionDefinition:
    case Kind::ClassDefinition: {
      const NodeId name = tree_.child(id, Field::Name);
      const BindingKind kind = tree_.is(id, Kind::FunctionDefinition) ? BindingKind::Function : BindingKind::Class;
      if (name != kNoNode) bind(module_.slice(name), scope, {kind, name, id, ""});
      return;
    }
    case Kind::Parameters:
    case Kind::LambdaParameters:
      for (NodeId parameter : tree_.children(id)) bindParameter(parameter, module_.scopeOf(parameter));
      return;
    default:
      return;
  }
}

void ScopeBuilder::bindParameter(NodeId id, ScopeId scope) {
  NodeId name = id, value = kNoNode;
  const Kind kind = tree_.kind(id);
  if (kind == Kind::DefaultParameter || kind == Kind::TypedDefaultParameter) {
    name = tree_.child(id, Field::Name);
    value = tree_.child(id, Field::Value);
  } else if (kind == Kind::TypedParameter || kind == Kind::ListSplatPattern || kind == Kind::DictionarySplatPattern) {
    name = tree_.firstChild(id);
    if (tree_.is(name, Kind::ListSplatPattern) || tree_.is(name, Kind::DictionarySplatPattern))
      name = tree_.firstChild(name);
  }
  if (tree_.is(name, Kind::Identifier)) bind(module_.slice(name), scope, {BindingKind::Parameter, name, value, ""});
  if (tree_.is(name, Kind::TuplePattern)) bindTargets(name, kNoNode, BindingKind::Target, scope);
}

void ScopeBuilder::bindTargets(NodeId target, NodeId value, BindingKind kind, ScopeId scope) {
  std::vector<std::pair<NodeId, NodeId>> todo{{target, value}};
  while (!todo.empty()) {
    const auto [at, from] = todo.back();
    todo.pop_back();
    switch (tree_.kind(at)) {
      case Kind::Identifier:
        bind(module_.slice(at), scope, {kind, at, from, ""});
        break;
      case Kind::PatternList:
      case Kind::TuplePattern:
      case Kind::ListPattern:
      case Kind::Tuple:
      case Kind::List: {
        // `a, b = x, y` is matched position by position when both sides are written out.
        const std::vector<NodeId> names = tree_.children(at);
        std::vector<NodeId> values;
        if (tree_.is(from, Kind::Tuple) || tree_.is(from, Kind::List)) values = tree_.children(from);
        bool starred = values.size() != names.size();
        for (NodeId name : names) starred = starred || tree_.is(name, Kind::ListSplatPattern);
        for (std::size_t i = 0; i < names.size(); ++i) todo.emplace_back(names[i], starred ? kNoNode : values[i]);
        break;
      }
      case Kind::ListSplatPattern:
      case Kind::ParenthesizedExpression:
        todo.emplace_back(tree_.firstChild(at), kNoNode);
        break;
      default:
        break;  // attributes and subscripts bind no name
    }
  }
}

void ScopeBuilder::bindImport(NodeId id) {
  const ScopeId scope = module_.scopeOf(id);
  for (NodeId item : tree_.children(id)) {
    NodeId dotted = item, alias = kNoNode;
    if (tree_.is(item, Kind::AliasedImport)) {
      dotted = tree_.child(item, Field::Name);
      alias = tree_.child(item, Field::Alias);
    }
    if (!tree_.is(dotted, Kind::DottedName)) continue;
    const std::string path(module_.slice(dotted));
    module_.imports_.push_back({id, dotted, path, {}});
    if (alias != kNoNode) {
      bind(module_.slice(alias), scope, {BindingKind::Import, alias, kNoNode, path});
    } else {
      // `import torch.nn` binds only "torch".
      const std::string top = path.substr(0, path.find('.'));
      bind(top, scope, {BindingKind::Import, dotted, kNoNode, top});
    }
  }
}

void ScopeBuilder::bindFromImport(NodeId id) {
  const ScopeId scope = module_.scopeOf(id);
  const NodeId from = tree_.child(id, Field::ModuleName);
  if (from == kNoNode) return;
  const std::string path(module_.slice(from));
  ImportedModule imported{id, from, path, {}};
  const std::string prefix = path.ends_with('.') ? path : path + ".";
  for (NodeId item : tree_.children(id)) {
    if (item == from) continue;
    if (tree_.is(item, Kind::WildcardImport)) {
      imported.names.push_back("*");
      continue;
    }
    NodeId name = item, bound = item;
    if (tree_.is(item, Kind::AliasedImport)) {
      name = tree_.child(item, Field::Name);
      bound = tree_.child(item, Field::Alias);
    }
    if (name == kNoNode || bound == kNoNode) continue;
    imported.names.push_back(std::string(module_.slice(name)));
    bind(module_.slice(bound), scope, {BindingKind::Import, bound, kNoNode, prefix + std::string(module_.slice(name))});
  }
  module_.imports_.push_back(std::move(imported));
}

bool ScopeBuilder::isReference(NodeId id) const {
  const Node& node = tree_[id];
  if (node.kind != Kind::Identifier || module_.symbol_of_node_[id] != kNoId) return false;
  if (node.parent == kNoNode) return false;
  const Kind parent = tree_.kind(node.parent);
  if (parent == Kind::Attribute && node.field == Field::Attribute) return false;
  if (parent == Kind::KeywordArgument && node.field == Field::Name) return false;
  if (parent == Kind::DottedName) return false;
  return true;
}

void ScopeBuilder::resolveReferences() {
  for (NodeId id = 0; id < tree_.nodes().size(); ++id) {
    if (!isReference(id)) continue;
    const std::string_view name = module_.slice(id);
    ScopeId scope = module_.scopeOf(id);
    const auto redirect = redirected_.find({scope, std::string(name)});
    if (redirect != redirected_.end()) scope = redirect->second;
    const Symbol* symbol = module_.lookup(name, scope);
    if (!symbol) continue;
    const auto index = static_cast<SymbolId>(symbol - module_.symbols_.data());
    module_.symbol_of_node_[id] = index;
    module_.symbols_[index].references.push_back(id);
  }
}

}  // namespace np::analyzer::python
