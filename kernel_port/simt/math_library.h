// The functions of numbers that device code may call, on bit patterns.
#pragma once

#include <string_view>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/simt/program.h"

namespace np::kernel_port::simt {

enum class FloatType { F32, F64, F16, BF16 };

// The function of that name (DeviceCall::function) and rounding for operands of `type`; null when there is none.
// F16 and BF16 functions take and give the 16-bit patterns; integer operands and results are plain registers.
MathFunction mathFunction(std::string_view function, FloatType type, char rounding);

// The two results of frexp, modf, remquo, sincos, sincospi: `part` 0 is the returned or first value, 1 the other.
// Null when unknown.
MathFunction pointerMathPart(std::string_view function, FloatType type, int part);

// Float to integer, saturating, NaN to 0; `rounding` as in DeviceCall.
MathFunction toInteger(FloatType type, int width, bool is_signed, char rounding);

// Integer (64-bit pattern, already extended) to float.
MathFunction fromInteger(FloatType type, bool is_signed, char rounding);

// Between float formats; one rounding.
MathFunction convert(FloatType from, FloatType to, char rounding);

// LLVM integer intrinsics; operands zero-extended, the width in bits is the fourth argument. Null when unknown.
IntFunction intFunction(DeviceOp op);

// The overflow flag of an `with.overflow` intrinsic.
IntFunction overflowFunction(DeviceOp op);

}  // namespace np::kernel_port::simt
