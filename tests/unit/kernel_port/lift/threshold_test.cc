// What happens at one index only may be overwritten at every size that a launch file names.
#include <gtest/gtest.h>

#include "kernel_port/spec/text.h"
#include "lift_helpers.h"

namespace np::kernel_port::lift {
namespace {

TEST(Threshold, IsLookedForAtTheSizeWhereItFirstShows) {
  // At 67 and 131 element 30 is in the half that the last line overwrites; at 31 to 60 it is not.
  Result<LiftResult> lifted = liftText("threshold", R"(
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = 2.0f * x[i];
  if (i != 30) v = x[i];
  if (2 * i < n) v = fabsf(x[i]);
  y[i] = v;
}
)",
                                       R"json({"version": 1, "source": "kernel.cu",
    "sizes": {"names": ["n"], "cases": [[67], [131]], "where": ["n >= 1"]},
    "buffers": {"x": {"type": "f32", "extent": ["n"], "role": "in", "init": "normal"},
                "y": {"type": "f32", "extent": ["n"], "role": "out"}},
    "scalars": {},
    "launches": [{"kernel": "k", "grid": ["ceildiv(n,64)", "1", "1"], "block": ["64", "1", "1"], "shared": "0",
                  "args": ["x", "y", "n"]}]})json");
  EXPECT_FALSE(lifted.ok()) << spec::printFormulas(lifted->spec);
}

}  // namespace
}  // namespace np::kernel_port::lift
