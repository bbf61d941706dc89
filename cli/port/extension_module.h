// The Python module that stands in for a compiled extension.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "kernel_port/host/host_plan.h"

namespace np::cli {

// One op as the module defines it.
struct ModuleOp {
  std::string op;      // "ns::name"
  std::string python;  // name under which pybind exposed it; empty for a pure TORCH_LIBRARY op
  std::string schema;  // TORCH_LIBRARY schema, when there is one
  const analyzer::HostFunction* function = nullptr;
  const kernel_port::host::HostPlan* plan = nullptr;  // null: not translated
  std::string kernel_module, entry;                   // of the emitted kernel
  bool finite = false;                                // the translation holds for finite inputs only
  std::string reason;                                 // why not translated
};

// Text of the module: `extension` is its dotted name ("pkg._C"), kernels are imported from the package beside it
// (`kernel_package`, "_C_neuron"); relative imports when the extension lies in a package.
std::string extensionModuleText(const std::string& extension, const std::string& kernel_package,
                                const std::vector<ModuleOp>& ops, const std::string& tool_version);

}  // namespace np::cli
