// Storage types by hand-written bit arithmetic, so that results do not depend on the host compiler's half support.
#include "runtime/tile/convert.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace np::tile {
namespace {

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void write(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <class T>
T saturate(float value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(static_cast<double>(value));
  if (rounded <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (rounded >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

// Calls f(T{}) with the C++ type of an integer dtype; false for the float types.
template <class F>
bool withIntegerType(Dtype dtype, F f) {
  switch (dtype) {
    case Dtype::kI32:
      return f(int32_t{}), true;
    case Dtype::kU32:
      return f(uint32_t{}), true;
    case Dtype::kI16:
      return f(int16_t{}), true;
    case Dtype::kU16:
      return f(uint16_t{}), true;
    case Dtype::kI8:
      return f(int8_t{}), true;
    case Dtype::kU8:
      return f(uint8_t{}), true;
    default:
      return false;
  }
}

template <class T, class To, class Convert>
void loadLoop(const std::byte* from, int64_t step, int64_t count, To* to, Convert convert) {
  for (int64_t i = 0; i < count; ++i) to[i] = convert(read<T>(from + i * step * int64_t{sizeof(T)}));
}

template <class T, class From, class Convert>
void storeLoop(const From* from, int64_t count, std::byte* to, int64_t step, Convert convert) {
  for (int64_t i = 0; i < count; ++i) write<T>(to + i * step * int64_t{sizeof(T)}, convert(from[i]));
}

}  // namespace

float halfToFloat(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const uint32_t exponent = (bits >> 10) & 0x1f, mantissa = bits & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

uint16_t floatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // rounds to 65536 or more
  if (magnitude < 0x38800000u) {                        // below 2^-14: a multiple of 2^-24
    const double scaled = std::nearbyint(std::ldexp(static_cast<double>(std::abs(value)), 24));
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(scaled));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

float bfloatToFloat(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

uint16_t floatToBfloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

void loadAsFloat(Dtype dtype, const std::byte* from, int64_t step, int64_t count, float* to) {
  if (dtype == Dtype::kF32 && step == 1) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
  } else if (dtype == Dtype::kF32) {
    loadLoop<float>(from, step, count, to, [](float v) { return v; });
  } else if (dtype == Dtype::kF16) {
    loadLoop<uint16_t>(from, step, count, to, halfToFloat);
  } else if (dtype == Dtype::kBf16) {
    loadLoop<uint16_t>(from, step, count, to, bfloatToFloat);
  } else {
    withIntegerType(dtype, [&](auto type) {
      loadLoop<decltype(type)>(from, step, count, to, [](auto v) { return static_cast<float>(v); });
    });
  }
}

void storeFromFloat(Dtype dtype, const float* from, int64_t count, std::byte* to, int64_t step) {
  if (dtype == Dtype::kF32 && step == 1) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
  } else if (dtype == Dtype::kF32) {
    storeLoop<float>(from, count, to, step, [](float v) { return v; });
  } else if (dtype == Dtype::kF16) {
    storeLoop<uint16_t>(from, count, to, step, floatToHalf);
  } else if (dtype == Dtype::kBf16) {
    storeLoop<uint16_t>(from, count, to, step, floatToBfloat);
  } else {
    withIntegerType(dtype, [&](auto type) {
      using T = decltype(type);
      storeLoop<T>(from, count, to, step, saturate<T>);
    });
  }
}

void loadAsInteger(Dtype dtype, const std::byte* from, int64_t step, int64_t count, int64_t* to) {
  withIntegerType(dtype, [&](auto type) {
    loadLoop<decltype(type)>(from, step, count, to, [](auto v) { return static_cast<int64_t>(v); });
  });
}

void storeFromInteger(Dtype dtype, const int64_t* from, int64_t count, std::byte* to, int64_t step) {
  withIntegerType(dtype, [&](auto type) {
    using T = decltype(type);
    storeLoop<T>(from, count, to, step, [](int64_t v) { return static_cast<T>(static_cast<uint64_t>(v)); });
  });
}

}  // namespace np::tile
