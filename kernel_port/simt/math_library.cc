// Math functions as the host's libm computes them, each in its own precision (expf is std::exp of float). Those libm
// lacks are built from it in double: rsqrt, sinpi, erfinv and so on. Halves have no table of their own: the compiler
// converts them to float and back, which is one rounding for + - * / sqrt, since float has more than twice their digits
// plus two; only fma needs care.

#include "kernel_port/simt/math_library.h"

#include <bit>
#include <cmath>
#include <limits>

#include "kernel_port/launch/element_type.h"

namespace np::kernel_port::simt {
namespace {

float f32(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
double f64(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

template <class Float>
Float as(uint64_t value) {
  if constexpr (sizeof(Float) == 4) {
    return f32(value);
  } else {
    return f64(value);
  }
}

constexpr double kPi = 3.14159265358979323846;

double rsqrt(double x) { return 1.0 / std::sqrt(x); }
double rcbrt(double x) { return 1.0 / std::cbrt(x); }

// Reduced exactly to [-1/2, 1/2] half turns before pi comes in.
double sinpi(double x) {
  double r = std::fmod(x, 2.0);
  if (r > 1) r -= 2;
  if (r < -1) r += 2;
  if (r > 0.5) r = 1 - r;
  if (r < -0.5) r = -1 - r;
  return r == 0 ? std::copysign(0.0, x) : std::sin(kPi * r);
}
double cospi(double x) {
  const double r = std::fmod(std::fabs(x), 2.0);
  return r == 0.5 || r == 1.5 ? 0.0 : r < 0.25 || r > 1.75 ? std::cos(kPi * r) : sinpi(0.5 - (r > 1 ? 2 - r : r));
}
double tanpi(double x) { return sinpi(x) / cospi(x); }

// Newton's method from a rational start; the error function is libm's.
double erfcinv(double y) {
  if (!(y >= 0 && y <= 2)) return std::numeric_limits<double>::quiet_NaN();
  if (y == 0) return std::numeric_limits<double>::infinity();
  if (y == 2) return -std::numeric_limits<double>::infinity();
  const double p = y < 1 ? y : 2 - y;
  const double t = std::sqrt(-2 * std::log(p / 2));
  double x = -0.70711 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
  for (int step = 0; step < 4; ++step) {
    const double error = std::erfc(x) - p;
    x += error / (1.12837916709551257 * std::exp(-x * x) - x * error);
  }
  return y < 1 ? x : -x;
}
double erfinv(double y) {
  if (y == 0) return y;
  if (std::fabs(y) > 0.5) return erfcinv(1 - y);
  double x = y * 0.886226925452758;
  for (int step = 0; step < 6; ++step) {
    const double error = std::erf(x) - y;
    x -= error / (1.12837916709551257 * std::exp(-x * x) + x * error);
  }
  return x;
}
double erfcx(double x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  const double s = 1 / (x * x);
  return 0.56418958354775628695 / x * (1 - s * (0.5 - s * (0.75 - s * 1.875)));
}
double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2 * p); }
double besselI0(double x) { return std::cyl_bessel_i(0.0, std::fabs(x)); }
double besselI1(double x) { return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x); }

template <class Float>
Float saturate(Float x) {
  return x > 0 ? (x < 1 ? x : Float{1}) : Float{0};  // NaN gives 0
}
template <class Float>
Float minimum(Float a, Float b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Float>::quiet_NaN();
  return a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
template <class Float>
Float maximum(Float a, Float b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Float>::quiet_NaN();
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}

// A NaN loses, and -0 is smaller than +0 (the host's fmax may give either zero).
template <class Float>
Float greater(Float a, Float b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
}
template <class Float>
Float smaller(Float a, Float b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
}

struct Row {
  std::string_view name;
  MathFunction f32, f64;
};

// E may use a, b, c of type Float and the raw operands ra, rb.
#define NP_ROW(name, E)                                                                            \
  Row {                                                                                            \
    name,                                                                                          \
        [](uint64_t ra, uint64_t rb, uint64_t rc, uint64_t rd) -> uint64_t {                       \
          return body(std::type_identity<float>{}, ra, rb, rc, rd,                                 \
                      [](auto a, auto b, auto c, auto d, uint64_t na, uint64_t nb) { return E; }); \
        },                                                                                         \
        [](uint64_t ra, uint64_t rb, uint64_t rc, uint64_t rd) -> uint64_t {                       \
          return body(std::type_identity<double>{}, ra, rb, rc, rd,                                \
                      [](auto a, auto b, auto c, auto d, uint64_t na, uint64_t nb) { return E; }); \
        }                                                                                          \
  }

template <class Float, class Function>
uint64_t body(std::type_identity<Float>, uint64_t ra, uint64_t rb, uint64_t rc, uint64_t rd, Function function) {
  const auto result = function(as<Float>(ra), as<Float>(rb), as<Float>(rc), as<Float>(rd), ra, rb);
  if constexpr (std::is_integral_v<decltype(result)>) {
    return static_cast<uint64_t>(result);
  } else {
    return bits(static_cast<Float>(result));  // functions that exist in double only are rounded once more
  }
}

int asInt(uint64_t value) { return static_cast<int>(static_cast<uint32_t>(value)); }

const Row kRows[] = {
    NP_ROW("acos", std::acos(a)),
    NP_ROW("acosh", std::acosh(a)),
    NP_ROW("asin", std::asin(a)),
    NP_ROW("asinh", std::asinh(a)),
    NP_ROW("atan", std::atan(a)),
    NP_ROW("atanh", std::atanh(a)),
    NP_ROW("cbrt", std::cbrt(a)),
    NP_ROW("ceil", std::ceil(a)),
    NP_ROW("cos", std::cos(a)),
    NP_ROW("cosh", std::cosh(a)),
    NP_ROW("erf", std::erf(a)),
    NP_ROW("erfc", std::erfc(a)),
    NP_ROW("exp", std::exp(a)),
    NP_ROW("exp2", std::exp2(a)),
    NP_ROW("expm1", std::expm1(a)),
    NP_ROW("exp10", std::pow(10.0, static_cast<double>(a))),
    NP_ROW("fabs", std::fabs(a)),
    NP_ROW("floor", std::floor(a)),
    NP_ROW("lgamma", std::lgamma(a)),
    NP_ROW("log", std::log(a)),
    NP_ROW("log10", std::log10(a)),
    NP_ROW("log1p", std::log1p(a)),
    NP_ROW("log2", std::log2(a)),
    NP_ROW("logb", std::logb(a)),
    NP_ROW("nearbyint", std::nearbyint(a)),
    NP_ROW("rint", std::rint(a)),
    NP_ROW("round", std::round(a)),
    NP_ROW("sin", std::sin(a)),
    NP_ROW("sinh", std::sinh(a)),
    NP_ROW("sqrt", std::sqrt(a)),
    NP_ROW("tan", std::tan(a)),
    NP_ROW("tanh", std::tanh(a)),
    NP_ROW("tgamma", std::tgamma(a)),
    NP_ROW("trunc", std::trunc(a)),
    NP_ROW("cospi", cospi(a)),
    NP_ROW("sinpi", sinpi(a)),
    NP_ROW("tanpi", tanpi(a)),
    NP_ROW("cyl_bessel_i0", besselI0(a)),
    NP_ROW("cyl_bessel_i1", besselI1(a)),
    NP_ROW("erfcinv", erfcinv(a)),
    NP_ROW("erfinv", erfinv(a)),
    NP_ROW("erfcx", erfcx(a)),
    NP_ROW("normcdf", normcdf(a)),
    NP_ROW("normcdfinv", normcdfinv(a)),
    NP_ROW("j0", ::j0(a)),
    NP_ROW("j1", ::j1(a)),
    NP_ROW("y0", ::y0(a)),
    NP_ROW("y1", ::y1(a)),
    NP_ROW("rcbrt", rcbrt(a)),
    NP_ROW("rsqrt", rsqrt(a)),
    NP_ROW("atan2", std::atan2(a, b)),
    NP_ROW("copysign", std::copysign(a, b)),
    NP_ROW("fdim", std::fdim(a, b)),
    NP_ROW("fmax", greater(a, b)),
    NP_ROW("fmin", smaller(a, b)),
    NP_ROW("minimum", minimum(a, b)),
    NP_ROW("maximum", maximum(a, b)),
    NP_ROW("fmod", std::fmod(a, b)),
    NP_ROW("hypot", std::hypot(a, b)),
    NP_ROW("nextafter", std::nextafter(a, b)),
    NP_ROW("pow", std::pow(a, b)),
    NP_ROW("remainder", std::remainder(a, b)),
    NP_ROW("rhypot", 1.0 / std::hypot(static_cast<double>(a), static_cast<double>(b))),
    NP_ROW("fma", std::fma(a, b, c)),
    NP_ROW("norm3d", std::sqrt(double(a) * a + double(b) * b + double(c) * c)),
    NP_ROW("rnorm3d", rsqrt(double(a) * a + double(b) * b + double(c) * c)),
    NP_ROW("norm4d", std::sqrt(double(a) * a + double(b) * b + double(c) * c + double(d) * d)),
    NP_ROW("rnorm4d", rsqrt(double(a) * a + double(b) * b + double(c) * c + double(d) * d)),
    NP_ROW("ldexp", std::ldexp(a, asInt(nb))),
    NP_ROW("scalbn", std::scalbn(a, asInt(nb))),
    NP_ROW("scalbln", std::scalbln(a, static_cast<long>(nb))),
    NP_ROW("jn", ::jn(asInt(na), b)),
    NP_ROW("yn", ::yn(asInt(na), b)),
    NP_ROW("ilogb", std::ilogb(a)),
    NP_ROW("llrint", std::llrint(a)),
    NP_ROW("llround", std::llround(a)),
    NP_ROW("lrint", std::lrint(a)),
    NP_ROW("lround", std::lround(a)),
    NP_ROW("saturate", saturate(a)),
    NP_ROW("fdividef", a / b),
    NP_ROW("add", a + b),
    NP_ROW("sub", a - b),
    NP_ROW("mul", a* b),
    NP_ROW("div", a / b),
    NP_ROW("rcp", 1 / a),
    NP_ROW("frexp.0",
           [&] {
             int e = 0;
             return std::frexp(a, &e);
           }()),
    NP_ROW("frexp.1",
           [&] {
             int e = 0;
             std::frexp(a, &e);
             return static_cast<uint32_t>(e);
           }()),
    NP_ROW("modf.0",
           [&] {
             decltype(a) whole = 0;
             return std::modf(a, &whole);
           }()),
    NP_ROW("modf.1", std::trunc(a)),
    NP_ROW("remquo.0",
           [&] {
             int q = 0;
             return std::remquo(a, b, &q);
           }()),
    NP_ROW("remquo.1",
           [&] {
             int q = 0;
             std::remquo(a, b, &q);
             return static_cast<uint32_t>(q);
           }()),
    NP_ROW("sincos.0", std::sin(a)),
    NP_ROW("sincos.1", std::cos(a)),
    NP_ROW("sincospi.0", sinpi(a)),
    NP_ROW("sincospi.1", cospi(a)),
};
#undef NP_ROW

MathFunction find(std::string_view name, FloatType type) {
  for (const Row& row : kRows)
    if (row.name == name) return type == FloatType::F64 ? row.f64 : row.f32;
  return nullptr;
}

// Fused multiply-add of a 16-bit format: the product is exact in double; the sum is rounded to odd there, so that the
// last rounding sees which side of a tie it was on.
double fusedOdd(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  const double back = sum - product, error = (product - (sum - back)) + (c - back);
  if (error == 0 || !std::isfinite(sum) || (std::bit_cast<uint64_t>(sum) & 1)) return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}
uint64_t fmaHalf(uint64_t a, uint64_t b, uint64_t c, uint64_t) {
  using launch::halfValue;
  return launch::halfBits(fusedOdd(halfValue(a), halfValue(b), halfValue(c)));
}
uint64_t fmaBfloat(uint64_t a, uint64_t b, uint64_t c, uint64_t) {
  using launch::bfloatValue;
  return launch::bfloatBits(fusedOdd(bfloatValue(a), bfloatValue(b), bfloatValue(c)));
}

}  // namespace

MathFunction directedFunction(std::string_view function, FloatType type, char rounding);  // directed_math.cc

MathFunction mathFunction(std::string_view function, FloatType type, char rounding) {
  if (type == FloatType::F16) return function == "fma" && rounding == 'n' ? fmaHalf : nullptr;
  if (type == FloatType::BF16) return function == "fma" && rounding == 'n' ? fmaBfloat : nullptr;
  return rounding == 'n' ? find(function, type) : directedFunction(function, type, rounding);
}

MathFunction pointerMathPart(std::string_view function, FloatType type, int part) {
  return find(std::string(function) + (part ? ".1" : ".0"), type);
}

}  // namespace np::kernel_port::simt
