// NPT2011 double-precision-kernel
//
// The engines of Trainium have no 64-bit floats. A kernel whose parameters are doubles, or that is instantiated for
// double, is computed in float32 after a port, so the caller has to agree. Only what parameters say is looked at: a
// double literal in a float kernel is a slip of the pen, not a need.

#include <algorithm>

#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {
namespace {

bool mentionsDouble(const std::string& type) {
  for (std::size_t at = type.find("double"); at != std::string::npos; at = type.find("double", at + 1)) {
    const bool starts = at == 0 || !(isalnum(static_cast<unsigned char>(type[at - 1])) || type[at - 1] == '_');
    const std::size_t end = at + 6;
    const bool ends = end >= type.size() || !(isalnum(static_cast<unsigned char>(type[end])) || type[end] == '_');
    if (starts && ends) return true;
  }
  return false;
}

}  // namespace

void doublePrecisionKernel(const CudaRuleInput& input, CudaFindings& out) {
  for (const Kernel& kernel : input.analysis.kernels) {
    const bool plain = kernel.template_params.empty();
    const bool has = std::any_of(kernel.params.begin(), kernel.params.end(),
                                 [](const KernelParam& param) { return mentionsDouble(param.type); });
    if (plain && has)
      out.add("NPT2011", kernel.where, kernel.name,
              "kernel \"" + kernel.name + "\" works on doubles; Trainium computes in float32 at most");
  }
}

}  // namespace np::analyzer
