// The arena, the two normal forms, templates and fits on hand-made expressions.
#include <gtest/gtest.h>

#include <cmath>

#include "kernel_port/lift/affine_fit.h"
#include "kernel_port/lift/as_executed.h"
#include "kernel_port/lift/canonicalise.h"
#include "kernel_port/lift/run_fit.h"
#include "kernel_port/lift/template.h"

namespace np::kernel_port::lift {
namespace {

using spec::CmpOp;
using spec::UnOp;

class Expression : public testing::Test {
 protected:
  NodeId x(int64_t i) { return dag.input(0, i, 0.1 * static_cast<double>(i) + 0.3); }
  NodeId w(int64_t i) { return dag.input(1, i, 1.7 - 0.2 * static_cast<double>(i)); }
  NodeId exp(NodeId a) { return dag.call(UnOp::Exp, a); }
  NodeId canonical(NodeId n) { return Canonicaliser(dag, FactorOrder::Sorted).canonical(n); }
  ExprDag dag;
};

TEST_F(Expression, EqualPartsAreOneNode) {
  EXPECT_EQ(dag.add(x(1), x(2)), dag.add(x(1), x(2)));
  EXPECT_NE(dag.add(x(1), x(2)), dag.add(x(1), x(3)));
  for (int64_t i = 0; i < 20000; ++i) (void)x(i);  // grows the table
  EXPECT_EQ(x(7), x(7));
}

TEST_F(Expression, TreeAndChainAreOneSum) {
  NodeId chain = dag.constant(0);
  for (int64_t i = 0; i < 8; ++i) chain = dag.add(chain, x(i));
  std::vector<NodeId> level;
  for (int64_t i = 0; i < 8; ++i) level.push_back(x(i));
  for (size_t half = 4; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) level[i] = dag.add(level[i], level[i + half]);
  EXPECT_NE(chain, level[0]);
  EXPECT_EQ(canonical(chain), canonical(level[0]));
  AsExecuted executed(dag);
  EXPECT_EQ(executed.normal(chain), executed.normal(level[0]));
}

TEST_F(Expression, ButterflyIsLinear) {
  std::vector<NodeId> lanes;
  for (int64_t i = 0; i < 32; ++i) lanes.push_back(x(i));
  for (size_t o = 16; o > 0; o /= 2) {
    std::vector<NodeId> next = lanes;
    for (size_t i = 0; i < 32; ++i) next[i] = dag.add(lanes[i], lanes[i ^ o]);
    lanes = next;
  }
  AsExecuted executed(dag);
  for (NodeId lane : lanes) EXPECT_EQ(executed.normal(lane), executed.normal(lanes[0]));
  EXPECT_EQ(dag.node(executed.normal(lanes[0])).count, 32u);
}

TEST_F(Expression, SumKeepsItsOwnTermApart) {
  NodeId total = dag.constant(0);
  for (int64_t i = 0; i < 9; ++i) total = dag.add(total, x(i));
  AsExecuted executed(dag);
  NodeId residual = executed.normal(dag.add(x(4), total));
  EXPECT_EQ(dag.op(residual), Op::Add);
  EXPECT_EQ(dag.arg(residual, 1), executed.normal(total));
  // The algebra must not give x[4] the coefficient 2 inside the sum either, whatever the order of the operands.
  EXPECT_EQ(canonical(dag.add(x(4), total)), canonical(dag.add(total, x(4))));
  EXPECT_EQ(dag.node(canonical(dag.add(x(4), total))).count, 2u);
}

TEST_F(Expression, OnlineSoftmaxCollapses) {
  NodeId m = dag.constant(-INFINITY), d = dag.constant(0), top = dag.constant(-INFINITY);
  for (int64_t i = 0; i < 6; ++i) {
    NodeId next = dag.extremum(false, m, x(i));
    d = dag.add(dag.mul(d, exp(dag.sub(m, next))), exp(dag.sub(x(i), next)));
    m = next;
    top = dag.extremum(false, top, x(i));
  }
  NodeId plain = dag.constant(0);
  for (int64_t i = 0; i < 6; ++i) plain = dag.add(plain, exp(dag.sub(x(i), top)));
  EXPECT_EQ(canonical(d), canonical(plain));
  EXPECT_NEAR(dag.value(canonical(d)), dag.value(d), 1e-12);
}

TEST_F(Expression, SelectOfTheLargerIsAMaximum) {
  NodeId larger = dag.select(dag.floatCompare(CmpOp::Lt, x(0), x(1)), x(1), x(0));
  EXPECT_EQ(canonical(larger), canonical(dag.extremum(false, x(0), x(1))));
  EXPECT_TRUE(dag.assumptions().contains("no NaN in a comparison that selects a maximum or minimum"));
  NodeId smaller = dag.select(dag.floatCompare(CmpOp::Lt, x(0), x(1)), x(0), x(1));
  EXPECT_EQ(canonical(smaller), canonical(dag.extremum(true, x(0), x(1))));
  EXPECT_NE(canonical(smaller), canonical(larger));
}

TEST_F(Expression, FactorsCommuteOnlyWhenSorted) {
  NodeId a = dag.mul(x(0), x(1)), b = dag.mul(x(1), x(0));
  EXPECT_EQ(canonical(a), canonical(b));
  Canonicaliser program(dag, FactorOrder::Program);
  EXPECT_NE(program.canonical(a), program.canonical(b));
}

TEST_F(Expression, CanonicalIsIdempotentAndKeepsValues) {
  NodeId e =
      dag.div(dag.mul(dag.sub(x(1), w(2)), exp(dag.add(x(3), x(1)))), dag.add(dag.constant(2), dag.mul(x(1), x(1))));
  Canonicaliser c(dag, FactorOrder::Sorted);
  NodeId n = c.canonical(e);
  EXPECT_EQ(c.canonical(n), n);
  EXPECT_NEAR(dag.value(n), dag.value(e), 1e-12);
}

TEST_F(Expression, ReductionsShareATemplateOverSizes) {
  TemplateTable table;
  auto dot = [&](int64_t length) {
    NodeId s = dag.constant(0);
    for (int64_t k = 0; k < length; ++k) s = dag.add(s, dag.mul(x(2 * length + k), w(k)));
    return AsExecuted(dag).normal(s);
  };
  Extents five{{4, 5}, {5}}, seven{{4, 7}, {7}};
  Templater at_five(dag, table, five), at_seven(dag, table, seven);
  Instance a = at_five.instance(dot(5)), b = at_seven.instance(dot(7));
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.vector, (IntVector{2, 0, 0, 0, 1, 1, 5}));  // x[2, k]*w[k]: base, stride, count
  EXPECT_EQ(b.vector, (IntVector{2, 0, 0, 0, 1, 1, 7}));
}

TEST(RunFit, FindsNestedBoxesAndRefusesTriangles) {
  std::vector<IntVector> box;
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 4; ++j) box.push_back({5 + 2 * i, j, i + j});
  Box fitted;
  ASSERT_TRUE(fitBox(box, fitted));
  ASSERT_EQ(fitted.levels.size(), 2u);
  EXPECT_EQ(fitted.levels[0].stride, (IntVector{0, 1, 1}));
  EXPECT_EQ(fitted.levels[0].count, 4);
  EXPECT_EQ(fitted.levels[1].stride, (IntVector{2, 0, 1}));
  std::vector<IntVector> triangle;
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j <= i; ++j) triangle.push_back({i, j});
  EXPECT_FALSE(fitBox(triangle, fitted));
}

TEST(SizeFit, PrefersNamesAndChecksEverySize) {
  launch::LaunchFile file;
  file.size_names = {"M", "N"};
  std::vector<spec::SizeValues> sizes{{{"M", 5}, {"N", 7}}, {{"M", 11}, {"N", 5}}, {{"M", 7}, {"N", 13}}};
  SizeFit fit(file, sizes);
  EXPECT_EQ(fit.fit({7, 5, 13})->text(), "N");
  EXPECT_EQ(fit.fit({35, 55, 91})->text(), "M*N");
  EXPECT_EQ(fit.fit({4, 10, 6})->text(), "M - 1");
  EXPECT_EQ(fit.fit({3, 3, 3})->text(), "3");
  EXPECT_EQ(fit.fit({2, 3, 4}), std::nullopt);
}

}  // namespace
}  // namespace np::kernel_port::lift
