// NPT1021 cuda-tensor-check
//
// `TORCH_CHECK(x.is_cuda(), …)` refuses every tensor of another device, so an op that was ported keeps failing. The
// check is found by the method of at::Tensor and c10::Device that it calls, wherever a macro of the project has put it.

#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {

void cudaTensorCheck(const CudaRuleInput& input, CudaFindings& out) {
  for (const ApiUse& use : input.analysis.uses) {
    if (use.name != "at::TensorBase::is_cuda" && use.name != "at::Tensor::is_cuda" &&
        use.name != "c10::Device::is_cuda")
      continue;
    out.add("NPT1021", use.where, "is_cuda",
            "\"is_cuda()\" is false for neuron tensors; compare with the device of the inputs");
  }
}

}  // namespace np::analyzer
