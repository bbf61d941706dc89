// Element types. Rounding goes through double: every f32, f16 and bf16 value is exact there, and rounding a double
// result of + - * / sqrt to f32 is the correctly rounded f32 result (53 >= 2*24 + 2). Integers of 64 bits are exact
// only below 2^53; the evaluator says so.
#include "kernel_port/spec/dtype.h"

#include <cmath>

namespace np::kernel_port::spec {
namespace {

struct Row {
  std::string_view name;
  int bytes;
  int mantissa;  // explicit plus hidden bits of a float; bits of an integer
  bool is_float;
  bool is_signed;
};

constexpr Row kRows[] = {
    {"f32", 4, 24, true, true},   {"f16", 2, 11, true, true},   {"bf16", 2, 8, true, true},
    {"f64", 8, 53, true, true},   {"i8", 1, 8, false, true},    {"u8", 1, 8, false, false},
    {"i16", 2, 16, false, true},  {"u16", 2, 16, false, false}, {"i32", 4, 32, false, true},
    {"u32", 4, 32, false, false}, {"i64", 8, 64, false, true},  {"u64", 8, 64, false, false},
    {"bool", 1, 1, false, false},
};

const Row& row(DType type) { return kRows[static_cast<int>(type)]; }

// Rounds to `bits` of mantissa with the exponent range of the type: f16 ends at 65504 and denormals at 2^-24.
double roundSmallFloat(double value, int bits, int min_exponent, double largest) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int quantum = std::max(exponent - bits, min_exponent);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  return std::fabs(rounded) > largest ? std::copysign(INFINITY, value) : rounded;
}

double wrapInteger(double value, int bits, bool is_signed) {
  if (!std::isfinite(value)) return 0;
  value = std::trunc(value);
  if (bits == 64) return value;
  const double span = std::ldexp(1.0, bits);
  double wrapped = std::fmod(value, span);
  if (wrapped < 0) wrapped += span;
  if (is_signed && wrapped >= span / 2) wrapped -= span;
  return wrapped;
}

}  // namespace

std::string_view dtypeName(DType type) { return row(type).name; }

std::optional<DType> dtypeFromName(std::string_view name) {
  for (int i = 0; i < static_cast<int>(std::size(kRows)); ++i) {
    if (kRows[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

bool isFloat(DType type) { return row(type).is_float; }

int dtypeBytes(DType type) { return row(type).bytes; }

double unitRoundoff(DType type) { return isFloat(type) ? std::ldexp(1.0, -row(type).mantissa) : 0.0; }

double roundToType(double value, DType type) {
  switch (type) {
    case DType::F64:
      return value;
    case DType::F32:
      return static_cast<float>(value);
    case DType::F16:
      return roundSmallFloat(value, 11, -24, 65504.0);
    case DType::Bf16:
      return roundSmallFloat(value, 8, -133, 3.3895313892515355e38);
    case DType::Bool:
      return value != 0 ? 1.0 : 0.0;
    default:
      return wrapInteger(value, row(type).mantissa, row(type).is_signed);
  }
}

}  // namespace np::kernel_port::spec
