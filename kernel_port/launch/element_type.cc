// One table of element types, and conversions that round once. The 16-bit formats are handled as integers here because
// launch files and .npy files hold them so; no compiler support for them is assumed.

#include "kernel_port/launch/element_type.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "analyzer/base/result.h"

namespace np::kernel_port::launch {
namespace {

struct Row {
  ElementType type;
  std::string_view name;
  int size;
  bool is_float, is_signed;
};

constexpr Row kRows[] = {{ElementType::F32, "f32", 4, true, true},    {ElementType::F16, "f16", 2, true, true},
                         {ElementType::BF16, "bf16", 2, true, true},  {ElementType::F64, "f64", 8, true, true},
                         {ElementType::I8, "i8", 1, false, true},     {ElementType::U8, "u8", 1, false, false},
                         {ElementType::I16, "i16", 2, false, true},   {ElementType::U16, "u16", 2, false, false},
                         {ElementType::I32, "i32", 4, false, true},   {ElementType::U32, "u32", 4, false, false},
                         {ElementType::I64, "i64", 8, false, true},   {ElementType::U64, "u64", 8, false, false},
                         {ElementType::Bool, "bool", 1, false, false}};

const Row& row(ElementType type) { return kRows[static_cast<int>(type)]; }

// Rounds to a 16-bit format of `mantissa` explicit bits and the given exponent bias.
uint16_t roundTo16(double value, int mantissa, int bias) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const int exponent_bits = 15 - mantissa;
  const uint16_t infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << mantissa);
  if (std::isnan(value)) return sign | infinity | static_cast<uint16_t>(1 << (mantissa - 1));
  if (std::isinf(value)) return sign | infinity;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);             // magnitude = f * 2^exponent, f in [0.5, 1)
  exponent = std::max(exponent - 1, 1 - bias);  // subnormals share the least exponent
  const double scaled = std::ldexp(magnitude, mantissa - exponent);
  const double rounded = std::nearbyint(scaled);  // default rounding mode: to nearest even
  int64_t bits = static_cast<int64_t>(rounded);
  bits += static_cast<int64_t>(exponent + bias - 1) << mantissa;  // a carry moves into the exponent by itself
  return sign | (bits >= infinity ? infinity : static_cast<uint16_t>(bits));
}

double valueOf16(uint16_t bits, int mantissa, int bias) {
  const int exponent_bits = 15 - mantissa;
  const int exponent = (bits >> mantissa) & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << mantissa) - 1);
  double value;
  if (exponent == (1 << exponent_bits) - 1) {
    value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, 1 - bias - mantissa);
  } else {
    value = std::ldexp(fraction + (1 << mantissa), exponent - bias - mantissa);
  }
  return bits & 0x8000 ? -value : value;
}

template <class T>
T as(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

std::string_view name(ElementType type) { return row(type).name; }

std::optional<ElementType> elementType(std::string_view name) {
  for (const Row& entry : kRows)
    if (entry.name == name) return entry.type;
  return std::nullopt;
}

int64_t byteSize(ElementType type) { return row(type).size; }
bool isFloat(ElementType type) { return row(type).is_float; }
bool isSigned(ElementType type) { return row(type).is_signed; }

__int128 lowest(ElementType type) {
  return isSigned(type) ? -(static_cast<__int128>(1) << (8 * byteSize(type) - 1)) : __int128{0};
}

__int128 highest(ElementType type) {
  if (type == ElementType::Bool) return 1;
  return (static_cast<__int128>(1) << (8 * byteSize(type) - (isSigned(type) ? 1 : 0))) - 1;
}

uint16_t halfBits(double value) { return roundTo16(value, 10, 15); }
uint16_t bfloatBits(double value) { return roundTo16(value, 7, 127); }
double halfValue(uint16_t bits) { return valueOf16(bits, 10, 15); }
double bfloatValue(uint16_t bits) { return valueOf16(bits, 7, 127); }

void storeElement(ElementType type, double value, uint8_t* at) {
  if (!isFloat(type)) return storeElement(type, static_cast<int64_t>(value), at);
  const float single = static_cast<float>(value);
  const uint16_t bits = type == ElementType::F16 ? halfBits(value) : type == ElementType::BF16 ? bfloatBits(value) : 0;
  if (type == ElementType::F64) {
    std::memcpy(at, &value, 8);
  } else if (type == ElementType::F32) {
    std::memcpy(at, &single, 4);
  } else {
    std::memcpy(at, &bits, 2);
  }
}

void storeElement(ElementType type, int64_t value, uint8_t* at) {
  if (isFloat(type)) return storeElement(type, static_cast<double>(value), at);
  std::memcpy(at, &value, byteSize(type));  // little endian: the low bytes come first
}

double loadElement(ElementType type, const uint8_t* at) {
  switch (type) {
    case ElementType::F32:
      return as<float>(at);
    case ElementType::F16:
      return halfValue(as<uint16_t>(at));
    case ElementType::BF16:
      return bfloatValue(as<uint16_t>(at));
    case ElementType::F64:
      return as<double>(at);
    case ElementType::I8:
      return as<int8_t>(at);
    case ElementType::Bool:
    case ElementType::U8:
      return *at;
    case ElementType::I16:
      return as<int16_t>(at);
    case ElementType::U16:
      return as<uint16_t>(at);
    case ElementType::I32:
      return as<int32_t>(at);
    case ElementType::U32:
      return as<uint32_t>(at);
    case ElementType::I64:
      return static_cast<double>(as<int64_t>(at));
    case ElementType::U64:
      return static_cast<double>(as<uint64_t>(at));
  }
  NP_CHECK(false);
}

}  // namespace np::kernel_port::launch
