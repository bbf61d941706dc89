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

}  // namespace
}  // namespace np::kernel_port::lift
