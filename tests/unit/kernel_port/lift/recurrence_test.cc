// States carried along a dimension: the recurrences that the lifter finds, and kernels that only look like one.
#include <gtest/gtest.h>

#include "kernel_port/spec/text.h"
#include "lift_helpers.h"

namespace np::kernel_port::lift {
namespace {

// One thread a column of x[T, C]; `body` runs over t with the state s.
Result<LiftResult> liftColumns(const std::string& name, const std::string& start, const std::string& body) {
  std::string source =
      "__global__ void k(const float* x, const float* a, float* y, float p, int T, int C) {\n"
      "  int c = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (c >= C) return;\n" +
      start + "\n" + body + "\n}\n";
  return liftText("recurrence_" + name, source, R"json({"version": 1, "source": "kernel.cu",
    "sizes": {"names": ["T", "C"], "cases": [[9, 20], [5, 33]], "where": ["T >= 1", "C >= 1"]},
    "buffers": {"x": {"type": "f32", "extent": ["T", "C"], "role": "in", "init": "normal"},
                "a": {"type": "f32", "extent": ["T", "C"], "role": "in", "init": "uniform"},
                "y": {"type": "f32", "extent": ["T", "C"], "role": "out"}},
    "scalars": {"p": {"type": "f32", "value": 0.5}},
    "launches": [{"kernel": "k", "grid": ["ceildiv(C,32)", "1", "1"], "block": ["32", "1", "1"], "shared": "0",
                  "args": ["x", "a", "y", "p", "T", "C"]}]})json");
}

std::string formulas(const Result<LiftResult>& lifted) {
  return lifted.ok() ? spec::printFormulas(lifted->spec) : lifted.error().text();
}

TEST(Recurrence, RunsAlongAnyDimension) {
  EXPECT_EQ(formulas(liftColumns("plain", "float s = 0.0f;",
                                 "for (int t = 0; t < T; t++) { s = a[t*C + c] * s + x[t*C + c]; y[t*C + c] = s; }")),
            "y[i in T, j in C] = rec(i, a[i, j], x[i, j], 0.0)\n");
}

TEST(Recurrence, StartsFromAScalar) {
  EXPECT_EQ(formulas(liftColumns("scalar", "float s = p;",
                                 "for (int t = 0; t < T; t++) { s = a[t*C + c] * s + x[t*C + c]; y[t*C + c] = s; }")),
            "y[i in T, j in C] = rec(i, a[i, j], x[i, j], p)\n");
}

TEST(Recurrence, MayHaveNoAddendOrSubtractIt) {
  EXPECT_EQ(formulas(liftColumns("product", "float s = 1.0f;",
                                 "for (int t = 0; t < T; t++) { s = s * x[t*C + c]; y[t*C + c] = s; }")),
            "y[i in T, j in C] = rec(i, x[i, j], 0.0, 1.0)\n");
  EXPECT_EQ(formulas(liftColumns("minus", "float s = 0.0f;",
                                 "for (int t = 0; t < T; t++) { s = a[t*C + c] * s - x[t*C + c]; y[t*C + c] = s; }")),
            "y[i in T, j in C] = rec(i, a[i, j], -x[i, j], 0.0)\n");
}

TEST(Recurrence, MayBeReadThroughAnExpression) {
  EXPECT_EQ(
      formulas(liftColumns("viewed", "float s = 0.0f;",
                           "for (int t = 0; t < T; t++) { s = p * s + x[t*C + c]; y[t*C + c] = a[t*C + c] * s; }")),
      "y[i in T, j in C] = a[i, j]*rec(i, p, x[i, j], 0.0)\n");
}

TEST(Recurrence, MayRunBackwards) {
  EXPECT_EQ(formulas(liftColumns("back", "float s = 0.0f;",
                                 "for (int t = T - 1; t >= 0; t--) { s = p * s + x[t*C + c]; y[t*C + c] = s; }")),
            "y[-i + T - 1, j : i in T, j in C] = rec(i, p, x[-i + T - 1, j], 0.0)\n");
}

TEST(Recurrence, MayStartAtItsFirstElement) {
  std::string text =
      formulas(liftColumns("first", "float s = x[c]; y[c] = s;",
                           "for (int t = 1; t < T; t++) { s = p * x[t*C + c] + (1.0f - p) * s; y[t*C + c] = s; }"));
  EXPECT_NE(text.find("rec(i, 1.0 - p, p*x[i + 1, j], x[0, j])"), std::string::npos) << text;
}

// The state is squared, reset by data, or taken from two elements before: no formula, or one that says so.
TEST(Recurrence, IsNotSeenWhereTheStepIsAnother) {
  for (auto [name, body] :
       {std::pair{"squared", "for (int t = 0; t < T; t++) { s = s * s + x[t*C + c]; y[t*C + c] = s; }"},
        std::pair{"reset",
                  "for (int t = 0; t < T; t++) { if (t == 4) s = 0; s = p * s + x[t*C + c]; y[t*C + c] = s; }"},
        std::pair{"two",
                  "float r = 1.0f; for (int t = 0; t < T; t++) { float n = p * s + a[t*C + c] * r; r = s; s = n; "
                  "y[t*C + c] = s; }"}}) {
    Result<LiftResult> lifted = liftColumns(name, "float s = 0.5f;", body);
    EXPECT_FALSE(lifted.ok()) << name << ": " << formulas(lifted);
  }
}

}  // namespace
}  // namespace np::kernel_port::lift
