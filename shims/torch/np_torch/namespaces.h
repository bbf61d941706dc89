// torch:: and at:: see the same names.
#pragma once
#pragma clang system_header
#include "library.h"

namespace torch {
using namespace at;
using namespace c10;
using Dtype = c10::ScalarType;
using DispatchKey = c10::DispatchKey;
using at::NoGradGuard;
using c10::BFloat16;
using c10::dtype;
using c10::Half;
using c10::nullopt;
using c10::optional;
namespace indexing {
using namespace at::indexing;
}
namespace cuda {
bool is_available();
size_t device_count();
void manual_seed(uint64_t seed);
void synchronize(int64_t device = -1);
}  // namespace cuda
}  // namespace torch
