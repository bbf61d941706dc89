// Arithmetic with a directed rounding mode, and conversions between number formats.
// The mode is set around a single operation on volatile operands, so that the compiler can neither fold nor move it.

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "kernel_port/launch/element_type.h"
#include "kernel_port/simt/math_library.h"

namespace np::kernel_port::simt {
namespace {

template <class Float>
Float as(uint64_t value) {
  if constexpr (sizeof(Float) == 4) {
    return std::bit_cast<float>(static_cast<uint32_t>(value));
  } else {
    return std::bit_cast<double>(value);
  }
}
uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

constexpr int modeOf(char rounding) {
  return rounding == 'z' ? FE_TOWARDZERO : rounding == 'd' ? FE_DOWNWARD : rounding == 'u' ? FE_UPWARD : FE_TONEAREST;
}

enum class Kind { Add, Sub, Mul, Div, Rcp, Sqrt, Fma };

template <class Float, char kRounding, Kind kKind>
uint64_t directed(uint64_t ra, uint64_t rb, uint64_t rc, uint64_t) {
  volatile Float a = as<Float>(ra), b = as<Float>(rb), c = as<Float>(rc), result = 0;
  std::fesetround(modeOf(kRounding));
  if constexpr (kKind == Kind::Add) result = a + b;
  if constexpr (kKind == Kind::Sub) result = a - b;
  if constexpr (kKind == Kind::Mul) result = a * b;
  if constexpr (kKind == Kind::Div) result = a / b;
  if constexpr (kKind == Kind::Rcp) result = Float{1} / a;
  if constexpr (kKind == Kind::Sqrt) result = std::sqrt(a);
  if constexpr (kKind == Kind::Fma) result = std::fma(a, b, c);
  std::fesetround(FE_TONEAREST);
  return bits(static_cast<Float>(result));
}

template <class Float, char kRounding>
MathFunction byName(std::string_view function) {
  if (function == "add") return directed<Float, kRounding, Kind::Add>;
  if (function == "sub") return directed<Float, kRounding, Kind::Sub>;
  if (function == "mul") return directed<Float, kRounding, Kind::Mul>;
  if (function == "div") return directed<Float, kRounding, Kind::Div>;
  if (function == "rcp") return directed<Float, kRounding, Kind::Rcp>;
  if (function == "sqrt") return directed<Float, kRounding, Kind::Sqrt>;
  if (function == "fma") return directed<Float, kRounding, Kind::Fma>;
  return nullptr;
}

template <class Float>
MathFunction byRounding(std::string_view function, char rounding) {
  switch (rounding) {
    case 'z':
      return byName<Float, 'z'>(function);
    case 'd':
      return byName<Float, 'd'>(function);
    case 'u':
      return byName<Float, 'u'>(function);
    default:
      return nullptr;
  }
}

template <FloatType kType>
double value(uint64_t raw) {
  if constexpr (kType == FloatType::F64) return as<double>(raw);
  if constexpr (kType == FloatType::F32) return as<float>(raw);
  if constexpr (kType == FloatType::F16) return launch::halfValue(static_cast<uint16_t>(raw));
  if constexpr (kType == FloatType::BF16) return launch::bfloatValue(static_cast<uint16_t>(raw));
}

template <FloatType kType>
uint64_t pattern(double number) {
  if constexpr (kType == FloatType::F64) return bits(number);
  if constexpr (kType == FloatType::F32) return bits(static_cast<float>(number));
  if constexpr (kType == FloatType::F16) return launch::halfBits(number);
  if constexpr (kType == FloatType::BF16) return launch::bfloatBits(number);
}

template <FloatType kType, class Integer, char kRounding>
uint64_t integerOf(uint64_t raw, uint64_t, uint64_t, uint64_t) {
  double number = value<kType>(raw);
  if (std::isnan(number)) return 0;
  number = kRounding == 'z'   ? std::trunc(number)
           : kRounding == 'd' ? std::floor(number)
           : kRounding == 'u' ? std::ceil(number)
                              : std::nearbyint(number);
  constexpr auto kLeast = std::numeric_limits<Integer>::min(), kGreatest = std::numeric_limits<Integer>::max();
  Integer result;
  if (number <= static_cast<double>(kLeast)) {
    result = kLeast;
  } else if (number >= static_cast<double>(kGreatest)) {  // 2^63 - 1 as a double is 2^63, which is already outside
    result = kGreatest;
  } else {
    result = static_cast<Integer>(number);
  }
  return static_cast<uint64_t>(static_cast<std::make_unsigned_t<Integer>>(result));
}

template <FloatType kType, char kRounding>
MathFunction integerByWidth(int width, bool is_signed) {
  switch (width) {
    case 8:
      return is_signed ? integerOf<kType, int8_t, kRounding> : integerOf<kType, uint8_t, kRounding>;
    case 16:
      return is_signed ? integerOf<kType, int16_t, kRounding> : integerOf<kType, uint16_t, kRounding>;
    case 32:
      return is_signed ? integerOf<kType, int32_t, kRounding> : integerOf<kType, uint32_t, kRounding>;
    case 64:
      return is_signed ? integerOf<kType, int64_t, kRounding> : integerOf<kType, uint64_t, kRounding>;
    default:
      return nullptr;
  }
}

template <FloatType kType>
MathFunction integerByRounding(int width, bool is_signed, char rounding) {
  switch (rounding) {
    case 'z':
      return integerByWidth<kType, 'z'>(width, is_signed);
    case 'd':
      return integerByWidth<kType, 'd'>(width, is_signed);
    case 'u':
      return integerByWidth<kType, 'u'>(width, is_signed);
    default:
      return integerByWidth<kType, 'n'>(width, is_signed);
  }
}

template <class Float, bool kSigned, char kRounding>
uint64_t floatOf(uint64_t raw, uint64_t, uint64_t, uint64_t) {
  volatile uint64_t input = raw;
  volatile Float result = 0;
  std::fesetround(modeOf(kRounding));
  if constexpr (kSigned) {
    result = static_cast<Float>(static_cast<int64_t>(input));
  } else {
    result = static_cast<Float>(input);
  }
  std::fesetround(FE_TONEAREST);
  return bits(static_cast<Float>(result));
}

// Integers that do not fit a double exactly would be rounded twice on the way to 16 bits; the sticky bit keeps the
// side.
template <FloatType kType, bool kSigned>
uint64_t narrowFloatOf(uint64_t raw, uint64_t, uint64_t, uint64_t) {
  const bool negative = kSigned && static_cast<int64_t>(raw) < 0;
  uint64_t magnitude = negative ? uint64_t{0} - raw : raw;
  if (magnitude >> 53) magnitude = (magnitude & ~uint64_t{0xfff}) | ((magnitude & 0xfff) ? 0x1000 : 0);
  const auto number = static_cast<double>(magnitude);
  return pattern<kType>(negative ? -number : number);
}

template <class Float, bool kSigned>
MathFunction floatByRounding(char rounding) {
  switch (rounding) {
    case 'z':
      return floatOf<Float, kSigned, 'z'>;
    case 'd':
      return floatOf<Float, kSigned, 'd'>;
    case 'u':
      return floatOf<Float, kSigned, 'u'>;
    default:
      return floatOf<Float, kSigned, 'n'>;
  }
}

template <FloatType kFrom, FloatType kTo>
uint64_t converted(uint64_t raw, uint64_t, uint64_t, uint64_t) {
  return pattern<kTo>(value<kFrom>(raw));
}

template <char kRounding>
uint64_t narrowed(uint64_t raw, uint64_t, uint64_t, uint64_t) {
  volatile double input = as<double>(raw);
  volatile float result = 0;
  std::fesetround(modeOf(kRounding));
  result = static_cast<float>(input);
  std::fesetround(FE_TONEAREST);
  return bits(static_cast<float>(result));
}

// The nearest value, moved by one step where it lies on the wrong side.
template <FloatType kTo, char kRounding>
uint64_t narrowed16(uint64_t raw, uint64_t, uint64_t, uint64_t) {
  const double exact = as<float>(raw);
  auto nearest = static_cast<uint16_t>(pattern<kTo>(exact));
  const double rounded = value<kTo>(nearest);
  const bool down = (kRounding == 'd' && rounded > exact) || (kRounding == 'z' && rounded > exact && exact > 0);
  const bool up = (kRounding == 'u' && rounded < exact) || (kRounding == 'z' && rounded < exact && exact < 0);
  if (!down && !up) return nearest;
  const bool negative = nearest & 0x8000;
  if ((nearest & 0x7fff) == 0) return down ? 0x8001 : 0x0001;  // from a zero to the least value of the other sign
  return static_cast<uint16_t>(nearest + (negative == down ? 1 : -1));
}

template <FloatType kTo>
MathFunction narrow16(char rounding) {
  return rounding == 'z' ? narrowed16<kTo, 'z'> : rounding == 'd' ? narrowed16<kTo, 'd'> : narrowed16<kTo, 'u'>;
}

template <FloatType kFrom>
MathFunction convertTo(FloatType to) {
  switch (to) {
    case FloatType::F32:
      return converted<kFrom, FloatType::F32>;
    case FloatType::F64:
      return converted<kFrom, FloatType::F64>;
    case FloatType::F16:
      return converted<kFrom, FloatType::F16>;
    case FloatType::BF16:
      return converted<kFrom, FloatType::BF16>;
  }
  return nullptr;
}

}  // namespace

MathFunction directedFunction(std::string_view function, FloatType type, char rounding) {
  return type == FloatType::F64 ? byRounding<double>(function, rounding) : byRounding<float>(function, rounding);
}

MathFunction toInteger(FloatType type, int width, bool is_signed, char rounding) {
  switch (type) {
    case FloatType::F32:
      return integerByRounding<FloatType::F32>(width, is_signed, rounding);
    case FloatType::F64:
      return integerByRounding<FloatType::F64>(width, is_signed, rounding);
    case FloatType::F16:
      return integerByRounding<FloatType::F16>(width, is_signed, rounding);
    case FloatType::BF16:
      return integerByRounding<FloatType::BF16>(width, is_signed, rounding);
  }
  return nullptr;
}

MathFunction fromInteger(FloatType type, bool is_signed, char rounding) {
  switch (type) {
    case FloatType::F32:
      return is_signed ? floatByRounding<float, true>(rounding) : floatByRounding<float, false>(rounding);
    case FloatType::F64:
      return is_signed ? floatByRounding<double, true>(rounding) : floatByRounding<double, false>(rounding);
    case FloatType::F16:
      return is_signed ? narrowFloatOf<FloatType::F16, true> : narrowFloatOf<FloatType::F16, false>;
    case FloatType::BF16:
      return is_signed ? narrowFloatOf<FloatType::BF16, true> : narrowFloatOf<FloatType::BF16, false>;
  }
  return nullptr;
}

MathFunction convert(FloatType from, FloatType to, char rounding) {
  if (rounding != 'n') {
    if (from == FloatType::F32 && to == FloatType::F16) return narrow16<FloatType::F16>(rounding);
    if (from == FloatType::F32 && to == FloatType::BF16) return narrow16<FloatType::BF16>(rounding);
    if (from != FloatType::F64 || to != FloatType::F32) return nullptr;
    return rounding == 'z' ? narrowed<'z'> : rounding == 'd' ? narrowed<'d'> : narrowed<'u'>;
  }
  switch (from) {
    case FloatType::F32:
      return convertTo<FloatType::F32>(to);
    case FloatType::F64:
      return convertTo<FloatType::F64>(to);
    case FloatType::F16:
      return convertTo<FloatType::F16>(to);
    case FloatType::BF16:
      return convertTo<FloatType::BF16>(to);
  }
  return nullptr;
}

}  // namespace np::kernel_port::simt
