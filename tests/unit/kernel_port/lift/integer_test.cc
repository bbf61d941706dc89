// Integer data: formulas are about numbers, machine integers wrap. Where the two could differ nothing may be lifted.
#include <gtest/gtest.h>

#include "kernel_port/spec/text.h"
#include "lift_helpers.h"

namespace np::kernel_port::lift {
namespace {

// y[i] = value, with i32 a, u8 b, i8 c and u32 d, whose contents never reach the values that wrap.
Result<LiftResult> liftValue(const std::string& name, const std::string& value) {
  std::string source =
      "__global__ void k(const int* a, const unsigned char* b, const signed char* c, const unsigned* d, float* y, int "
      "n) "
      "{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = " +
      value + ";\n}\n";
  std::string buffers;
  for (auto [buffer, type] : {std::pair{"a", "i32"}, {"b", "u8"}, {"c", "i8"}, {"d", "u32"}})
    buffers += std::string("\"") + buffer + R"json(": {"type": ")json" + type +
               R"json(", "extent": ["n"], "role": "in", "init": {"kind": "randint", "low": 0, "high": 40}}, )json";
  return liftText("integer_" + name, source,
                  R"json({"version": 1, "source": "kernel.cu",
    "sizes": {"names": ["n"], "cases": [[67], [131]], "where": ["n >= 1"]}, "buffers": {)json" +
                      buffers + R"json("y": {"type": "f32", "extent": ["n"], "role": "out"}}, "scalars": {},
    "launches": [{"kernel": "k", "grid": ["ceildiv(n,64)", "1", "1"], "block": ["64", "1", "1"], "shared": "0",
                  "args": ["a", "b", "c", "d", "y", "n"]}]})json");
}

struct Case {
  const char* name;
  const char* value;
  const char* formula;  // nullptr: refused
};

class Integer : public testing::TestWithParam<Case> {};

TEST_P(Integer, IsTheNumberOrRefused) {
  Result<LiftResult> lifted = liftValue(GetParam().name, GetParam().value);
  if (GetParam().formula != nullptr) {
    ASSERT_TRUE(lifted.ok()) << lifted.error().text();
    EXPECT_EQ(spec::printFormulas(lifted->spec), std::string("y[i in n] = ") + GetParam().formula + "\n");
  } else {
    ASSERT_FALSE(lifted.ok()) << spec::printFormulas(lifted->spec);
    EXPECT_EQ(lifted.error().code, "NPT2904");
  }
}

constexpr Case kCases[] = {
    {"signed", "(float)a[i]", "f32(a[i])"},
    {"narrow", "(float)(b[i] + c[i])", "f32(i32(c[i]) + i32(b[i]))"},
    {"shifted", "(float)(a[i] >> 1)", "f32(shr(a[i], 1))"},
    {"masked", "(float)(a[i] & 7)", "f32(bitand(7, a[i]))"},
    {"at_most", "(float)min(a[i], 7)", "f32(where(7 < a[i], 7, a[i]))"},
    {"unsigned_in_range", "(float)((unsigned)b[i] / 3u)", "f32(idiv(i32(b[i]), 3))"},
    {"truncated", "(float)(unsigned char)a[i]", nullptr},
    {"made_unsigned", "(float)(unsigned)a[i]", nullptr},
    {"made_signed", "(float)(int)d[i]", nullptr},
    {"byte_sign", "(float)(signed char)b[i]", nullptr},
    {"sum_in_a_byte", "(float)(unsigned char)(b[i] + b[i])", nullptr},
    {"product_in_16_bits", "(float)(short)(a[i] * 3)", nullptr},
    {"hash", "(float)(d[i] * 2654435761u)", nullptr},
    {"unsigned_quotient", "(float)((unsigned)a[i] / 3u)", nullptr},
    {"unsigned_remainder", "(float)((unsigned)a[i] % 5u)", nullptr},
    {"signed_order_of_unsigned", "(int)d[i] < 5 ? 1.0f : 2.0f", nullptr},
};

INSTANTIATE_TEST_SUITE_P(Values, Integer, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace np::kernel_port::lift
