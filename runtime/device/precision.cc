// Emulates the chip's arithmetic by running the CPU kernel in another type.
//
// float64 has no data path: operands are rounded to float32, the kernel runs in float32, the result is widened again.
// 16-bit matrix products accumulate in float32 on the chip; the CPU's may not, so they run in float32 and are rounded
// once. int64 was computed in 32 bits by early releases: results that do not fit are wrapped and counted. Copies and
// views keep their bits, as there. What order a reduction takes on the chip is not known and not emulated.

#include "runtime/device/precision.h"

#include <ATen/ops/_to_copy_ops.h>
#include <ATen/ops/copy_ops.h>

#include <atomic>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "runtime/device/coverage.h"

namespace np::device {
namespace {

std::atomic<Precision> process_precision{Precision::Exact};

bool isMatrixProduct(const std::string& name) {
  static const std::unordered_set<std::string_view> names{
      "aten::mm",    "aten::bmm", "aten::addmm", "aten::baddbmm",     "aten::addbmm",
      "aten::addmv", "aten::mv",  "aten::dot",   "aten::convolution", "aten::convolution_backward"};
  return names.count(name) > 0;
}

at::Tensor inType(const at::Tensor& tensor, at::ScalarType type) { return tensor.to(type); }

bool anyOfType(const c10::IValue& value, at::ScalarType type) {
  if (value.isTensor()) return value.toTensor().defined() && value.toTensor().scalar_type() == type;
  if (!value.isTensorList()) return false;
  for (const at::Tensor& tensor : value.toTensorVector())
    if (tensor.defined() && tensor.scalar_type() == type) return true;
  return false;
}

}  // namespace

Precision precision() { return process_precision.load(std::memory_order_relaxed); }
void setPrecision(Precision precision) { process_precision = precision; }

DevicePrecision::DevicePrecision(const OpTraits& traits, torch::jit::Stack& stack, size_t first_argument)
    : traits_(traits), stack_(stack) {
  if (traits.makes_views) return;
  auto uses = [&](at::ScalarType type) {
    for (size_t k = 0; k < traits_.argument_count; ++k)
      if (anyOfType(stack_[first_argument + k], type)) return true;
    return false;
  };
  const bool product = isMatrixProduct(traits.name);
  const std::pair<at::ScalarType, at::ScalarType> detours[] = {{at::kDouble, at::kFloat},
                                                               {at::kComplexDouble, at::kComplexFloat},
                                                               {at::kBFloat16, at::kFloat},
                                                               {at::kHalf, at::kFloat}};
  for (auto [from, to] : detours) {
    if ((from == at::kBFloat16 || from == at::kHalf) && !product) continue;
    if (!uses(from)) continue;
    from_ = from;
    to_ = to;
    active_ = true;
    break;
  }
  if (!active_) return;
  for (size_t k = 0; k < traits_.argument_count; ++k) convertArgument(k, first_argument + k);
}

at::Tensor DevicePrecision::convert(const at::Tensor& tensor, bool written) {
  if (!tensor.defined() || tensor.scalar_type() != from_ || tensor.unsafeGetTensorImpl()->is_wrapped_number())
    return tensor;
  at::Tensor other = inType(tensor, to_);
  if (written) written_.emplace_back(tensor, other);
  return other;
}

void DevicePrecision::convertArgument(size_t position, size_t index) {
  c10::IValue& value = stack_[index];
  const bool written = traits_.written[position];
  if (value.isTensor()) {
    value = convert(value.toTensor(), written);
  } else if (value.isTensorList()) {
    c10::List<at::Tensor> converted;
    for (const at::Tensor& tensor : value.toTensorVector()) converted.push_back(convert(tensor, written));
    value = std::move(converted);
  } else if (traits_.dtype_argument == position && value.isInt() && value.toInt() == static_cast<int64_t>(from_)) {
    value = static_cast<int64_t>(to_);
  }
}

void DevicePrecision::restore() {
  for (auto& [alias, temporary] : written_) {
    if (alias.sizes() != temporary.sizes()) alias.resize_(temporary.sizes());
    alias.copy_(temporary);
  }
  const size_t first_result = stack_.size() - traits_.return_count;
  for (size_t k = 0; k < traits_.return_count; ++k) {
    c10::IValue& result = stack_[first_result + k];
    if (traits_.returns_argument[k] < 0 && active_) {
      auto back = [&](const at::Tensor& tensor) {
        return tensor.defined() && tensor.scalar_type() == to_ ? inType(tensor, from_) : tensor;
      };
      if (result.isTensor()) {
        result = back(result.toTensor());
      } else if (result.isTensorList()) {
        c10::List<at::Tensor> widened;
        for (const at::Tensor& tensor : result.toTensorVector()) widened.push_back(back(tensor));
        result = std::move(widened);
      }
    }
    wrapIntegers(result);
  }
}

void DevicePrecision::wrapIntegers(c10::IValue& result) const {
  if (traits_.makes_views || !result.isTensor()) return;
  at::Tensor tensor = result.toTensor();
  if (!tensor.defined() || tensor.scalar_type() != at::kLong || tensor.numel() == 0) return;
  const at::Tensor wrapped = tensor.to(at::kInt).to(at::kLong);
  if (wrapped.equal(tensor)) return;
  static OpRecord& overflows = coverage().record("neuron::int64_overflow");
  overflows.count();
  tensor.copy_(wrapped);
}

}  // namespace np::device
