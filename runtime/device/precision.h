#pragma once
// `precision=device`: computing in the types that Trainium computes in, to see a port's numbers before renting one.

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <utility>
#include <vector>

#include "runtime/device/op_traits.h"

namespace np::device {

// exact: in the declared type. device: float64 as float32, matrix products of 16-bit floats accumulated in float32,
// int64 results wrapped to 32 bits.
enum class Precision : uint8_t { Exact, Device };
Precision precision();
void setPrecision(Precision precision);

// One call's detour through other types. Works on the CPU aliases that stand on the stack.
class DevicePrecision {
 public:
  // Replaces arguments by ones of the type that the device computes in. Views and factories are left alone.
  DevicePrecision(const OpTraits& traits, torch::jit::Stack& stack, size_t first_argument);
  // Brings results back to the declared types, and written arguments to the tensors they stand for.
  void restore();

 private:
  at::Tensor convert(const at::Tensor& tensor, bool written);
  void convertArgument(size_t position, size_t index);
  void wrapIntegers(c10::IValue& result) const;

  const OpTraits& traits_;
  torch::jit::Stack& stack_;
  at::ScalarType from_ = at::kDouble, to_ = at::kFloat;
  bool active_ = false;
  std::vector<std::pair<at::Tensor, at::Tensor>> written_;  // the alias, and the temporary that was written
};

}  // namespace np::device
