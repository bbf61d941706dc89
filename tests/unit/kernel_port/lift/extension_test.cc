// Kernels of the kind that PyTorch extensions hold, forward and backward: the formulas that the lifter must find.
#include <gtest/gtest.h>

#include "kernel_port/spec/text.h"
#include "lift_helpers.h"

namespace np::kernel_port::lift {
namespace {

struct Case {
  const char* name;
  const char* formulas;
};

class Extension : public testing::TestWithParam<Case> {};

TEST_P(Extension, HasTheExpectedFormula) {
  std::string path = std::string("tests/unit/kernel_port/lift/data/") + GetParam().name + ".launch.json";
  Result<LiftResult> lifted = liftCase(path);
  ASSERT_TRUE(lifted.ok()) << lifted.error().text();
  EXPECT_EQ(spec::printFormulas(lifted->spec), GetParam().formulas);
}

constexpr Case kCases[] = {
    {"bias_gelu_forward",
     "t0(i, j) = bias[j] + x[i, j]\n"
     "y[i in rows, j in cols] = 0.5*t0(i, j)*(1.0 + tanh(0.7978846*(t0(i, j) + 0.044715*t0(i, j)*t0(i, j)*t0(i, "
     "j))))\n"},
    {"bias_gelu_backward_bias",
     "t0(i, k) = bias[i] + x[k, i]\n"
     "t1(i, k) = tanh(0.7978846*(t0(i, k) + 0.044715*t0(i, k)*t0(i, k)*t0(i, k)))\n"
     "grad_bias[i in cols] = sum(grad[k, i]*(0.5*(1.0 + t1(i, k)) + 0.5*t0(i, k)*(1.0 - square(t1(i, "
     "k)))*0.7978846*(1.0 "
     "+ 0.13414499*t0(i, k)*t0(i, k))) for k in rows)\n"},
    {"rms_norm",
     "t0(i) = rsqrt(eps + sum(square(x[i, k]) for k in cols)/f32(cols))\n"
     "y[i in rows, j in cols] = x[i, j]*t0(i)*w[j]\n"
     "inv_rms[i in rows] = t0(i)\n"},
    {"rms_norm_backward",
     "dx[i in rows, j in cols] = dy[i, j]*inv_rms[i]*w[j] - inv_rms[i]*x[i, j]*inv_rms[i]*inv_rms[i]*sum(dy[i, "
     "k]*w[k]*x[i, "
     "k] for k in cols)/f32(cols)\n"},
    {"layer_norm_backward",
     "t0(i, k) = dy[i, k]*gamma[k]\n"
     "dx[i in rows, j in cols] = rstd[i]*(dy[i, j]*gamma[j] - sum(t0(i, k) for k in cols)/f32(cols) - rstd[i]*(x[i, j] "
     "- "
     "mean[i])*(sum(t0(i, k)*(x[i, k] - mean[i])*rstd[i] for k in cols)/f32(cols)))\n"},
    {"scale_mask_softmax",
     "t0(i, j, k) = mask[j, k] + scale*x[i, j, k]\n"
     "t1(i, j) = max(t0(i, j, k) for k in keys)\n"
     "y[i in heads, j in queries, i2 in keys] = 1.0/sum(exp(t0(i, j, k) - t1(i, j)) for k in keys)*exp(mask[j, i2] + "
     "scale*x[i, j, i2] - t1(i, j))\n"},
    {"softmax_backward", "dx[i in rows, j in cols] = y[i, j]*(dy[i, j] - sum(dy[i, k]*y[i, k] for k in cols))\n"},
    {"swiglu", "y[i in n] = up[i]*(gate[i]/(1.0 + exp(-gate[i])))\n"},
    {"swiglu_packed", "y[i in rows, j in cols] = x[i, 1, j]*(x[i, 0, j]/(1.0 + exp(-x[i, 0, j])))\n"},
    {"split_sum", "out[i in 1] = sum(x[k] for k in n)\n"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, Extension, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

// Two launches, the second over what the first wrote.
TEST(Extension, ComposesLaunches) {
  Result<LiftResult> lifted = liftCase("tests/unit/kernel_port/lift/data/bias_gelu_backward.launch.json");
  ASSERT_TRUE(lifted.ok()) << lifted.error().text();
  ASSERT_EQ(lifted->spec.stmts.size(), 2u);
  std::string text = spec::printFormulas(lifted->spec);
  EXPECT_NE(text.find("grad_bias[i in cols] = sum("), std::string::npos) << text;
  EXPECT_NE(text.find("for k in rows)"), std::string::npos) << text;
}

}  // namespace
}  // namespace np::kernel_port::lift
