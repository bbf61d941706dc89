#pragma once
// What one call works on, for the report.

#include <ATen/core/Tensor.h>

#include "runtime/device/coverage.h"
#include "runtime/device/device_state.h"

namespace np::device {

// The tensor's part of what a compilation on the chip depends on.
inline uint64_t mixShape(uint64_t hash, const at::Tensor& tensor) {
  hash = (hash ^ static_cast<uint64_t>(tensor.scalar_type())) * 0x9E3779B97F4A7C15ull;
  for (const int64_t size : tensor.sizes()) hash = (hash ^ static_cast<uint64_t>(size)) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 29);
}

inline void addArgument(CallFacts& facts, const at::Tensor& tensor, bool written) {
  if (!tensor.defined() || tensor.device().type() != kNeuron) return;
  const uint64_t bytes = static_cast<uint64_t>(tensor.numel()) * tensor.itemsize();
  facts.bytes_in += bytes;
  if (written) facts.bytes_out += bytes;
  facts.types |= uint64_t{1} << static_cast<int>(tensor.scalar_type());
  facts.shapes = mixShape(facts.shapes, tensor);
}

inline void addResult(CallFacts& facts, const at::Tensor& tensor) {
  if (tensor.defined()) facts.bytes_out += static_cast<uint64_t>(tensor.numel()) * tensor.itemsize();
}

}  // namespace np::device
