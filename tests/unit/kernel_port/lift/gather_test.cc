// Loads at indices that are data: which dimension of the buffer the index counts along.
#include <gtest/gtest.h>

#include "kernel_port/spec/text.h"
#include "lift_helpers.h"

namespace np::kernel_port::lift {
namespace {

// y[R, P] from x[R, C] by id[P], one thread an element; `where` with C >= 1 has sizes at which a row is one element.
Result<LiftResult> liftPick(const std::string& name, const std::string& value) {
  std::string source =
      "__global__ void k(const float* x, const int* id, float* y, int R, int C, int P) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= R * P) return;\n"
      "  int r = i / P, p = i % P;\n"
      "  y[i] = " +
      value + ";\n}\n";
  return liftText("gather_" + name, source, R"json({"version": 1, "source": "kernel.cu",
    "sizes": {"names": ["R", "C", "P"], "cases": [[5, 9, 6], [3, 1, 7]], "where": ["R >= 1", "C >= 1", "P >= 1"]},
    "buffers": {"x": {"type": "f32", "extent": ["R", "C"], "role": "in", "init": "normal"},
                "id": {"type": "i32", "extent": ["P"], "role": "in", "init": {"kind": "randint", "low": 0, "high": "C"}},
                "y": {"type": "f32", "extent": ["R", "P"], "role": "out"}},
    "scalars": {},
    "launches": [{"kernel": "k", "grid": ["ceildiv(R*P,64)", "1", "1"], "block": ["64", "1", "1"], "shared": "0",
                  "args": ["x", "id", "y", "R", "C", "P"]}]})json");
}

TEST(Gather, IndexAlongTheLastDimensionThatMayHaveOneElement) {
  Result<LiftResult> lifted = liftPick("columns", "x[r * C + id[p]]");
  ASSERT_TRUE(lifted.ok()) << lifted.error().text();
  EXPECT_EQ(spec::printFormulas(lifted->spec), "y[i in R, j in P] = x[i, id[j]]\n");
}

TEST(Gather, IndexOneTooFarIsAnotherFormula) {
  Result<LiftResult> lifted = liftPick("shifted", "x[r * C + (id[p] > 0 ? id[p] - 1 : 0)]");
  if (lifted.ok()) EXPECT_NE(spec::printFormulas(lifted->spec), "y[i in R, j in P] = x[i, id[j]]\n");
}

TEST(Gather, IndexAcrossDimensionsIsRefused) {
  Result<LiftResult> lifted = liftPick("across", "x[r + id[p] * R]");
  EXPECT_FALSE(lifted.ok());
}

}  // namespace
}  // namespace np::kernel_port::lift
