#pragma once
// The boxed kernel that serves almost every op: alias, run the CPU kernel, adopt.

#include <torch/library.h>

namespace np::device {

// Registers the kernel for every aten op that has a CPU kernel (or is composite without being a view) and none of ours
// yet, in `aten` (PrivateUse1 implementations), and as the fallback in `any` (the `_` namespace). Returns how many ops.
int64_t registerBoxedKernels(torch::Library& aten, torch::Library& any);

}  // namespace np::device
