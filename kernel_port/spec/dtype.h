// Element types of buffers and values, with what arithmetic needs to know about each.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace np::kernel_port::spec {

enum class DType : uint8_t { F32, F16, Bf16, F64, I8, U8, I16, U16, I32, U32, I64, U64, Bool };

// The launch file's name of the type: "f32", "bf16", "i32", "bool" ...
std::string_view dtypeName(DType type);

// The type of a launch file's name, or nothing.
std::optional<DType> dtypeFromName(std::string_view name);

// True for f16, bf16, f32 and f64.
bool isFloat(DType type);

// Bytes of one element.
int dtypeBytes(DType type);

// Half an ulp of 1 for a float type (f32: 2^-24); 0 for integers.
double unitRoundoff(DType type);

// `value` as the type stores it: floats to nearest even, integers truncated and wrapped, bool to 0 or 1.
double roundToType(double value, DType type);

}  // namespace np::kernel_port::spec
