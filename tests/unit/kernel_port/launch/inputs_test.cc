// Inputs are what their kind promises, depend on seed and name only, and survive .npy.

#include "kernel_port/launch/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "kernel_port/launch/npy.h"

namespace np::kernel_port::launch {
namespace {

std::string launchText(const std::string& type, const std::string& init, const std::string& extent) {
  return R"({"version": 1, "source": "k.cu", "sizes": {"names": ["n"], "cases": [[1000]]}, "buffers": {"x": {"type": ")" +
         type + R"(", "extent": [)" + extent + R"(], "role": "in", "init": )" + init +
         R"(}, "y": {"type": "f32", "extent": ["n"], "role": "out"}},
          "launches": [{"kernel": "k", "grid": ["1"], "block": ["1"], "args": []}]})";
}

Result<std::vector<HostBuffer>> make(const std::string& type, const std::string& init, uint64_t seed = 0,
                                     const std::string& extent = "\"n\"") {
  NP_ASSIGN(LaunchFile file, parseLaunchFile(launchText(type, init, extent), "k.launch.json"));
  NP_ASSIGN(CasePlan plan, planCase(file, {1000}));
  return makeInputs(file, plan, seed);
}

std::vector<double> values(const HostBuffer& buffer) {
  std::vector<double> out;
  for (int64_t k = 0; k < buffer.elements(); ++k)
    out.push_back(loadElement(buffer.type, &buffer.bytes[k * byteSize(buffer.type)]));
  return out;
}

TEST(Inputs, KindsKeepTheirPromise) {
  for (const char* type : {"f32", "f64", "f16", "bf16"}) {
    const auto x = values((*make(type, "\"normal\""))[0]);
    double sum = 0, squares = 0;
    for (double v : x) sum += v, squares += v * v;
    EXPECT_LT(std::fabs(sum / 1000), 0.1) << type;
    EXPECT_NEAR(squares / 1000, 1.0, 0.15) << type;
  }
  for (double v : values((*make("f32", R"({"kind": "uniform", "low": -2, "high": 3})"))[0])) {
    EXPECT_GE(v, -2);
    EXPECT_LE(v, 3);
  }
  const auto ints = values((*make("i32", R"({"kind": "randint", "low": "-2", "high": "n/100"})"))[0]);
  EXPECT_EQ(std::set<double>(ints.begin(), ints.end()).size(), 12u);
  EXPECT_EQ(*std::min_element(ints.begin(), ints.end()), -2);
  EXPECT_EQ(*std::max_element(ints.begin(), ints.end()), 9);

  auto shuffled = values((*make("i64", "\"permutation\""))[0]);
  EXPECT_FALSE(std::is_sorted(shuffled.begin(), shuffled.end()));
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, values((*make("i64", "\"iota\""))[0]));

  const auto offsets = values((*make("i32", R"({"kind": "sorted_offsets", "total": "n"})"))[0]);
  EXPECT_EQ(offsets.front(), 0);
  EXPECT_EQ(offsets.back(), 1000);
  EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
  const auto rows = values((*make("i32", R"({"kind": "sorted_offsets", "total": "n*3", "nonempty": true})"))[0]);
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()), rows.end());
}

TEST(Inputs, DependOnSeedAndNameOnly) {
  const auto first = *make("f32", "\"normal\"");
  EXPECT_EQ(first[0].bytes, (*make("f32", "\"normal\""))[0].bytes);
  EXPECT_NE(first[0].bytes, (*make("f32", "\"normal\"", 1))[0].bytes);
  float value = 0;
  std::memcpy(&value, first[0].bytes.data(), 4);
  EXPECT_FLOAT_EQ(value, 0.24097654f) << "the generator changed: recorded results elsewhere change with it";
  EXPECT_TRUE(std::isnan(values(first[1])[0]));  // out starts undefined
}

TEST(Inputs, ImpossibleRequestsAreErrors) {
  EXPECT_FALSE(make("i32", R"({"kind": "randint", "low": "5", "high": "5"})").ok());
  EXPECT_FALSE(make("u8", R"({"kind": "randint", "low": "0", "high": "n"})").ok());
  EXPECT_FALSE(make("i8", "\"iota\"").ok());
  EXPECT_FALSE(make("i32", R"({"kind": "sorted_offsets", "total": "n-2", "nonempty": true})").ok());
  EXPECT_FALSE(make("i32", R"({"kind": "sorted_offsets", "total": "-1"})").ok());
}

TEST(ElementType, SixteenBitFloatsRoundOnceAndBack) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto b = static_cast<uint16_t>(bits);
    if (!std::isnan(halfValue(b))) EXPECT_EQ(halfBits(halfValue(b)), b);
    if (!std::isnan(bfloatValue(b))) EXPECT_EQ(bfloatBits(bfloatValue(b)), b);
  }
  EXPECT_EQ(halfBits(65519.99), 0x7bff);
  EXPECT_EQ(halfBits(65520), 0x7c00);
  EXPECT_EQ(halfBits(1.0 + 0x1p-11), 0x3c00);            // a tie goes to even
  EXPECT_EQ(halfBits(1.0 + 0x1p-11 + 0x1p-40), 0x3c01);  // rounding through float would lose the 2^-40
  EXPECT_EQ(halfBits(0x1p-25), 0x0000);
  EXPECT_EQ(halfBits(0x1.8p-25), 0x0001);
  EXPECT_EQ(bfloatBits(1.0 + 0x1p-8), 0x3f80);
  EXPECT_EQ(bfloatBits(3.4e38), 0x7f80);
  EXPECT_EQ(halfBits(-std::numeric_limits<double>::infinity()), 0xfc00);
}

TEST(Npy, RoundTripAndMismatches) {
  for (const char* type : {"f32", "f16", "bf16", "f64"}) {
    const HostBuffer buffer = (*make(type, "\"normal\"", 0, "\"n\", 2"))[0];
    const BufferPlan plan{"x", buffer.type, buffer.extent, buffer.elements(), Role::In};
    const std::string data = toNpy(buffer);
    EXPECT_EQ((data.size() - buffer.bytes.size()) % 64, 0u);
    auto back = fromNpy(data, plan, "x.npy");
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_EQ(back->bytes, buffer.bytes);
  }
  const HostBuffer buffer = (*make("f32", "\"ones\""))[0];
  BufferPlan plan{"x", ElementType::I32, {1000}, 1000, Role::In};
  EXPECT_NE(fromNpy(toNpy(buffer), plan, "x.npy").error().message.find("needs \"<i4\""), std::string::npos);
  plan = {"x", ElementType::F32, {10, 100}, 1000, Role::In};
  EXPECT_NE(fromNpy(toNpy(buffer), plan, "x.npy").error().message.find("needs (10, 100)"), std::string::npos);
  plan = {"x", ElementType::F32, {1000}, 1000, Role::In};
  const std::string data = toNpy(buffer);
  for (size_t k = 0; k < data.size(); k += 7) EXPECT_FALSE(fromNpy(data.substr(0, k), plan, "x.npy").ok());
  for (size_t k = 0; k < 128; ++k) {
    std::string changed = data;
    changed[k] = '\'';
    (void)fromNpy(changed, plan, "x.npy").ok();
  }
}

}  // namespace
}  // namespace np::kernel_port::launch
