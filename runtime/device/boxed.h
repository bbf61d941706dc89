#pragma once
// The boxed kernel that serves almost every op: alias, run the CPU kernel, adopt.

#include <torch/library.h>

#include "runtime/device/op_traits.h"

namespace np::device {

// Registers the kernel for every aten op that has a CPU kernel (or is composite without being a view) and none of ours
// yet, in `aten` (PrivateUse1 implementations), and as the fallback in `any` (the `_` namespace). Returns how many ops.
int64_t registerBoxedKernels(torch::Library& aten, torch::Library& any);

// Runs one op whose arguments are on the stack, and leaves its results there.
void runOnHost(const OpTraits& traits, const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace np::device
