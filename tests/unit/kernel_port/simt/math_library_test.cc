// Functions of numbers: special values, roundings, saturation, 16-bit fused multiply-add, integer intrinsics.

#include "kernel_port/simt/math_library.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "kernel_port/launch/element_type.h"

namespace np::kernel_port::simt {
namespace {

uint64_t bits(float x) { return std::bit_cast<uint32_t>(x); }
uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }
float f32(uint64_t x) { return std::bit_cast<float>(static_cast<uint32_t>(x)); }
double f64(uint64_t x) { return std::bit_cast<double>(x); }

double call(std::string_view name, double a, double b = 0) {
  const MathFunction function = mathFunction(name, FloatType::F64, 'n');
  EXPECT_NE(function, nullptr) << name;
  return f64(function(bits(a), bits(b), 0, 0));
}

TEST(MathLibrary, EveryKnownNameHasAFunction) {
  for (const char* name : {"acos", "exp10", "cyl_bessel_i1", "erfcinv", "erfinv", "normcdfinv", "rcbrt", "rsqrt",
                           "sinpi", "tanpi", "y1", "rhypot", "nextafter", "norm4d", "ldexp", "llrint", "saturate"}) {
    EXPECT_TRUE(isMathFunction(name)) << name;
    EXPECT_NE(mathFunction(name, FloatType::F32, 'n'), nullptr) << name;
    EXPECT_NE(mathFunction(name, FloatType::F64, 'n'), nullptr) << name;
  }
  EXPECT_EQ(mathFunction("no_such", FloatType::F32, 'n'), nullptr);
  EXPECT_EQ(mathFunction("exp", FloatType::F32, 'z'), nullptr);
}

TEST(MathLibrary, InversesAndHalfTurns) {
  for (double y : {-0.999999, -0.7, -1e-3, 0.0, 1e-12, 0.3, 0.9, 0.9999999}) {
    EXPECT_NEAR(std::erf(call("erfinv", y)), y, 1e-14 + 1e-14 * std::fabs(y));
  }
  for (double y : {1e-12, 1e-3, 0.4, 1.0, 1.5, 1.999}) EXPECT_NEAR(std::erfc(call("erfcinv", y)) / y, 1, 1e-13);
  EXPECT_EQ(call("erfcinv", 0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(call("erfinv", 1.5)));
  EXPECT_EQ(call("sinpi", 1.0), 0.0);
  EXPECT_EQ(call("sinpi", 0.5), 1.0);
  EXPECT_EQ(call("cospi", 1e15 + 0.5), 0.0);
  EXPECT_EQ(call("cospi", 3.0), -1.0);
  for (double x = -3; x < 3; x += 0.07) {
    EXPECT_NEAR(call("sinpi", x), std::sin(M_PI * x), 1e-14);
    EXPECT_NEAR(call("cospi", x), std::cos(M_PI * x), 1e-14);
  }
}

TEST(MathLibrary, DirectedRounding) {
  const auto add = [](char mode, float a, float b) {
    return f32(mathFunction("add", FloatType::F32, mode)(bits(a), bits(b), 0, 0));
  };
  EXPECT_EQ(add('u', 1, 1e-9f), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(add('d', 1, 1e-9f), 1.0f);
  EXPECT_EQ(add('z', -1, -1e-9f), -1.0f);
  EXPECT_EQ(add('d', -1, -1e-9f), std::nextafter(-1.0f, -2.0f));
  const auto third = mathFunction("rcp", FloatType::F64, 'u');
  EXPECT_EQ(f64(third(bits(3.0), 0, 0, 0)), std::nextafter(1.0 / 3, 1.0));
  EXPECT_EQ(f32(convert(FloatType::F64, FloatType::F32, 'u')(bits(1.0 + 1e-12), 0, 0, 0)), std::nextafter(1.0f, 2.0f));
}

TEST(MathLibrary, ConversionsSaturate) {
  const auto toInt = toInteger(FloatType::F32, 32, true, 'z');
  EXPECT_EQ(toInt(bits(3e9f), 0, 0, 0), 0x7fffffffu);
  EXPECT_EQ(toInt(bits(-3e9f), 0, 0, 0), 0x80000000u);
  EXPECT_EQ(toInt(bits(std::nanf("")), 0, 0, 0), 0u);
  EXPECT_EQ(toInt(bits(-1.9f), 0, 0, 0), 0xffffffffu);
  EXPECT_EQ(toInteger(FloatType::F32, 64, true, 'z')(bits(1e19f), 0, 0, 0), uint64_t{INT64_MAX});
  EXPECT_EQ(toInteger(FloatType::F64, 32, false, 'u')(bits(2.1), 0, 0, 0), 3u);
  EXPECT_EQ(toInteger(FloatType::F64, 32, true, 'n')(bits(2.5), 0, 0, 0), 2u);
  // 2^53 + 1 and a sticky bit far below: one rounding to half precision, not two.
  EXPECT_EQ(fromInteger(FloatType::BF16, false, 'n')(0x8080000000000001u, 0, 0, 0), 0x5f01u);
  EXPECT_EQ(f32(fromInteger(FloatType::F32, true, 'z')(static_cast<uint64_t>(-16777217), 0, 0, 0)), -16777216.0f);
}

TEST(MathLibrary, FusedMultiplyAddOfHalvesRoundsOnce) {
  const MathFunction fma = mathFunction("fma", FloatType::F16, 'n');
  using launch::halfBits;
  // 1 + 2^-11 is a tie; the tiny product decides it.
  EXPECT_EQ(fma(halfBits(0x1p-14), halfBits(0x1p-14), halfBits(1.0), 0), halfBits(1.0));
  EXPECT_EQ(fma(halfBits(1 + 0x1p-10), halfBits(1 + 0x1p-10), halfBits(-1.0), 0), halfBits(0x1p-9 + 0x1p-20));
  const MathFunction bfma = mathFunction("fma", FloatType::BF16, 'n');
  using launch::bfloatBits;
  EXPECT_EQ(bfma(bfloatBits(1 + 0x1p-7), bfloatBits(0x1p-8), bfloatBits(1.0), 0), bfloatBits(1 + 0x1p-7));
}

TEST(IntFunctions, WidthsAndOverflow) {
  const auto of = [](DeviceOp op, uint64_t a, uint64_t b, uint64_t c, uint64_t width) {
    return intFunction(op)(a, b, c, width);
  };
  EXPECT_EQ(of(DeviceOp::LeadingZeros, 1, 0, 0, 32), 31u);
  EXPECT_EQ(of(DeviceOp::TrailingZeros, 0, 0, 0, 16), 16u);
  EXPECT_EQ(of(DeviceOp::BitReverse, 1, 0, 0, 8), 128u);
  EXPECT_EQ(of(DeviceOp::ByteSwap, 0x1234, 0, 0, 16), 0x3412u);
  EXPECT_EQ(of(DeviceOp::Abs, 0xff, 0, 0, 8), 1u);
  EXPECT_EQ(of(DeviceOp::SMax, 0xff, 1, 0, 8), 1u);
  EXPECT_EQ(of(DeviceOp::FunnelRight, 1, 0, 1, 32), 0x80000000u);
  EXPECT_EQ(of(DeviceOp::SAddSat, 0x7f, 1, 0, 8), 0x7fu);
  EXPECT_EQ(of(DeviceOp::USubSat, 1, 2, 0, 8), 0u);
  EXPECT_EQ(overflowFunction(DeviceOp::SMulOverflow)(0x80, 0xff, 0, 8), 1u);
  EXPECT_EQ(overflowFunction(DeviceOp::UMulOverflow)(~uint64_t{0}, 2, 0, 64), 1u);
  EXPECT_EQ(overflowFunction(DeviceOp::USubOverflow)(2, 2, 0, 32), 0u);
}

}  // namespace
}  // namespace np::kernel_port::simt
