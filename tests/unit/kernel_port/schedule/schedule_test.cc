// Golden Specs through the scheduler: legal on every target and right at the case sizes, at tiny ones, and at random
// ragged sizes that nothing was chosen for.
#include "kernel_port/schedule/schedule.h"

#include <gtest/gtest.h>

#include "runtime/tile/text.h"
#include "tests/unit/kernel_port/schedule/tile_check.h"

namespace np::kernel_port::schedule {
namespace {

struct Case {
  const char* name;
  std::vector<std::vector<int64_t>> sizes;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, LegalAndRight) {
  const spec::Spec spec = goldenSpec(GetParam().name);
  const auto made = schedule(spec, {GetParam().name, 8});
  ASSERT_TRUE(made.ok()) << made.error().text();
  EXPECT_TRUE(made->excluded.empty()) << made->excluded[0].text();
  unsigned seed = 1;
  for (const auto& values : GetParam().sizes) {
    spec::SizeValues sizes;
    for (size_t i = 0; i < values.size(); ++i) sizes[spec.sizes[i]] = values[i];
    const std::string wrong = checkAt(spec, made->program, sizes, seed++);
    std::string at;
    for (int64_t value : values) at += " " + std::to_string(value);
    EXPECT_EQ(wrong, "") << "at" << at << "\n" << (getenv("NP_SHOW_TILE") ? tile::print(made->program) : "");
  }
  if (getenv("NP_SHOW_TILE")) std::puts(tile::print(made->program).c_str());
}

using Sizes = std::vector<std::vector<int64_t>>;
const Sizes kOneAxis = {{67},  {131},  {300},  {512},  {1},     {2},     {129},  {511},
                        {513}, {1000}, {1025}, {7777}, {65535}, {65536}, {70001}};
const Sizes kTwoAxes = {{3, 67}, {13, 21}, {16, 40}, {5, 300},   {8, 256},   {45, 21},  {1, 1},
                        {2, 2},  {129, 1}, {1, 129}, {130, 257}, {300, 777}, {7, 2049}, {2, 9001}};
const Sizes kThreeAxes = {{19, 37, 23}, {33, 18, 41}, {16, 32, 48},    {1, 1, 1},       {2, 2, 2},     {129, 1, 1},
                          {1, 129, 1},  {1, 1, 129},  {130, 131, 140}, {140, 550, 150}, {3, 1030, 130}};

INSTANTIATE_TEST_SUITE_P(
    Schedule, Golden,
    testing::Values(Case{"saxpy", kOneAxis}, Case{"gelu", kOneAxis}, Case{"bias", kTwoAxes}, Case{"lrelu", kOneAxis},
                    Case{"vec4add", {{68}, {140}, {512}, {4}, {516}, {65540}}}, Case{"rowsum_sh", kTwoAxes},
                    Case{"rowsum_shfl", kTwoAxes}, Case{"softmax", kTwoAxes}, Case{"layernorm", kTwoAxes},
                    Case{"matmul", kThreeAxes}, Case{"matmul_tiled", kThreeAxes}, Case{"transpose", kTwoAxes}));

}  // namespace
}  // namespace np::kernel_port::schedule
