// Lifts launch files of tests/cases and compares the Spec with tests/golden/specs, character by character.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "kernel_port/lift/lift.h"
#include "kernel_port/spec/text.h"
#include "lift_helpers.h"

namespace np::kernel_port::lift {
namespace {

class GoldenSpec : public testing::TestWithParam<const char*> {};

TEST_P(GoldenSpec, IsWhatTheLifterPrints) {
  std::string name = GetParam();
  Result<LiftResult> lifted = liftCase("tests/cases/shared/" + name + ".launch.json");
  ASSERT_TRUE(lifted.ok()) << lifted.error().text();
  EXPECT_EQ(spec::printSpec(lifted->spec), readText("tests/golden/specs/" + name + ".spec"));
  int64_t held_out = 0;
  for (const CheckedSize& size : lifted->sizes) held_out += size.held_out ? 1 : 0;
  EXPECT_GE(held_out, 2);
  RecordProperty("seconds", std::to_string(lifted->statistics.seconds));
}

INSTANTIATE_TEST_SUITE_P(Shared, GoldenSpec,
                         testing::Values("saxpy", "gelu", "bias", "lrelu", "vec4add", "rowsum_sh", "rowsum_shfl",
                                         "softmax", "layernorm", "matmul", "matmul_tiled", "transpose"),
                         [](const auto& info) { return std::string(info.param); });

// The other shared cases that are lifted and quick: the formulas alone.
struct Formula {
  const char* name;
  const char* text;
};

class SharedFormula : public testing::TestWithParam<Formula> {};

TEST_P(SharedFormula, IsFound) {
  Result<LiftResult> lifted = liftCase(std::string("tests/cases/shared/") + GetParam().name + ".launch.json");
  ASSERT_TRUE(lifted.ok()) << lifted.error().text();
  EXPECT_EQ(spec::printFormulas(lifted->spec), GetParam().text);
}

constexpr const char* kSoftmax =
    "t0(i) = max(x[i, k] for k in N)\n"
    "y[i in M, j in N] = exp(x[i, j] - t0(i))/sum(exp(x[i, k] - t0(i)) for k in N)\n";

constexpr Formula kFormulas[] = {
    {"lrelu2", "y[i in n] = where(x[i] < 0.0, x[i] + 0.5*(x[i] + 0.5*x[i]), exp(x[i]))\n"},
    {"residsum", "y[i in M, j in N] = x[i, j] + sum(x[i, k] for k in N)\n"},
    {"dot_atomic", "out[i in 1] = out[0] + sum(x[k]*z[k] for k in n)\n"},
    {"stencil", "y[i in n] = 0.25*pad(x[i - 1], 0.0) + 0.5*x[i] + 0.25*pad(x[i + 1], 0.0)\n"},
    {"conv3", "y[i in H, j in W] = sum(sum(w[k2, k]*pad(x[i + k2 - 1, j + k - 1], 0.0) for k in 3) for k2 in 3)\n"},
    {"maxpool", "y[i in H//2, j in W//2] = max(max(x[2*i + k2, 2*j + k] for k in 2) for k2 in 2)\n"},
    {"gram", "y[i in M, j in M] = sum(x[i, k]*x[j, k] for k in K)\n"},
    {"scan", "y[i in n] = sum(x[k] for k in n if k < i + 1)\n"},
    {"ema", "y[i in M, j in N] = rec(j, a, x[i, j], 0.0)\n"},
    {"embed", "y[i in T, j in D] = E[tok[i], j]\n"},
    {"embed_guard", "y[i in T, j in D] = where(tok[i] < V and 0 <= tok[i], pad(E[tok[i], j], 0.0), 0.0)\n"},
    {"hist", "h[i in B] = h[i] + sum(1 for k in n if i == bin[k])\n"},
    {"hist_priv", "h[i in B] = h[i] + sum(1 for k in n if i == bin[k])\n"},
    {"softmax_online", kSoftmax},
    {"softmax_online_br", kSoftmax},
};

INSTANTIATE_TEST_SUITE_P(Shared, SharedFormula, testing::ValuesIn(kFormulas),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace np::kernel_port::lift
