// Scaled dot product attention.
//
// PyTorch asks the device which algorithm to use. Where the CPU would choose its flash kernel the device answers
// "overrideable", whose forward and backward are then implemented by that same CPU kernel: the bits are the CPU's, and
// the dispatched op is the one that the real device's kernel hangs on. Other answers (math) pass through and decompose.

#include <ATen/native/DispatchStub.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/native/transformers/sdp_utils_cpp.h>
#include <ATen/ops/_fused_sdp_choice_ops.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward_ops.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_ops.h>

#include "runtime/device/coverage.h"
#include "runtime/device/frame.h"
#include "runtime/device/native_ops.h"

namespace np::device {
namespace {

using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

const c10::DispatchKeySet kCpu(c10::DispatchKey::CPU);

using Key = c10::DispatchKey;

bool hasAny(const Tensor& tensor, c10::DispatchKeySet keys) { return tensor.key_set().has_any(keys); }

// Under vmap and functional gradients the math decomposition is what the transforms know.
bool isTransformed(const Tensor& tensor) {
  return hasAny(tensor, c10::DispatchKeySet({Key::FuncTorchBatched, Key::FuncTorchGradWrapper}));
}

// Fake and functional tensors (torch.compile, torch.export) have sizes and types, but no bytes to alias.
bool hasBytes(const Tensor& tensor) {
  return tensor.has_storage() && tensor.key_set().has_all(c10::DispatchKeySet(Key::PrivateUse1)) &&
         !hasAny(tensor, c10::DispatchKeySet({Key::Python, Key::Functionalize}));
}

int64_t onDevice(int64_t choice) {
  const bool flash = choice == static_cast<int64_t>(sdp::SDPBackend::flash_attention);
  return flash ? static_cast<int64_t>(sdp::SDPBackend::overrideable) : choice;
}

void count(const char* op) { coverage().record(op).count(); }

std::tuple<Tensor, Tensor, Tensor, Tensor, c10::SymInt, c10::SymInt, Tensor, Tensor, Tensor> attentionForward(
    const Tensor& query, const Tensor& key, const Tensor& value, const OptionalTensor& bias, double dropout,
    bool causal, bool /*return_debug_mask*/, std::optional<double> scale) {
  count("aten::_scaled_dot_product_fused_attention_overrideable");
  Frame frame;
  const Tensor q = frame.alias(query, false), k = frame.alias(key, false), v = frame.alias(value, false);
  const OptionalTensor b = frame.alias(bias);
  frame.refuseMixedDevices("aten::scaled_dot_product_attention");
  Tensor output, log_sum;
  {
    KernelScope scope(frame.device());
    std::tie(output, log_sum) =
        at::_ops::_scaled_dot_product_flash_attention_for_cpu::redispatch(kCpu, q, k, v, dropout, causal, b, scale);
  }
  // The CPU kernel keeps its dropout to itself, so there is no random state to hand to the backward; torch.compile
  // wants tensors all the same, and the contiguous sums that PyTorch's shape function promises.
  const auto counter = query.options().dtype(at::kLong).requires_grad(false);
  return {frame.adopt(output),
          frame.adopt(log_sum).contiguous(),
          {},
          {},
          query.sym_size(2),
          key.sym_size(2),
          at::zeros({}, counter),
          at::zeros({}, counter),
          {}};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> attentionBackward(
    const Tensor& gradient, const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& bias,
    std::array<bool, 4> /*wanted*/, const Tensor& output, const Tensor& log_sum, const Tensor&, const Tensor&,
    c10::SymInt, c10::SymInt, double dropout, bool causal, const Tensor&, const Tensor&, std::optional<double> scale) {
  count("aten::_scaled_dot_product_fused_attention_overrideable_backward");
  Frame frame;
  const Tensor g = frame.alias(gradient, false), q = frame.alias(query, false), k = frame.alias(key, false),
               v = frame.alias(value, false), o = frame.alias(output, false), l = frame.alias(log_sum, false);
  const OptionalTensor b = bias.defined() ? OptionalTensor(frame.alias(bias, false)) : std::nullopt;
  Tensor for_query, for_key, for_value;
  {
    KernelScope scope(frame.device());
    std::tie(for_query, for_key, for_value) =
        at::_ops::_scaled_dot_product_flash_attention_for_cpu_backward::redispatch(kCpu, g, q, k, v, o, l, dropout,
                                                                                   causal, b, scale);
  }
  // A bias that needs a gradient never gets here: the CPU's choice is then the math decomposition.
  return {frame.adopt(for_query), frame.adopt(for_key), frame.adopt(for_value), {}};
}

int64_t chooseAlgorithm(const Tensor& query, const Tensor& key, const Tensor& value, const OptionalTensor& mask,
                        double dropout, bool causal, std::optional<double> scale, bool grouped) {
  if (isTransformed(query) || isTransformed(key) || isTransformed(value))
    return static_cast<int64_t>(sdp::SDPBackend::math);
  if (!hasBytes(query) || !hasBytes(key) || !hasBytes(value))
    return onDevice(
        at::_ops::_fused_sdp_choice::redispatch(kCpu, query, key, value, mask, dropout, causal, scale, grouped));
  Frame frame;
  auto alias = [&](const Tensor& tensor) {
    Tensor same = frame.alias(tensor, false);
    // The choice depends on who needs a gradient.
    if (tensor.device().type() == kNeuron && tensor.requires_grad()) same.requires_grad_();
    return same;
  };
  const Tensor q = alias(query), k = alias(key), v = alias(value);
  const OptionalTensor m = mask && mask->defined() ? OptionalTensor(alias(*mask)) : std::nullopt;
  frame.refuseMixedDevices("aten::scaled_dot_product_attention");
  KernelScope scope(frame.device());
  // Not through the dispatcher: this function is called as a stub, with Python modes and autograd still in force.
  return onDevice(at::_ops::_fused_sdp_choice::redispatch(kCpu, q, k, v, m, dropout, causal, scale, grouped));
}

}  // namespace

void registerAttention(torch::Library& aten) {
  aten.impl("_scaled_dot_product_fused_attention_overrideable", TORCH_FN(attentionForward));
  aten.impl("_scaled_dot_product_fused_attention_overrideable_backward", TORCH_FN(attentionBackward));
  aten.impl("_fused_sdp_choice", TORCH_FN(chooseAlgorithm));
}

}  // namespace np::device

namespace at::native {
REGISTER_PRIVATEUSE1_DISPATCH(_fused_sdp_choice_stub, &np::device::chooseAlgorithm)
}
