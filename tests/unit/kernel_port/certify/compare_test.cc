// What counts as equal, at the ends of the number range in particular.

#include "kernel_port/certify/compare.h"

#include <gtest/gtest.h>
#include <limits>

namespace np::kernel_port::certify {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr auto kF32 = launch::ElementType::F32;

TEST(Compare, ABoundDecidesBetweenFiniteValues) {
  EXPECT_EQ(agreesWithSpec(1.0 + 7e-7, 1.0, 1.0, 1e-7, kF32), Agreement::Yes);
  EXPECT_EQ(agreesWithSpec(1.0 + 9e-7, 1.0, 1.0, 1e-7, kF32), Agreement::No);
  EXPECT_EQ(tileAgrees(1.0 + 1.1e-6, 1.0 + 1e-7, 1.0, 1e-7, kF32), Agreement::Yes);
  EXPECT_EQ(tileAgrees(1.0 + 1.3e-6, 1.0 + 1e-7, 1.0, 1e-7, kF32), Agreement::No);
}

TEST(Compare, WithoutABoundTheKindIsComparedInTheKernelsPrecision) {
  EXPECT_EQ(agreesWithSpec(kNan, 0.5, kNan, kInf, kF32), Agreement::Yes);
  EXPECT_EQ(agreesWithSpec(kNan, 0.5, 0.5, kInf, kF32), Agreement::No);
  EXPECT_EQ(agreesWithSpec(kInf, 0.5, -kInf, kInf, kF32), Agreement::No);
  EXPECT_EQ(agreesWithSpec(0.5, 0.5, kNan, kInf, kF32), Agreement::No);
  EXPECT_EQ(agreesWithSpec(0.5, 0.5, 0.7, kInf, kF32), Agreement::Unbounded);
  EXPECT_EQ(tileAgrees(kNan, kNan, 0.5, kInf, kF32), Agreement::Yes);
  EXPECT_EQ(tileAgrees(0.5, kNan, 0.5, kInf, kF32), Agreement::No);
  EXPECT_EQ(tileAgrees(kInf, 0.5, 0.5, kInf, kF32), Agreement::No);
}

TEST(Compare, AnExactValueBeyondTheTypeIsAnInfinity) {
  EXPECT_EQ(agreesWithSpec(kInf, 1e39, kInf, 1e30, kF32), Agreement::Yes);
  EXPECT_EQ(agreesWithSpec(-kInf, 1e39, kInf, 1e30, kF32), Agreement::No);
  EXPECT_EQ(agreesWithSpec(kInf, 1e37, kInf, 1e30, kF32), Agreement::No);
}

TEST(Compare, IntegersAreEqualOrNot) {
  EXPECT_EQ(agreesWithSpec(3, 3, 3, 0, launch::ElementType::I32), Agreement::Yes);
  EXPECT_EQ(agreesWithSpec(3, 4, 4, 100, launch::ElementType::I32), Agreement::No);
}

}  // namespace
}  // namespace np::kernel_port::certify
