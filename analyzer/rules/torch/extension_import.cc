// NPT3203 extension-import, NPT3204 cuda-extension-tool (its import lines; the uses are rows of the table)
//
// Imports of compiled extensions that the C++ side of the project does not explain: `import xentropy_cuda`,
// `from . import _C`, `importlib.import_module("fused_adam_cuda")`, torch.ops.load_library. Their kernels are ported,
// or replaced, before the code behind them can run on Neuron. Modules whose Python source is in the project are no
// extensions.

#include "analyzer/python/project_names.h"
#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/cuda_packages.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::NodeId;

std::string_view lastPart(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

bool isCompiledName(std::string_view name) { return name == "_C" || name.ends_with("_ext"); }

void judge(const RuleInput& input, const python::ImportedModule& import, FileFindings& out) {
  const std::string_view module = lastPart(import.path);
  bool cuda = namesCudaExtension(module) && !isPythonModule(input, import.path);
  bool compiled = isCompiledName(module) && module == "_C" && !import.path.starts_with("torch.");
  std::string subject = import.path;
  for (const std::string& name : import.names) {
    if (import.path.starts_with("torch.") || import.path == "torch") break;
    // `from pkg import hash_cuda`: of a package of the project that neither holds nor binds it.
    const std::string full = import.path + (import.path.ends_with(".") ? "" : ".") + name;
    const bool in_project = input.project && (import.path.find_first_not_of('.') == std::string::npos ||
                                              !input.project->fileOf(input.module.text().path(), import.path).empty());
    if (in_project && namesCudaExtension(name) && !isPythonModule(input, full)) {
      cuda = true;
      subject = full;
    }
    if (name != "_C") continue;
    compiled = true;
    subject = import.path + (import.path.ends_with(".") ? "" : ".") + name;
  }
  if (!cuda && !compiled) return;
  Finding& finding = out.add("NPT3203", import.name, subject,
                             cuda ? "a compiled CUDA extension by its name; port its kernels or use an op of torch"
                                  : "a compiled extension; see whether its kernels need CUDA");
  if (!cuda || insideTry(input, import.node)) finding.severity = Severity::Hint;
}

// `import torch.utils.cpp_extension` alone says nothing; the names do. `load` builds for the CPU as well: it counts
// where the file speaks of CUDA sources.
bool importsCudaTool(const RuleInput& input, const python::ImportedModule& import) {
  for (const std::string& name : import.names) {
    if (name == "CUDA_HOME" || name == "CUDAExtension" || name == "CUDNN_HOME") return true;
    if (name != "load" && name != "load_inline") continue;
    const std::string_view all = input.module.text().bytes();
    for (std::string_view word : {".cu\"", ".cu'", "*.cu", "cuda_cflags", "cuda_sources", "__global__"})
      if (all.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

void extensionImport(const RuleInput& input, FileFindings& out) {
  for (const python::ImportedModule& import : input.module.imports()) {
    if (import.path == "torch.utils.cpp_extension" && importsCudaTool(input, import))
      out.add("NPT3204", import.node, textOf(input, import.node),
              "builds CUDA extensions; neuron has no CUDA compiler");
    if (input.table.package(import.path) || namesModule(input, import.path, input.cuda_modules)) continue;
    judge(input, import, out);
  }
  for (const python::ApiUse& use : input.uses) {
    if (use.call == python::kNoNode) continue;
    const auto arguments = python::argumentsOf(input.module, use.call);
    if (arguments.empty()) continue;
    const std::string text = python::literalText(input.module, arguments[0].value).value_or("");
    const bool by_name = use.name == "importlib.import_module" &&
                         (namesCudaExtension(lastPart(text)) || input.cuda_modules.contains(text));
    if (by_name || use.name == "torch.ops.load_library" || use.name == "torch.classes.load_library")
      out.add("NPT3203", use.node, textOf(input, use.call),
              "loads a compiled extension; see whether its kernels need CUDA");
  }
}

}  // namespace np::analyzer
