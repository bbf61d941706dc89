// Loops whose bounds are loaded: they become masked reductions, or are refused.
#include <gtest/gtest.h>

#include "kernel_port/spec/text.h"
#include "lift_helpers.h"

namespace np::kernel_port::lift {
namespace {

// One thread a row r of y[R]; offsets o[R + 1] sorted, into x[n] and c[n].
Result<LiftResult> liftRows(const std::string& name, const std::string& body) {
  std::string source =
      "__global__ void k(const float* x, const int* c, const int* o, const float* w, float* y, int R) {\n"
      "  int r = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (r >= R) return;\n" +
      body + "\n}\n";
  return liftText("ragged_" + name, source, R"json({"version": 1, "source": "kernel.cu",
    "sizes": {"names": ["R", "n", "V"], "cases": [[9, 20, 6], [5, 33, 11]], "where": ["R >= 1", "n >= 1", "V >= 1"]},
    "buffers": {"x": {"type": "f32", "extent": ["n"], "role": "in", "init": "normal"},
                "c": {"type": "i32", "extent": ["n"], "role": "in", "init": {"kind": "randint", "low": 0, "high": "V"}},
                "o": {"type": "i32", "extent": ["R+1"], "role": "in", "init": {"kind": "sorted_offsets", "total": "n"}},
                "w": {"type": "f32", "extent": ["V"], "role": "in", "init": "normal"},
                "y": {"type": "f32", "extent": ["R"], "role": "out"}},
    "scalars": {},
    "launches": [{"kernel": "k", "grid": ["ceildiv(R,32)", "1", "1"], "block": ["32", "1", "1"], "shared": "0",
                  "args": ["x", "c", "o", "w", "y", "R"]}]})json");
}

std::string formulas(const Result<LiftResult>& lifted) {
  return lifted.ok() ? spec::printFormulas(lifted->spec) : lifted.error().text();
}

TEST(Ragged, SumIsMasked) {
  EXPECT_EQ(formulas(liftRows("sum", "float s = 0; for (int e = o[r]; e < o[r + 1]; e++) s += x[e]; y[r] = s;")),
            "y[i in R] = sum(x[k] for k in n if k < o[i + 1] and o[i] <= k)\n");
}

TEST(Ragged, ProductWithAGatheredValue) {
  EXPECT_EQ(
      formulas(liftRows("matvec", "float s = 0; for (int e = o[r]; e < o[r + 1]; e++) s += x[e] * w[c[e]]; y[r] = s;")),
      "y[i in R] = sum(pad(w[c[k]], 0.0)*x[k] for k in n if k < o[i + 1] and o[i] <= k)\n");
}

TEST(Ragged, OneBoundMayBeANumber) {
  EXPECT_EQ(formulas(liftRows("prefix", "float s = 0; for (int e = 0; e < o[r]; e++) s += x[e]; y[r] = s;")),
            "y[i in R] = sum(x[k] for k in n if k < o[i])\n");
}

TEST(Ragged, MaximumIsMasked) {
  std::string text = formulas(
      liftRows("max", "float s = -INFINITY; for (int e = o[r]; e < o[r + 1]; e++) s = fmaxf(s, x[e]); y[r] = s;"));
  EXPECT_NE(text.find("max(where(k < o[i + 1] and o[i] <= k, x[k], -inf) for k in n)"), std::string::npos) << text;
}

// Every other entry; an end that moves; the number of the last iteration; entries that are not x[e]; a product.
TEST(Ragged, OtherLoopsAreRefused) {
  for (auto [name, body] :
       {std::pair{"step", "float s = 0; for (int e = o[r]; e < o[r + 1]; e += 2) s += x[e]; y[r] = s;"},
        {"last", "int e = o[r]; float s = 0; for (; e < o[r + 1]; e++) s += x[e]; y[r] = s + e;"},
        {"chain", "float s = 0; for (int e = o[r]; e < o[c[e]]; e++) s += x[e]; y[r] = s;"},
        {"entry", "float s = 0; for (int e = o[r]; e < o[r + 1]; e++) s += w[c[0]]; y[r] = s;"},
        {"product", "float s = 1; for (int e = o[r]; e < o[r + 1]; e++) s *= x[e]; y[r] = s;"},
        {"search", "int e = 0; while (x[e] < 0.5f && e < o[r]) e++; y[r] = x[e];"}}) {
    Result<LiftResult> lifted = liftRows(name, body);
    EXPECT_FALSE(lifted.ok()) << name << ": " << formulas(lifted);
  }
}

}  // namespace
}  // namespace np::kernel_port::lift
