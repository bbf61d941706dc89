// NPT3113 tensor-interop, beyond the rows of the table
//
// `x.data_ptr()` in a file that imports a package of CUDA kernels hands device memory to one of them, and
// `__cuda_array_interface__` is how such packages ask for it.

#include <algorithm>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

bool importsKernels(const RuleInput& input) {
  return std::any_of(input.module.imports().begin(), input.module.imports().end(),
                     [&](const python::ImportedModule& import) {
                       const std::string top = import.path.substr(0, import.path.find('.'));
                       return top == "cupy" || top == "pycuda" || top == "ctypes" || import.path == "numba.cuda" ||
                              input.cuda_modules.contains(import.path);
                     });
}

}  // namespace

void tensorInterop(const RuleInput& input, FileFindings& out) {
  if (!input.imports_torch) return;
  const bool kernels = importsKernels(input);
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId id : input.attributes) {
    const python::NodeId name = tree.child(id, python::Field::Attribute);
    if (name == python::kNoNode) continue;
    const std::string_view text = input.module.slice(name);
    if (text == "__cuda_array_interface__" || (kernels && text == "data_ptr"))
      out.add("NPT3113", name, textOf(input, id), "hands device memory to a CUDA library; neuron's cannot be shared");
  }
  for (python::NodeId id : input.strings)
    if (python::literalText(input.module, id) == "__cuda_array_interface__")
      out.add("NPT3113", id, "__cuda_array_interface__",
              "hands device memory to a CUDA library; neuron's cannot be shared");
}

}  // namespace np::analyzer
