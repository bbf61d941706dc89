// Autocast: which ops run in lower precision, in fp32, or in the widest type of their arguments.
//
// The lists are PyTorch's own for accelerators, which TorchNeuron documents as its convention. Binary cross entropy on
// probabilities is refused, as on CUDA: in lower precision it is not safe.

#include <ATen/autocast_mode.h>

#include "runtime/device/native_ops.h"

namespace np::device {
namespace {

at::Tensor refuseBinaryCrossEntropy(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, int64_t) {
  TORCH_CHECK(false,
              "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast; use "
              "binary_cross_entropy_with_logits or torch.nn.BCEWithLogitsLoss, or disable autocast around the call");
}

}  // namespace

// The list macros call `m.impl(...)`; their names resolve inside at::autocast.
void registerAutocast(torch::Library& aten_autocast, torch::Library& any_autocast) {
  using namespace at::autocast;  // NOLINT: the macros need it
  using namespace at;            // NOLINT
  any_autocast.fallback(torch::CppFunction::makeFallthrough());
  torch::Library& m = aten_autocast;
#define NP_LOWER_PRECISION(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define NP_FP32(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define NP_PROMOTE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)
#define NP_FP32_OUTPUT(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
  AT_FORALL_LOWER_PRECISION_FP(NP_LOWER_PRECISION)
  AT_FORALL_FP32(NP_FP32)
  AT_FORALL_PROMOTE(NP_PROMOTE)
  AT_FORALL_FP32_SET_OPT_DTYPE(NP_FP32_OUTPUT)
  AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE(KERNEL_DIFFERENT_REDISPATCH_SIGNATURE_PRIVATEUSEONE)
#undef NP_LOWER_PRECISION
#undef NP_FP32
#undef NP_PROMOTE
#undef NP_FP32_OUTPUT
  m.impl("binary_cross_entropy", TORCH_FN(refuseBinaryCrossEntropy));
}

}  // namespace np::device
