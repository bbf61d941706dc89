// NPT3112 torch-cuda-import
//
// `import torch.cuda`, `from torch.cuda.amp import autocast`. The import works without CUDA; it is listed because what
// it brings in has to go. Once nothing in the file reads the names, the line can go too.

#include <algorithm>

#include "analyzer/python/project_names.h"
#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::kNoNode;
using python::NodeId;

bool isCudaModule(std::string_view path) {
  for (std::string_view module : {"torch.cuda", "torch.backends.cudnn", "torch.backends.cuda"})
    if (path == module || (path.starts_with(module) && path[module.size()] == '.')) return true;
  return false;
}

bool isCudaImport(const python::ImportedModule& import) {
  if (isCudaModule(import.path)) return true;
  for (const std::string& name : import.names)
    if (isCudaModule(import.path + "." + name)) return true;
  return false;
}

// "compat" of "pkg/compat.py": what another file writes to import this one.
std::string stemOf(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::string(name.substr(0, name.find('.')));
}

// True when nothing in the file reads what the statement binds, and nobody else can be expected to: not in a package's
// __init__.py, not in a `try`, not beside `__all__`, and no other file of the project holds both the module's name and
// the name that it binds.
bool isUnused(const RuleInput& input, NodeId statement) {
  const python::SyntaxTree& tree = input.module.tree();
  if (input.module.text().path().ends_with("__init__.py") || input.module.lookup("__all__", 0) ||
      insideTry(input, statement))
    return false;
  std::vector<std::string_view> names;
  for (const python::Symbol& symbol : input.module.symbols()) {
    for (const python::Binding& binding : symbol.bindings) {
      if (binding.kind != python::BindingKind::Import || !tree.inside(binding.node, statement)) continue;
      if (symbol.name == "torch" || symbol.bindings.size() != 1 || !symbol.references.empty()) return false;
      names.push_back(symbol.name);
    }
  }
  if (names.empty() || !input.project) return !names.empty();
  // Last, because it looks through all files.
  const std::string& path = input.module.text().path();
  return !input.project->heldElsewhere(path, stemOf(path)) ||
         std::none_of(names.begin(), names.end(),
                      [&](std::string_view name) { return input.project->heldElsewhere(path, name); });
}

// A statement alone on its lines, in a body that keeps at least one other statement.
bool standsAlone(const RuleInput& input, NodeId statement) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId body = tree[statement].parent;
  if (!tree.is(body, Kind::Module) && !tree.is(body, Kind::Block)) return false;
  if (tree.children(body).size() < 2) return false;
  const std::string_view bytes = input.module.text().bytes();
  const Range range = tree[statement].range;
  return range.end < bytes.size() && bytes[range.end] == '\n' && (range.start == 0 || bytes[range.start - 1] == '\n');
}

}  // namespace

void torchCudaImport(const RuleInput& input, FileFindings& out) {
  NodeId last = kNoNode;
  for (const python::ImportedModule& import : input.module.imports()) {
    if (!isCudaImport(import) || import.node == last) continue;
    last = import.node;
    Finding& finding = out.add("NPT3112", import.node, textOf(input, import.node),
                               "imports a part of CUDA's interface; replace what uses it");
    if (!isUnused(input, import.node) || !standsAlone(input, import.node)) continue;
    FixBuilder fix(input, FixSafety::Unsafe, "remove the unused import");
    const Range range = input.module.tree()[import.node].range;
    fix.replace(Range{range.start, range.end + 1}, "", import.node);
    finding.message = "imports a part of CUDA's interface that nothing here uses";
    std::move(fix).addTo(finding);
  }
}

}  // namespace np::analyzer
