// What `__reduce_*_sync` makes of two lanes; both engines call it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel_port/frontend/device_call.h"

namespace np::kernel_port::simt {

// `op` is one of DeviceOp::Reduce*; the signed forms read the bits as two's complement.
inline std::uint32_t reducePair(DeviceOp op, std::uint32_t a, std::uint32_t b) {
  const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
  switch (op) {
    case DeviceOp::ReduceAdd:
      return a + b;
    case DeviceOp::ReduceMin:
      return x < y ? a : b;
    case DeviceOp::ReduceMax:
      return x > y ? a : b;
    case DeviceOp::ReduceUMin:
      return std::min(a, b);
    case DeviceOp::ReduceUMax:
      return std::max(a, b);
    case DeviceOp::ReduceAnd:
      return a & b;
    case DeviceOp::ReduceOr:
      return a | b;
    default:
      return a ^ b;
  }
}

}  // namespace np::kernel_port::simt
