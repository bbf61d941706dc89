// NPT1020 cuda-kernel-launch
//
// A launch is where a port cuts: the kernel becomes an NKI kernel and the host function around it a Python wrapper. The
// message says which kernel is meant and which op of the project gets there, because that is what has to be translated
// as a whole.

#include <algorithm>

#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {

void kernelLaunch(const CudaRuleInput& input, CudaFindings& out) {
  for (const Kernel& kernel : input.analysis.kernels) {
    std::string ops;
    for (const Binding& binding : kernel.bindings) ops += (ops.empty() ? "\"" : ", \"") + binding.name + "\"";
    for (const Launch& launch : kernel.launches) {
      Finding& finding = out.add(
          "NPT1020", launch.where, launch.kernel,
          "kernel \"" + launch.kernel + "\" runs on CUDA only; translate it with " + "`neuron-port kernel translate`");
      if (!ops.empty()) finding.notes.push_back("reached from " + ops);
      finding.trace.push_back(
          {kernel.where.path, kernel.where.range, kernel.where.start, kernel.where.end, "the kernel is here"});
    }
  }
  for (const Launch& launch : input.analysis.loose_launches)
    out.add("NPT1020", launch.where, launch.kernel,
            "kernel \"" + launch.kernel + "\" runs on CUDA only, and its definition was not found in the project");
}

}  // namespace np::analyzer
