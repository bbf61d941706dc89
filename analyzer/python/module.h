// One Python file with its scopes and names: which name is bound where, to what, and who reads it.
//
//   import torch as t                   qualifiedName(`t.cuda.synchronize`) == "torch.cuda.synchronize"
//   from torch import cuda              qualifiedName(`cuda.synchronize`)   == "torch.cuda.synchronize"
//   def f(t): t.cuda.synchronize()      none: `t` is the parameter
//
// Not flow sensitive: a name with two different meanings has none. Other files count only for names that come by
// `from m import *`, and for torch and its parts that the project hands on (`from .compat import torch`); ProjectNames
// follows the rest.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/source_text.h"
#include "analyzer/python/syntax_tree.h"

namespace np::analyzer::python {

using ScopeId = std::uint32_t;
using SymbolId = std::uint32_t;
inline constexpr std::uint32_t kNoId = 0xFFFFFFFF;

enum class ScopeKind : std::uint8_t { Module, Class, Function, Lambda, Comprehension };

struct Scope {
  ScopeKind kind = ScopeKind::Module;
  NodeId node = 0;
  ScopeId parent = kNoId;
  std::map<std::string, SymbolId, std::less<>> symbols;
};

enum class BindingKind : std::uint8_t {
  Import,      // `import a.b`, `import a.b as c`, `from a import b`; `path` is the dotted name it stands for
  Assignment,  // `value` is the expression, kNoNode when it is only a part of it (tuple unpacking)
  Parameter,   // `value` is the default, kNoNode without one
  Function,
  Class,
  Target,  // loop variable, with target, except name, match capture, augmented assignment
  Deleted,
};

struct Binding {
  BindingKind kind = BindingKind::Assignment;
  NodeId node = kNoNode;  // the identifier (or the imported dotted name)
  NodeId value = kNoNode;
  std::string path;
};

struct Symbol {
  std::string name;
  ScopeId scope = 0;
  std::vector<Binding> bindings;
  std::vector<NodeId> references;  // identifiers that read it, in source order
};

// A module that is imported: `path` as written, "torch.utils.cpp_extension" or ".utils" for relative ones.
struct ImportedModule {
  NodeId node = kNoNode;  // the import statement
  NodeId name = kNoNode;  // where the module's name stands
  std::string path;
  std::vector<std::string> names;  // of `from path import names`; "*" for all
};

class ProjectNames;

class Module {
 public:
  // Errors as of SyntaxTree::parse. `text` must outlive the module, and so must `project`, which tells what star
  // imports bring. A module is for one thread at a time.
  static Result<Module> parse(const SourceText& text, const ProjectNames* project = nullptr);

  const SourceText& text() const { return *text_; }
  const SyntaxTree& tree() const { return tree_; }
  std::string_view slice(NodeId id) const { return text_->slice(tree_[id].range); }

  const std::vector<Scope>& scopes() const { return scopes_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const std::vector<ImportedModule>& imports() const { return imports_; }

  // The scope whose names an expression at `id` sees first.
  ScopeId scopeOf(NodeId id) const;
  // The symbol that an identifier means where it stands; null for builtins and names from star imports.
  const Symbol* symbolOf(NodeId identifier) const;
  const Symbol* lookup(std::string_view name, ScopeId scope) const;

  // The dotted name that an identifier or attribute chain stands for; empty when its base is not an import (or an alias
  // of one), or has more than one meaning.
  std::string qualifiedName(NodeId id) const;
  // What an unbound name means when a star import brings it; empty otherwise.
  std::string starName(NodeId identifier) const;
  bool hasStarImports() const { return !stars_.empty(); }
  // Of a call's callee.
  std::string calleeName(NodeId call) const;

  // The expression that a name stands for, when it is bound exactly once, by a plain assignment.
  NodeId assignedValue(NodeId identifier) const;

  // How `torch` is spelt at this place ("torch", "t"): the alias of the import that reaches it. "torch" with
  // `needs_import` when no import reaches it but one can be added; empty when the name is taken by something else.
  struct Spelling {
    std::string name;
    bool needs_import = false;
  };
  Spelling spellingOfTorch(NodeId at) const;

 private:
  friend class ScopeBuilder;
  std::string qualifiedSymbol(const Symbol& symbol, int& budget) const;
  std::string qualifiedName(NodeId id, int& budget) const;
  std::string importedName(const std::string& path) const;

  const SourceText* text_ = nullptr;
  const ProjectNames* project_ = nullptr;
  std::vector<std::string> stars_;                             // modules of star imports, when there is a project
  mutable std::map<std::string, std::string> star_names_;      // answers of starName
  mutable std::map<std::string, std::string> imported_names_;  // answers of importedName
  SyntaxTree tree_;
  std::vector<Scope> scopes_;
  std::vector<Symbol> symbols_;
  std::vector<ImportedModule> imports_;
  std::vector<ScopeId> scope_of_node_;    // by node
  std::vector<SymbolId> symbol_of_node_;  // by node, kNoId for everything that is not a resolved identifier
};

}  // namespace np::analyzer::python
