// The evaluator against values worked out by hand or by plain loops, its errors, and the rounding bound.
#include "kernel_port/spec/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernel_port/spec/text.h"

namespace np::kernel_port::spec {
namespace {

Spec parsed(const std::string& text) {
  auto spec = parseSpec(text);
  EXPECT_TRUE(spec.ok()) << spec.error().text();
  return std::move(spec).value();
}

Array row(std::vector<double> data) { return {{static_cast<int64_t>(data.size())}, std::move(data)}; }

// out of a one-buffer Spec over x[n] (f32), with a = 2.
std::vector<double> over(const std::string& formula, std::vector<double> x, Precision precision = Precision::Exact) {
  const Spec spec = parsed("sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\nscalar a f32\n" + formula);
  Inputs in;
  in.sizes["n"] = static_cast<int64_t>(x.size());
  in.scalars["a"] = 2;
  in.buffers["x"] = row(x);
  const auto out = evaluateSpec(spec, in, precision);
  EXPECT_TRUE(out.ok()) << out.error().text();
  return out->at("y").values.data;
}

using V = std::vector<double>;

TEST(Evaluate, Pointwise) {
  EXPECT_EQ(over("y[i in n] = a*x[i] - 1.0", {1, 2, 3}), (V{1, 3, 5}));
  EXPECT_EQ(over("y[i in n] = where(x[i] < 0.0, -x[i], f32(i))", {-4, 2, -3}), (V{4, 1, 3}));
  EXPECT_EQ(over("y[i in n] = max(x[i], nan)", {1, 2}), (V{1, 2}));
}

TEST(Evaluate, WindowsMasksAndNestedReductions) {
  EXPECT_EQ(over("y[i in n] = pad(x[i - 1], 0.0) + pad(x[i + 1], 10.0)", {1, 2, 3}), (V{2, 4, 12}));
  EXPECT_EQ(over("y[i in n] = sum(x[k] for k in n if k <= i)", {1, 2, 3}), (V{1, 3, 6}));
  EXPECT_EQ(over("y[i in n] = sum(x[i + k] for k in n if i + k < n)", {1, 2, 3}), (V{6, 5, 3}));
  EXPECT_EQ(over("y[i in n] = x[n - 1 - i]", {1, 2, 3}), (V{3, 2, 1}));
  EXPECT_EQ(over("y[i in n] = sum(x[k]*sum(x[l]*x[k] for l in n) for k in n)", {1, 2}), (V{15, 15}));
  EXPECT_EQ(over("y[i in n] = sum(max(x[l] for l in n) - x[k] for k in n)", {1, 2, 4}), (V{5, 5, 5}));
  EXPECT_EQ(over("y[i in n] = rec(i, a, x[i], 1.0)", {1, 2, 3}), (V{3, 8, 19}));
}

TEST(Evaluate, NativeRoundsEveryOperation) {
  const double big = 16777216;  // 2^24: 1 is lost in f32
  EXPECT_EQ(over("y[i in n] = (x[i] + 1.0) - x[i]", {big})[0], 1);
  EXPECT_EQ(over("y[i in n] = (x[i] + 1.0) - x[i]", {big}, Precision::Native)[0], 0);
}

TEST(Evaluate, GatherIntegersAndPartialWrites) {
  const Spec spec = parsed(
      "sizes n\nbuffer e f32[n] in\nbuffer t i32[2] in\nbuffer y f32[4] inout\n"
      "y[2*i + 1 : i in 2] = e[t[i]]*f32(idiv(7, t[i] + 1))\n");
  Inputs in;
  in.sizes["n"] = 3;
  in.buffers = {{"e", row({5, 6, 7})}, {"t", row({2, 0})}, {"y", row({1, 2, 3, 4})}};
  const auto out = evaluateSpec(spec, in, Precision::Exact);
  ASSERT_TRUE(out.ok()) << out.error().text();
  EXPECT_EQ(out->at("y").values.data, (V{1, 14, 3, 35}));
  EXPECT_EQ(out->at("y").written, (std::vector<uint8_t>{0, 1, 0, 1}));
  in.buffers["t"] = row({3, 0});
  EXPECT_NE(evaluateSpec(spec, in, Precision::Exact).error().message.find("index 3 of \"e\""), std::string::npos);
}

TEST(Evaluate, Refuses) {
  const Spec spec =
      parsed("sizes n\nwhere n % 4 == 0\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = x[i + 1]\n");
  Inputs in;
  in.sizes["n"] = 6;
  in.buffers["x"] = row(V(6, 0));
  EXPECT_EQ(evaluateSpec(spec, in, Precision::Exact).error().message, "the sizes break \"n % 4 == 0\"");
  in.sizes["n"] = 4;
  in.buffers["x"] = row(V(4, 0));
  EXPECT_NE(evaluateSpec(spec, in, Precision::Exact).error().message.find("index 4"), std::string::npos);
  const Spec twice = parsed("sizes n\nbuffer y f32[n] out\ny[i in n] = 1.0\ny[i in n] = 2.0\n");
  EXPECT_NE(evaluateSpec(twice, in, Precision::Exact).error().message.find("write one element"), std::string::npos);
}

// A bound that holds and is not idle: the error of f32 evaluation stays below it, and it is within a small factor of
// the classical n*u*sum|x|.
TEST(Bound, CoversNativeRoundingAndStaysTight) {
  const int n = 100;
  V x(n);
  double magnitude = 0;
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(std::sin(i * 1.7) * (i % 7 + 1)), magnitude += std::fabs(x[i]);
  const Spec spec = parsed(
      "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = exp(x[i]*0.1)/sum(exp(x[k]*0.1) for k in n)\n");
  const Spec sum = parsed("sizes n\nbuffer x f32[n] in\nbuffer y f32[1] out\ny[i in 1] = sum(x[k] for k in n)\n");
  Inputs in;
  in.sizes["n"] = n;
  in.buffers["x"] = row(x);
  const auto exact = boundSpec(spec, in), native = evaluateSpec(spec, in, Precision::Native);
  ASSERT_TRUE(exact.ok() && native.ok());
  for (int i = 0; i < n; ++i) {
    const double error = std::fabs(exact->at("y").values.data[i] - native->at("y").values.data[i]);
    EXPECT_LE(error, exact->at("y").bound[i]);
  }
  const auto total = boundSpec(sum, in);
  EXPECT_DOUBLE_EQ(total->at("y").bound[0], n * std::ldexp(1.0, -24) * magnitude);
}

TEST(DTypes, RoundAsStored) {
  EXPECT_EQ(roundToType(1.0 + std::ldexp(1, -11), DType::F16), 1.0);  // a tie goes to even
  EXPECT_EQ(roundToType(1.0 + 3 * std::ldexp(1, -11), DType::F16), 1.0 + std::ldexp(1, -9));
  EXPECT_EQ(roundToType(65520, DType::F16), INFINITY);
  EXPECT_EQ(roundToType(65519, DType::F16), 65504);
  EXPECT_EQ(roundToType(std::ldexp(1, -25), DType::F16), 0.0);
  EXPECT_EQ(roundToType(1.0 + std::ldexp(1, -8), DType::Bf16), 1.0);
  EXPECT_EQ(roundToType(300, DType::U8), 44);
  EXPECT_EQ(roundToType(-1, DType::U32), 4294967295.0);
  EXPECT_EQ(roundToType(2147483648.0, DType::I32), -2147483648.0);
  EXPECT_EQ(roundToType(-2.7, DType::I16), -2);
}

TEST(SizeExprs, CanonicalAndEvaluated) {
  const SizeExpr m = SizeExpr::name("M"), n = SizeExpr::name("N");
  EXPECT_EQ((n * m + m - 1).text(), "M*N + M - 1");
  EXPECT_EQ((SizeExpr(4) * n + 8).floorDiv(4).text(), "N + 2");
  EXPECT_EQ(n.ceilDiv(4).text(), "(N + 3)//4");
  EXPECT_EQ((n.mod(4) + 1).text(), "(N % 4) + 1");
  EXPECT_EQ(SizeExpr::min(n, n + 1).text(), "N");
  EXPECT_EQ(SizeExpr::min(n, m).text(), "min(M, N)");
  EXPECT_EQ((m - n) + (n - m), SizeExpr(0));
  EXPECT_TRUE((m * n - 0).positive());
  EXPECT_FALSE((m - 1).positive());
  EXPECT_TRUE((m - 1).nonNegative());
  EXPECT_EQ((m - 7).floorDiv(2).evaluate({{"M", 2}}), -3);
  EXPECT_EQ(n.ceilDiv(4).evaluate({{"N", 9}}), 3);
}

}  // namespace
}  // namespace np::kernel_port::spec
