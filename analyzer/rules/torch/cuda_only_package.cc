// NPT3201 cuda-only-package
//
// Imports of packages whose compiled code runs on NVIDIA GPUs only. An import in a `try` is optional by the author's
// own word and is a hint. A project's own modules are not packages, whatever their name.

#include <algorithm>

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

}  // namespace

void cudaOnlyPackage(const RuleInput& input, FileFindings& out) {
  for (const python::ImportedModule& import : input.module.imports()) {
    if (import.path.starts_with(".") || input.own_modules.contains(import.path.substr(0, import.path.find('.'))))
      continue;
    const CudaPackage* package = packageOf(input, import);
    const bool is_extension = !package && input.cuda_modules.contains(import.path);
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
  // `faiss.index_cpu_to_gpu(…)` after a plain `import faiss`.
  for (const python::ApiUse& use : input.uses) {
    const std::string top = use.name.substr(0, use.name.find('.'));
    const CudaPackage* package = input.table.package(use.name);
    if (!package || package->module.find('.') == std::string::npos || input.own_modules.contains(top)) continue;
    const bool imported =
        std::any_of(input.module.imports().begin(), input.module.imports().end(),
                    [&](const python::ImportedModule& import) { return packageOf(input, import) == package; });
    if (imported) continue;
    Finding& finding = out.add("NPT3201", use.node, use.name, "needs CUDA; on neuron: " + package->instead);
    finding.evidence = package->evidence;
    finding.severity = package->severity;
  }
}

}  // namespace np::analyzer
