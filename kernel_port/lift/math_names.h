// The compact operation of a math function.
#pragma once

#include <cstdint>
#include <optional>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/lift/compact_ir.h"

namespace np::kernel_port::lift {

struct MathCall {
  Code code = Code::FCall;
  uint8_t aux = 0;
};

// Nothing for functions that a Spec cannot express.
std::optional<MathCall> mathCall(const DeviceCall& call);

}  // namespace np::kernel_port::lift
