// NPT3201 cuda-only-package
//
// Imports of packages whose compiled code runs on NVIDIA GPUs only. An import in a `try` is optional by the author's
// own word and is a hint. A project's own modules are not packages, whatever their name.

#include <algorithm>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/cuda_packages.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

// `from numba import cuda` imports "numba.cuda".
const CudaPackage* packageOf(const RuleInput& input, const python::ImportedModule& import) {
  if (const CudaPackage* package = input.table.package(import.path)) return package;
  for (const std::string& name : import.names)
    if (const CudaPackage* package = input.table.package(import.path + "." + name)) return package;
  return nullptr;
}

// `from pkg.hashing import hash_cuda` and `from .hash_cuda import f` both load "pkg.hashing.hash_cuda".
bool isExtension(const RuleInput& input, const python::ImportedModule& import) {
  if (input.cuda_modules.empty()) return false;
  if (namesModule(input, import.path, input.cuda_modules)) return true;
  return std::any_of(import.names.begin(), import.names.end(), [&](const std::string& name) {
    return namesModule(input, import.path + (import.path.ends_with('.') ? "" : ".") + name, input.cuda_modules);
  });
}

bool isWellKnown(std::string_view module) {
  for (std::string_view name : {"apex", "bitsandbytes", "flash_attn", "xformers", "transformer_engine", "deepspeed"})
    if (module == name) return true;
  return false;
}

// A package named in a string: importlib.import_module("apex.optimizers"), find_spec("flash_attn").
void namedInString(const RuleInput& input, FileFindings& out) {
  for (python::NodeId id : input.strings) {
    const std::optional<std::string> text = python::literalText(input.module, id);
    if (!text || text->size() > 60 || text->find_first_of(" /-:") != std::string::npos) continue;
    const CudaPackage* package = input.table.package(*text);
    if (!package || text->ends_with('.') || isOwnModule(input, *text) || package->severity == Severity::Hint ||
        package->module == "cuda" || package->module == "megatron")
      continue;
    const python::SyntaxTree& tree = input.module.tree();
    const python::NodeId list = tree[id].parent;
    if (tree.ancestor(id, python::Kind::TypeNode) != python::kNoNode) continue;  // a quoted annotation runs nothing
    const bool argument = tree.is(list, python::Kind::ArgumentList);
    const std::string callee = argument ? textOf(input, tree.child(tree[list].parent, python::Field::Function)) : "";
    // Asking for a version or whether a package is there needs nothing of it.
    if (argument && (callee.find("version") != std::string::npos || callee.find("available") != std::string::npos))
      continue;
    const bool loads = callee.find("import") != std::string::npos || callee.find("find_spec") != std::string::npos;
    // A dotted name of a well-known package says enough; a bare word, or the key of a weight, may be anything.
    if (!loads && (!isWellKnown(package->module) || text->find('.') == std::string::npos ||
                   callee.find("ogger") != std::string::npos))
      continue;
    Finding& finding = out.add("NPT3201", id, *text, "needs CUDA; on neuron: " + package->instead);
    finding.evidence = package->evidence;
    finding.severity = Severity::Hint;
  }
}

}  // namespace

void cudaOnlyPackage(const RuleInput& input, FileFindings& out) {
  for (const python::ImportedModule& import : input.module.imports()) {
    const CudaPackage* package = packageOf(input, import);
    if (package && isOwnModule(input, import.path)) package = nullptr;
    const bool is_extension = !package && isExtension(input, import);
    if (!package && !is_extension) continue;
    Finding& finding = out.add("NPT3201", import.name, import.path,
                               package ? "needs CUDA; on neuron: " + package->instead
                                       : "is a compiled CUDA extension; its kernels must be ported first");
    if (package) {
      finding.evidence = package->evidence;
      finding.severity = package->severity;
    }
    if (insideTry(input, import.node)) finding.severity = Severity::Hint;
  }
  namedInString(input, out);
}

}  // namespace np::analyzer
