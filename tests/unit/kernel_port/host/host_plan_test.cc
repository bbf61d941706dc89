// Host functions built by hand: sizes shared through checks, flattened tensors, scalars, refusals that quote the
// source.

#include "kernel_port/host/host_plan.h"

#include <gtest/gtest.h>

#include "kernel_port/launch/launch_file.h"

namespace np::kernel_port::host {
namespace {

using analyzer::HostExpr;
using analyzer::HostFunction;
using analyzer::HostStatement;

HostExpr name(const std::string& n) { return {HostExpr::Kind::Name, n, n}; }
HostExpr integer(std::int64_t v) {
  HostExpr e{HostExpr::Kind::Integer, std::to_string(v)};
  e.integer_value = v;
  return e;
}
HostExpr method(const std::string& object, const std::string& what, std::vector<HostExpr> args = {}) {
  HostExpr e{HostExpr::Kind::Method, object + "." + what + "()", what};
  e.args.push_back(name(object));
  for (HostExpr& a : args) e.args.push_back(a);
  return e;
}
HostExpr dataPtr(const std::string& object, const std::string& type = "float *") {
  HostExpr e = method(object, "data_ptr");
  e.type = type;
  return e;
}
HostExpr binary(HostExpr a, const std::string& op, HostExpr b) {
  HostExpr e{HostExpr::Kind::Binary, a.text + " " + op + " " + b.text, op};
  e.args = {a, b};
  return e;
}
HostExpr call(const std::string& f, std::vector<HostExpr> args) {
  HostExpr e{HostExpr::Kind::Call, f + "(…)", f};
  e.args = std::move(args);
  return e;
}
HostStatement let(const std::string& n, HostExpr value, const std::string& type = "int") {
  HostStatement s;
  s.kind = HostStatement::Kind::Let;
  s.name = n;
  s.type = type;
  s.text = type + " " + n + " = " + value.text;
  s.value = std::move(value);
  return s;
}
HostStatement check(HostExpr value) {
  HostStatement s;
  s.kind = HostStatement::Kind::Check;
  s.text = value.text;
  s.value = std::move(value);
  return s;
}
HostStatement launch(const std::string& kernel, HostExpr grid, HostExpr block, std::vector<HostExpr> args) {
  HostStatement s;
  s.kind = HostStatement::Kind::Launch;
  s.kernel = kernel;
  s.grid = {grid};
  s.block = {block};
  s.shared = integer(0);
  s.args = std::move(args);
  return s;
}
HostStatement ret(HostExpr value) {
  HostStatement s;
  s.kind = HostStatement::Kind::Return;
  s.value = std::move(value);
  return s;
}

HostFunction biasLike() {
  HostFunction f;
  f.name = "bias_gelu";
  f.params = {{"x", "torch::Tensor", true}, {"bias", "torch::Tensor", true}};
  f.body = {
      check(binary(method("bias", "size", {integer(0)}), "==", method("x", "size", {integer(1)}))),
      check(binary(method("x", "dim"), "==", integer(2))),
      let("rows", method("x", "size", {integer(0)})),
      let("cols", method("x", "size", {integer(1)})),
      let("y", call("torch::empty_like", {name("x")}), "at::Tensor"),
      let("blocks", binary(binary(binary(name("rows"), "*", name("cols")), "+", integer(255)), "/", integer(256))),
      launch("bias_gelu_kernel", name("blocks"), integer(256),
             {dataPtr("x"), dataPtr("bias"), dataPtr("y"), name("rows"), name("cols")}),
      ret(name("y"))};
  return f;
}

TEST(HostPlan, SharesSizesThroughChecks) {
  const HostFunction f = biasLike();
  const auto plan = planHost(f);
  ASSERT_TRUE(plan.ok()) << plan.error().text();
  ASSERT_EQ(plan->buffers.size(), 3u);
  EXPECT_EQ(plan->buffers[0].extent, (std::vector<std::string>{"rows", "cols"}));
  EXPECT_EQ(plan->buffers[1].extent, (std::vector<std::string>{"cols"}));
  EXPECT_EQ(plan->buffers[2].role, "out");
  EXPECT_EQ(plan->launches[0].grid[0], "((rows * cols) + 255) / 256");
  EXPECT_EQ(plan->launches[0].args, (std::vector<std::string>{"x", "bias", "y", "rows", "cols"}));
  const auto text = launchFileText(*plan, "bias.cu");
  ASSERT_TRUE(text.ok());
  const auto parsed = launch::parseLaunchFile(*text, "bias.launch.json");
  ASSERT_TRUE(parsed.ok()) << parsed.error().text() << *text;
  EXPECT_EQ(parsed->size_names.size(), 2u);
}

TEST(HostPlan, FlattensWhatIsOnlyCounted) {
  HostFunction f;
  f.name = "scale";
  f.params = {{"x", "at::Tensor", true}, {"alpha", "double", false}};
  HostExpr cast{HostExpr::Kind::Cast, "(float)alpha", "float"};
  cast.args = {name("alpha")};
  f.body = {let("n", method("x", "numel")), let("y", call("at::empty_like", {name("x")}), "at::Tensor"),
            launch("scale_kernel", binary(binary(name("n"), "+", integer(127)), "/", integer(128)), integer(128),
                   {name("n"), cast, dataPtr("x"), dataPtr("y")}),
            ret(name("y"))};
  const auto plan = planHost(f);
  ASSERT_TRUE(plan.ok()) << plan.error().text();
  EXPECT_TRUE(plan->buffers[0].flattened);
  EXPECT_EQ(plan->buffers[0].extent, std::vector<std::string>{"n"});
  ASSERT_EQ(plan->scalars.size(), 1u);
  EXPECT_EQ(plan->scalars[0].type, "f32");
  const std::string op = pythonOp(*plan, "ns::scale", "scale_nki", "scale_kernel");
  EXPECT_NE(op.find("x=x.reshape(-1)"), std::string::npos) << op;
  EXPECT_NE(op.find("out_y.reshape(x.shape)"), std::string::npos) << op;
  EXPECT_NE(op.find("_require(x.is_contiguous()"), std::string::npos) << op;
}

TEST(HostPlan, KeepsDivisibilityAsACondition) {
  HostFunction f = biasLike();
  f.body.insert(f.body.begin(),
                check(binary(binary(method("x", "size", {integer(1)}), "%", integer(4)), "==", integer(0))));
  const auto plan = planHost(f);
  ASSERT_TRUE(plan.ok()) << plan.error().text();
  EXPECT_EQ(plan->where, std::vector<std::string>{"cols % 4 == 0"});
  const auto text = launchFileText(*plan, "a.cu");
  ASSERT_TRUE(text.ok());
  const auto parsed = launch::parseLaunchFile(*text, "a.launch.json");
  ASSERT_TRUE(parsed.ok());
  for (const auto& sizes : parsed->cases) EXPECT_EQ(sizes[1] % 4, 0);
}

TEST(HostPlan, RefusesWhatItDoesNotUnderstandAndQuotesIt) {
  HostFunction f = biasLike();
  f.body[6].args[3] = HostExpr{HostExpr::Kind::Unknown, "lookup_rows(x)"};
  const auto plan = planHost(f);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, "NPT2920");
  EXPECT_NE(plan.error().message.find("lookup_rows(x)"), std::string::npos);
}

TEST(HostPlan, RefusesInPlaceOps) {
  HostFunction f = biasLike();
  f.body.back() = ret(name("x"));
  EXPECT_FALSE(planHost(f).ok());
}

TEST(HostPlan, RefusesConditionals) {
  HostFunction f = biasLike();
  HostStatement conditional;
  conditional.kind = HostStatement::Kind::If;
  conditional.text = "if (rows > 4) return x;";
  f.body.insert(f.body.begin() + 4, conditional);
  EXPECT_FALSE(planHost(f).ok());
}

}  // namespace
}  // namespace np::kernel_port::host
