// Element types of buffers and scalars, and the 16-bit float formats as bit patterns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace np::kernel_port::launch {

enum class ElementType { F32, F16, BF16, F64, I8, U8, I16, U16, I32, U32, I64, U64, Bool };

// The name used in launch files ("f32"), and back.
std::string_view name(ElementType type);
std::optional<ElementType> elementType(std::string_view name);

// Bytes of one element; Bool takes one.
int64_t byteSize(ElementType type);
bool isFloat(ElementType type);
bool isSigned(ElementType type);

// Least and greatest value of an integer type, as wide as both signs need.
__int128 lowest(ElementType type);
__int128 highest(ElementType type);

// Round to nearest even from double in one step, and the exact way back.
uint16_t halfBits(double value);
uint16_t bfloatBits(double value);
double halfValue(uint16_t bits);
double bfloatValue(uint16_t bits);

// Stores `value`, rounded to the element type (integers truncate; the caller checks the range), at `at`.
void storeElement(ElementType type, double value, uint8_t* at);
void storeElement(ElementType type, int64_t value, uint8_t* at);

// The element at `at` as a double (64-bit integers may round).
double loadElement(ElementType type, const uint8_t* at);

}  // namespace np::kernel_port::launch
