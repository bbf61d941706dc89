// The cost model on programs small enough to compute by hand.
#include "runtime/tile/cost.h"

#include <gtest/gtest.h>

#include "runtime/tile/text.h"

namespace np::tile {
namespace {

Cost costOf(const std::string& text) {
  const auto flat = parseFlat(text);
  EXPECT_TRUE(flat.ok()) << flat.error().text();
  return estimateCost(*flat, *hardwareFor("trn2"));
}

TEST(Cost, CopyIsBoundByDma) {
  const Cost cost = costOf(
      "kernel @k(in %x: f32[128, 8192], out %y: f32[128, 8192]) { tile %t: sbuf f32[128, 8192] dma_copy %t, %x "
      "activation %t, exp, %t dma_copy %y, %t }");
  EXPECT_EQ(cost.bound, "dma");
  EXPECT_NEAR(cost.low_us, 2 * 128 * 8192 * 4 / 368.0 / 1000, 1e-6);
  EXPECT_NEAR(cost.busy_us.at("scalar"), 8192 / 1.2 / 1000, 1e-6);
  // Load, compute and store depend on each other: nothing overlaps, and each DMA starts 1.3 us late.
  EXPECT_GT(cost.estimate_us, cost.low_us + 2.6 + 8192 / 1.2 / 1000);
  EXPECT_GE(cost.high_us, cost.estimate_us);
  EXPECT_EQ(cost.dma_count, 2);
}

TEST(Cost, MatmulCountsPasses) {
  const std::string text =
      "kernel @k(in %x: TYPE[128, 512], out %y: f32[128, 512]) { tile %s: sbuf TYPE[128, 512] dma_copy %s, %x "
      "tile %p: psum f32[128, 512] nc_matmul %p, %s[0:128, 0:128], %s tile %o: sbuf f32[128, 512] tensor_copy %o, %p "
      "dma_copy %y, %o }";
  const auto with = [&](const std::string& type) {
    std::string out = text;
    for (size_t at; (at = out.find("TYPE")) != std::string::npos;) out.replace(at, 4, type);
    return costOf(out).busy_us.at("tensor");
  };
  EXPECT_NEAR(with("f32"), 4 * 512 / 2.4 / 1000, 1e-6);
  EXPECT_NEAR(with("bf16"), 512 / 2.4 / 1000, 1e-6);
}

TEST(Cost, IndependentTilesOverlap) {
  std::string text = "kernel @k(in %x: f32[1024, 4096], out %y: f32[1024, 4096]) { ";
  for (int r = 0; r < 1024; r += 128) {
    const std::string t = "%t" + std::to_string(r), rows = std::to_string(r) + ":" + std::to_string(r + 128);
    text += "tile " + t + ": sbuf f32[128, 4096] dma_copy " + t + ", %x[" + rows + ", 0:4096] activation " + t +
            ", exp, " + t + " dma_copy %y[" + rows + ", 0:4096], " + t + " ";
  }
  const Cost cost = costOf(text + "}");
  EXPECT_LT(cost.estimate_us, 1.2 * cost.low_us);
}

TEST(Cost, ShortDescriptorsAreSlow) {
  const Cost rows = costOf("kernel @k(in %x: f32[128, 1024], out %y: f32[128, 1024]) { dma_copy %y, %x }");
  const Cost columns =
      costOf("kernel @k(in %x: f32[1024, 128], out %y: f32[128, 1024]) { dma_copy %y, %x.permute(1, 0) }");
  EXPECT_EQ(rows.low_us, columns.low_us);
  EXPECT_GT(columns.estimate_us, 20 * rows.estimate_us);
}

TEST(Roofline, TakesTheLargerOfTrafficAndFlops) {
  const auto flat = parseFlat(
      "kernel @k(in %x: f32[128, 512], out %y: f32[128, 512]) { tile %s: sbuf f32[128, 512] dma_copy %s, %x "
      "tile %p: psum f32[128, 512] nc_matmul %p, %s[0:128, 0:128], %s tile %o: sbuf f32[128, 512] tensor_copy %o, %p "
      "dma_copy %y, %o }");
  ASSERT_TRUE(flat.ok());
  const Roofline roof = roofline(*flat, *hardwareFor("trn2"));
  EXPECT_NEAR(roof.tensor_us, 128.0 * 128 * 512 / (128 * 128 * 2.4) * 4 / 1000, 1e-6);
  EXPECT_NEAR(roof.dma_us, 2 * 128 * 512 * 4 / 368.0 / 1000, 1e-6);
  EXPECT_EQ(roof.bound_us(), roof.dma_us);
}

}  // namespace
}  // namespace np::tile
