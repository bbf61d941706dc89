// Statements that together write a buffer once: which are recognised, under which conditions, and which are not.
#include "kernel_port/spec/partition.h"

#include <gtest/gtest.h>

#include "kernel_port/spec/text.h"

namespace np::kernel_port::spec {
namespace {

struct Case {
  const char* name;
  const char* statements;
  const char* expected;  // the conditions, one a line, or "no"
};

class Partition : public testing::TestWithParam<Case> {};

TEST_P(Partition, IsJudged) {
  const std::string head =
      "sizes M, N, K\nwhere K <= N\nbuffer x f32[M, N] in\nbuffer y f32[M, 2*N] out\nbuffer z f32[N - K + 1] out\n";
  const auto spec = parseSpec(head + GetParam().statements, "test");
  ASSERT_TRUE(spec.ok()) << spec.error().text();
  const auto conditions = partitionConditions(*spec, spec->stmts[0].out);
  std::string text;
  if (conditions.ok())
    for (const SizeCondition& condition : conditions.value()) text += condition.text() + "\n";
  else
    text = "no";
  EXPECT_EQ(text, GetParam().expected);
}

constexpr Case kCases[] = {
    {"whole", "y[i in M, j in 2*N] = 1.0\n", ""},
    {"whole_that_may_be_empty", "z[i in N - K + 1] = 1.0\n", ""},
    {"halves", "y[i, j : i in M, j in N] = 1.0\ny[i, j + N : i in M, j in N] = 2.0\n", ""},
    {"even_and_odd", "y[i, 2*j : i in M, j in N] = 1.0\ny[i, 2*j + 1 : i in M, j in N] = 2.0\n", ""},
    {"border_and_rest", "y[i, j : i in M, j in K] = 1.0\ny[i, j + K : i in M, j in 2*N - K] = 2.0\n",
     "1 <= -K + 2*N\n"},
    {"first_row_apart", "y[i, j : i in 1, j in 2*N] = 1.0\ny[i + 1, j : i in M - 1, j in 2*N] = 2.0\n", "1 <= M - 1\n"},
    {"gap", "y[i, j : i in M, j in N] = 1.0\ny[i, j + N + 1 : i in M, j in N - 1] = 2.0\n", "no"},
    {"overlap", "y[i, j : i in M, j in N] = 1.0\ny[i, j + N - 1 : i in M, j in N + 1] = 2.0\n", "no"},
    {"too_short", "y[i, j : i in M, j in N] = 1.0\n", "no"},
    {"twice", "y[i in M, j in 2*N] = 1.0\ny[i in M, j in 2*N] = 2.0\n", "no"},
    {"even_twice", "y[i, 2*j : i in M, j in N] = 1.0\ny[i, 2*j : i in M, j in N] = 2.0\n", "no"},
    {"diagonal", "y[i, i + j : i in M, j in N] = 1.0\n", "no"},
    {"every_second_of_half", "y[i, 2*j : i in M, j in N - 1] = 1.0\ny[i, 2*j + 1 : i in M, j in N] = 2.0\n", "no"},
};

INSTANTIATE_TEST_SUITE_P(Statements, Partition, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace np::kernel_port::spec
