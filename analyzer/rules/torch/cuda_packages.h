// Which names lead to packages that need CUDA, and which functions are code for a GPU rather than for the host.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

// True for a module of the project itself, relative or by its full name.
bool isOwnModule(const RuleInput& input, std::string_view module);

// The package that a dotted name belongs to; null for the project's own modules. A name that the project hands on
// (`from .compat import flash_attn_func`) is followed to where it comes from.
const CudaPackage* cudaPackageOf(const RuleInput& input, const std::string& name);

// A module that is imported by a call with its name written out: "pynvml" of `__import__("pynvml")`, also through a
// helper that is called an import (`try_import("pynvml")`); empty for anything else.
std::string importedByCall(const python::Module& module, python::NodeId expression);

// The module that a binding gets from such a call, alone or first of several: `pynvml, error = try_import("pynvml")`.
std::string importedInto(const python::Module& module, const python::Binding& binding);

// The functions that run on a GPU: those that Triton, Numba and their like compile, by decorator, by a call, or by a
// parameter that only such a compiler knows (`BLOCK: tl.constexpr`).
class DeviceCode {
 public:
  explicit DeviceCode(const RuleInput& input);

  bool contains(python::NodeId node) const;
  bool empty() const { return functions_.empty(); }
  // Whether the expression means such a function, of this file or of another one of the project.
  bool names(python::NodeId expression) const;

 private:
  const RuleInput& input_;
  std::vector<python::NodeId> functions_;
};

// True for the name of a compiled CUDA extension, as projects call them: "fused_adam_cuda".
bool namesCudaExtension(std::string_view name);

// Whether the module's Python source is in the project; without a list of its files a relative import may be.
bool isPythonModule(const RuleInput& input, std::string_view module);

}  // namespace np::analyzer
