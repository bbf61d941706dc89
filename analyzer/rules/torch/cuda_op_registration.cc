// NPT3115 cuda-op-registration
//
// A kernel registered for CUDA from Python: `@torch.library.impl("ns::op", "CUDA")`, `custom_op(…,
// device_types="cuda")`. On Neuron the dispatcher does not find it.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

bool registers(std::string_view callee, std::string_view method) {
  return callee.starts_with("torch.library.") || callee.starts_with("torch._library.") || method == "register_kernel" ||
         method == "register_impl" || (method == "impl" && callee.empty());
}

}  // namespace

void cudaOpRegistration(const RuleInput& input, FileFindings& out) {
  if (!input.imports_torch) return;
  for (python::NodeId call : input.calls) {
    const bool known = registers(input.module.calleeName(call), python::methodName(input.module, call));
    for (const python::Argument& argument : python::argumentsOf(input.module, call)) {
      const std::optional<std::string> text = python::literalText(input.module, argument.value);
      if (text != "cuda" && text != "CUDA" && text != "AutogradCUDA" && text != "AutocastCUDA") continue;
      // A wrapper of torch.library takes the same keyword.
      if (!known && argument.name != "device_types") continue;
      out.claim(argument.value);
      out.add("NPT3115", argument.node, textOf(input, argument.node),
              "registers a kernel for CUDA; on neuron register an NKI kernel or a composite one");
    }
  }
}

}  // namespace np::analyzer
