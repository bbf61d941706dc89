// NPT2017 unlaunched-kernel
//
// A kernel for which no launch was found: dead code, or launched by a name that only exists at run time (function
// pointers, another repository). It needs a launch file before it can be translated.

#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {

void unlaunchedKernel(const CudaRuleInput& input, CudaFindings& out) {
  for (const Kernel& kernel : input.analysis.kernels)
    if (kernel.launches.empty())
      out.add("NPT2017", kernel.where, kernel.name,
              "no launch of kernel \"" + kernel.name + "\" was found; write a launch file to translate it");
}

}  // namespace np::analyzer
