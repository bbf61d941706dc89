// Names to meanings: the dotted name behind an expression, the value behind a name.
//
// A symbol stands for a module when every binding of it that means anything is an import of that module: `torch = None`
// in the except branch of an import does not change what the uses mean. Any other second meaning makes the name
// unknown.

#include "analyzer/python/module.h"

#include <algorithm>
#include <array>

#include "analyzer/python/project_names.h"
#include "analyzer/python/scope_builder.h"

namespace np::analyzer::python {
namespace {

// Steps that one question may take: names bound to each other many times over must not cost exponential time.
constexpr int kMaxSteps = 64;

}  // namespace

Result<Module> Module::parse(const SourceText& text, const ProjectNames* project) {
  Module module;
  module.text_ = &text;
  module.project_ = project;
  NP_ASSIGN(module.tree_, SyntaxTree::parse(text.bytes()));
  ScopeBuilder(module).build();
  if (project)
    for (const ImportedModule& import : module.imports_)
      if (!import.names.empty() && import.names.front() == "*") module.stars_.push_back(import.path);
  return module;
}

std::string Module::starName(NodeId identifier) const {
  if (stars_.empty() || !tree_.is(identifier, Kind::Identifier) || symbolOf(identifier)) return "";
  const Node& node = tree_[identifier];
  const Kind parent = tree_.kind(node.parent);
  const bool is_label = (parent == Kind::Attribute && node.field == Field::Attribute) ||
                        (parent == Kind::KeywordArgument && node.field == Field::Name) || parent == Kind::DottedName;
  if (is_label) return "";
  const auto [known, is_new] = star_names_.emplace(std::string(slice(identifier)), "");
  if (is_new) known->second = project_->starName(text_->path(), stars_, known->first);
  return known->second;
}

ScopeId Module::scopeOf(NodeId id) const { return scope_of_node_[id]; }

const Symbol* Module::symbolOf(NodeId identifier) const {
  if (identifier == kNoNode || symbol_of_node_[identifier] == kNoId) return nullptr;
  return &symbols_[symbol_of_node_[identifier]];
}

const Symbol* Module::lookup(std::string_view name, ScopeId scope) const {
  bool first = true;
  for (ScopeId at = scope; at != kNoId; at = scopes_[at].parent) {
    // Names of a class body are not seen from the functions inside it.
    if (first || scopes_[at].kind != ScopeKind::Class) {
      const auto found = scopes_[at].symbols.find(name);
      if (found != scopes_[at].symbols.end()) return &symbols_[found->second];
    }
    if (scopes_[at].kind != ScopeKind::Comprehension) first = false;
  }
  return nullptr;
}

std::string Module::qualifiedName(NodeId id) const {
  int budget = kMaxSteps;
  return id == kNoNode ? "" : qualifiedName(id, budget);
}

std::string Module::qualifiedName(NodeId id, int& budget) const {
  std::string suffix;
  id = tree_.unparenthesized(id);
  while (tree_.is(id, Kind::Attribute)) {
    const NodeId attribute = tree_.child(id, Field::Attribute);
    if (attribute == kNoNode) return "";
    suffix.insert(0, "." + std::string(slice(attribute)));
    if (suffix.size() > 400) return "";  // no API has such a name; keeps hostile chains linear
    id = tree_.unparenthesized(tree_.child(id, Field::Object));
  }
  if (!tree_.is(id, Kind::Identifier)) return "";
  const Symbol* symbol = symbolOf(id);
  const std::string base = symbol ? qualifiedSymbol(*symbol, budget) : starName(id);
  return base.empty() ? "" : base + suffix;
}

// `from .compat import torch, triton`: modules that a project hands on keep their name. Every other import stays as it
// is written: following it would have most files parsed twice.
std::string Module::importedName(const std::string& path) const {
  if (!project_ || path.starts_with("torch")) return path;
  constexpr std::array<std::string_view, 24> kHandedOn = {
      "torch", "cuda",       "cudnn",        "nccl",         "nvtx",      "amp",   "autocast", "GradScaler",
      "dist",  "custom_fwd", "custom_bwd",   "DataParallel", "CUDA_HOME", "tl",    "triton",   "CUDAExtension",
      "cupy",  "cupyx",      "bitsandbytes", "bnb",          "pynvml",    "numba", "apex",     "xformers"};
  constexpr std::array<std::string_view, 9> kOrigins = {"torch",  "triton", "cupy", "cupyx",   "bitsandbytes",
                                                        "pynvml", "numba",  "apex", "xformers"};
  const std::string_view last = std::string_view(path).substr(path.rfind('.') + 1);
  if (std::find(kHandedOn.begin(), kHandedOn.end(), last) == kHandedOn.end()) return path;
  const auto [known, is_new] = imported_names_.emplace(path, path);
  if (is_new) {
    std::string outside = project_->canonicalName(text_->path(), path);
    const std::string_view top = std::string_view(outside).substr(0, outside.find('.'));
    if (std::find(kOrigins.begin(), kOrigins.end(), top) != kOrigins.end()) known->second = std::move(outside);
  }
  return known->second;
}

std::string Module::qualifiedSymbol(const Symbol& symbol, int& budget) const {
  if (--budget < 0) return "";
  std::string path;
  for (const Binding& binding : symbol.bindings) {
    std::string meaning;
    if (binding.kind == BindingKind::Import) {
      meaning = importedName(binding.path);
    } else if (binding.kind == BindingKind::Assignment && tree_.is(binding.value, Kind::None)) {
      continue;
    } else if (binding.kind == BindingKind::Assignment && binding.value != kNoNode) {
      meaning = qualifiedName(binding.value, budget);
    }
    if (meaning.empty() || (!path.empty() && meaning != path)) return "";
    path = meaning;
  }
  return path;
}

std::string Module::calleeName(NodeId call) const {
  return tree_.is(call, Kind::Call) ? qualifiedName(tree_.child(call, Field::Function)) : "";
}

NodeId Module::assignedValue(NodeId identifier) const {
  const Symbol* symbol = symbolOf(identifier);
  if (!symbol || symbol->bindings.size() != 1) return kNoNode;
  const Binding& binding = symbol->bindings.front();
  return binding.kind == BindingKind::Assignment ? binding.value : kNoNode;
}

namespace {

// The innermost block that runs only sometimes and holds `id`, up to its scope; kNoNode when it always runs. A `try`
// may fail, but then there is no torch and nothing to be done with it.
NodeId conditionalBlock(const Module& module, NodeId id) {
  const SyntaxTree& tree = module.tree();
  const NodeId scope = module.scopes()[module.scopeOf(id)].node;
  for (NodeId at = id; at != scope && at != kNoNode; at = tree[at].parent) {
    const NodeId holder = tree[at].parent;
    if (holder == kNoNode || !tree.is(at, Kind::Block)) continue;
    switch (tree.kind(holder)) {
      case Kind::IfStatement:
      case Kind::ElifClause:
      case Kind::ElseClause:
      case Kind::ExceptClause:
      case Kind::WhileStatement:
      case Kind::ForStatement:
      case Kind::CaseClause:
        return at;
      default:
        break;
    }
  }
  return kNoNode;
}

ScopeId functionOf(const Module& module, NodeId id) {
  const std::vector<Scope>& scopes = module.scopes();
  ScopeId scope = module.scopeOf(id);
  while (scopes[scope].kind == ScopeKind::Lambda || scopes[scope].kind == ScopeKind::Comprehension)
    scope = scopes[scope].parent;
  return scope;
}

// Whether an import that runs only sometimes has run where `at` is: in the same block, behind `if
// is_torch_available():` (without torch nobody comes here with a tensor), or in a function that uses the name already.
// Not behind `if TYPE_CHECKING:`, which never runs.
bool hasRun(const Module& module, const Symbol& symbol, NodeId import, NodeId at) {
  const SyntaxTree& tree = module.tree();
  const NodeId block = conditionalBlock(module, import);
  if (block == kNoNode || tree.inside(at, block)) return true;
  const NodeId condition = tree.child(tree[block].parent, Field::Condition);
  if (condition != kNoNode) {
    const std::string_view text = module.slice(condition);
    if (text.find("TYPE_CHECKING") == std::string_view::npos && text.find("torch") != std::string_view::npos)
      return true;
  }
  const ScopeId function = functionOf(module, at);
  return function != 0 && std::any_of(symbol.references.begin(), symbol.references.end(), [&](NodeId reference) {
           return functionOf(module, reference) == function && tree.ancestor(reference, Kind::TypeNode) == kNoNode;
         });
}

bool isTorch(const std::string& module) { return module == "torch" || module.starts_with("torch."); }

// A module that imports torch only in functions, under conditions or in a `try` can be imported without torch, and has
// to stay so.
bool importsTorchLazily(const Module& module) {
  bool some = false;
  for (const ImportedModule& import : module.imports()) {
    if (!isTorch(import.path)) continue;
    some = true;
    const bool always = module.scopeOf(import.node) == 0 && conditionalBlock(module, import.node) == kNoNode &&
                        module.tree().ancestor(import.node, Kind::TryStatement) == kNoNode;
    if (always) return false;
  }
  return some;
}

}  // namespace

Module::Spelling Module::spellingOfTorch(NodeId at) const {
  const ScopeId scope = scopeOf(at);
  const Offset offset = tree_[at].range.start;
  // A function's own import must come before the place; the module's import runs before any function does.
  const auto reaches = [&](const Symbol& symbol) {
    int budget = kMaxSteps;
    if (qualifiedSymbol(symbol, budget) != "torch") return false;
    const bool same_scope = symbol.scope == scope;
    if (same_scope && tree_[symbol.bindings.front().node].range.start >= offset) return false;
    return std::any_of(symbol.bindings.begin(), symbol.bindings.end(), [&](const Binding& binding) {
      return !tree_.is(binding.value, Kind::None) && hasRun(*this, symbol, binding.node, at);
    });
  };
  const Symbol* plain = lookup("torch", scope);
  if (plain) return reaches(*plain) ? Spelling{"torch", false} : Spelling{};
  for (const Symbol& symbol : symbols_)
    if (symbol.scope == 0 && lookup(symbol.name, scope) == &symbol && reaches(symbol)) return {symbol.name, false};
  return importsTorchLazily(*this) ? Spelling{} : Spelling{"torch", true};
}

}  // namespace np::analyzer::python
