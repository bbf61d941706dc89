#pragma once
// Kernels for ops of common signatures, which cross the border without a stack.

#include <ATen/core/boxing/KernelFunction.h>

#include <optional>

#include "runtime/device/op_traits.h"

namespace np::device {

// A kernel for the op when its signature is one of the common ones; else none, and the boxed kernel takes it.
std::optional<c10::KernelFunction> unboxedKernel(const c10::OperatorHandle& op, const OpTraits& traits);

}  // namespace np::device
