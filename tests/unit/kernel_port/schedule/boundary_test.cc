// Programs at the edges of their facts: for every condition that a program branches on, the largest size that takes one
// side and the smallest that takes the other must be legal (capacity above all), whatever the other sizes are.
#include <gtest/gtest.h>

#include <set>

#include "kernel_port/schedule/schedule.h"
#include "kernel_port/spec/text.h"
#include "runtime/tile/verify.h"
#include "tests/unit/kernel_port/schedule/tile_check.h"

namespace np::kernel_port::schedule {
namespace {

// Conditions over sizes only, outermost first.
void collect(const tile::Block& block, const std::vector<std::string>& sizes, std::vector<tile::Condition>& out) {
  for (const tile::Stmt& stmt : block) {
    const auto* choice = std::get_if<tile::If>(&stmt.node);
    if (!choice) continue;
    tile::Bindings ones;
    for (const std::string& size : sizes) ones[size] = 1;
    if (choice->conditions[0].holds(ones).ok()) out.push_back(choice->conditions[0]);
    collect(choice->then_body, sizes, out);
    collect(choice->else_body, sizes, out);
  }
}

std::string illegalAt(const tile::TileProgram& program, const tile::Bindings& sizes) {
  const auto flat = tile::instantiate(program, sizes);
  if (!flat.ok()) return flat.error().text();
  const auto violations = tile::verify(*flat, *tile::hardwareFor("trn2"), 1);
  return violations.empty() ? "" : violations[0].message;
}

struct Case {
  const char* name;
  const char* text;                        // null: the golden Spec of that name
  int64_t most;                            // of a size that is searched for an edge
  std::vector<int64_t> others = {1, 130};  // what the other sizes are
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Boundary : public testing::TestWithParam<Case> {};

TEST_P(Boundary, LegalOnBothSides) {
  const spec::Spec spec = GetParam().text ? spec::parseSpec(GetParam().text).value() : goldenSpec(GetParam().name);
  const auto made = schedule(spec, {GetParam().name, 8});
  ASSERT_TRUE(made.ok()) << made.error().text();
  std::vector<tile::Condition> conditions;
  collect(made->program.body, spec.sizes, conditions);
  EXPECT_FALSE(conditions.empty());
  int edges = 0;
  std::set<tile::Bindings> seen;
  for (const tile::Condition& condition : conditions) {
    for (const int64_t other : GetParam().others) {
      for (const std::string& size : spec.sizes) {
        tile::Bindings at;
        for (const std::string& name : spec.sizes) at[name] = other;
        const auto holds = [&](int64_t value) {
          at[size] = value;
          return *condition.holds(at);
        };
        int64_t low = 1, high = GetParam().most;
        if (holds(low) == holds(high)) continue;
        while (high - low > 1) {
          const int64_t middle = (low + high) / 2;
          (holds(middle) == holds(low) ? low : high) = middle;
        }
        for (const int64_t value : {low, high}) {
          at[size] = value;
          if (!seen.insert(at).second) continue;
          EXPECT_EQ(illegalAt(made->program, at), "") << size << " = " << value << ", others " << other;
        }
        ++edges;
      }
    }
  }
  EXPECT_GT(edges, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Schedule, Boundary,
    testing::Values(
        Case{"rowsum_sh", nullptr, 40000}, Case{"softmax", nullptr, 40000}, Case{"layernorm", nullptr, 40000},
        Case{"matmul", nullptr, 40000},
        Case{
            "attention",
            "sizes T, D\nbuffer q f32[T, D] in\nbuffer k f32[T, D] in\nbuffer v f32[T, D] in\nbuffer o f32[T, D] out\n"
            "a(i, j) = sum(q[i, d]*k[j, d] for d in D)\nm(i) = max(a(i, j) for j in T)\np(i, j) = exp(a(i, j) - m(i))\n"
            "o[i in T, d in D] = sum(p(i, j)*v[j, d] for j in T)/sum(p(i, j) for j in T)\n",
            6000},
        Case{"layernorm_backward_x",
             "sizes M, N\nbuffer g f32[M, N] in\nbuffer x f32[M, N] in\nbuffer w f32[N] in\nbuffer mu f32[M] in\n"
             "buffer rs f32[M] in\nbuffer y f32[M, N] out\nh(i, j) = (x[i, j] - mu[i])*rs[i]\n"
             "a(i) = sum(g[i, k]*w[k] for k in N)/f32(N)\nb(i) = sum(g[i, k]*w[k]*h(i, k) for k in N)/f32(N)\n"
             "y[i in M, j in N] = rs[i]*(g[i, j]*w[j] - a(i) - h(i, j)*b(i))\n",
             40000}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace np::kernel_port::schedule
