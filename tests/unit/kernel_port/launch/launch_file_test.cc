// Launch files: every form is read, every mistake names the thing and its JSON pointer, and no mutilated text crashes.

#include "kernel_port/launch/launch_file.h"

#include <gtest/gtest.h>

#include "kernel_port/launch/launch_plan.h"

namespace np::kernel_port::launch {
namespace {

constexpr const char* kGood = R"json({
 "version": 1, "source": "k.cu",
 "sizes": {"names": ["M", "N"], "cases": [[3, 67], [5, 131]], "where": ["N <= 4096"]},
 "buffers": {
  "x": {"type": "f32", "extent": ["M", "N"], "role": "in", "init": "normal"},
  "tok": {"type": "i32", "extent": ["M"], "role": "in", "init": {"kind": "randint", "low": "0", "high": "N"}},
  "y": {"type": "f32", "extent": ["M", "N-2"], "role": "out"}},
 "scalars": {"eps": {"type": "f32", "value": 1e-5}, "mode": {"type": "i32", "value": 2}},
 "launches": [{"kernel": "k<float, 128>", "grid": ["ceildiv(M*N,128)"], "block": ["128", 1, "1"], "shared": "N*4",
   "args": ["M", "3", "M*N", "x", "tok", "eps", {"struct": [{"type": "f32", "value": "eps"}, {"type": "i64", "value": "N"}]}, {"struct": []}, "y"]
}]
})json";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(LaunchFile, ReadsEveryForm) {
  auto file = parseLaunchFile(kGood, "dir/k.launch.json");
  ASSERT_TRUE(file.ok()) << file.error().text();
  EXPECT_EQ(file->source, "dir/k.cu");
  EXPECT_EQ(file->buffers[1].name, "tok");
  EXPECT_EQ(file->where[0].text, "N <= 4096");

  auto plan = planCase(*file, {3, 67});
  ASSERT_TRUE(plan.ok()) << plan.error().text();
  const LaunchPlan& launch = plan->launches[0];
  EXPECT_EQ(launch.grid, (std::array<int64_t, 3>{2, 1, 1}));
  EXPECT_EQ(launch.block, (std::array<int64_t, 3>{128, 1, 1}));
  EXPECT_EQ(launch.shared, 268);
  EXPECT_EQ(plan->buffers[2].elements, 195);
  EXPECT_EQ(std::get<IntegerArg>(launch.args[2]).value, 201);
  EXPECT_EQ(std::get<BufferArg>(launch.args[4]).index, 1);
  const auto& bytes = std::get<BytesArg>(launch.args[6]).bytes;
  ASSERT_EQ(bytes.size(), 16u);  // float at 0, padding, int64 at 8
  EXPECT_EQ(bytes[8], 67);
  EXPECT_EQ(std::get<BytesArg>(launch.args[7]).bytes.size(), 1u);
}

struct Mistake {
  const char *from, *to, *location, *message;
};

TEST(LaunchFile, MistakesNameThePlace) {
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"\"version\": 1", "\"version\": 2", "#/version", "reads version 1"},
           {"\"source\": \"k.cu\"", "\"source\": 4", "#/source", "expected a string, found number"},
           {"\"sizes\"", "\"size\"", "#/", "key \"sizes\" is missing"},
           {"\"scalars\"", "\"scalar\"", "#/", "did you mean \"scalars\"?"},
           {"[5, 131]", "[5]", "#/sizes/cases/1", "expected 2 sizes, found 1"},
           {"[5, 131]", "[5, \"a\"]", "#/sizes/cases/1/1", "expected an integer"},
           {"[5, 131]", "[-5, 131]", "#/sizes/cases/1/0", "is negative"},
           {"[5, 131]", "[5, 5000]", "#/sizes/cases/1", "breaks the condition \"N <= 4096\""},
           {"N <= 4096", "K <= 4096", "#/sizes/where/0", "unknown size \"K\""},
           {"\"type\": \"f32\", \"extent\"", "\"type\": \"float\", \"extent\"", "#/buffers/x/type",
            "unknown type \"float\""},
           {"\"extent\": [\"M\", \"N-2\"]", "\"extent\": [\"M\", \"NN-2\"]", "#/buffers/y/extent/1",
            "unknown size \"NN\"; did you mean \"N\"?"},
           {"\"N-2\"", "\"N-\"", "#/buffers/y/extent/1", "an operand is missing"},
           {"\"role\": \"out\"", "\"role\": \"output\"", "#/buffers/y/role", "unknown role \"output\""},
           {"\"init\": \"normal\"", "\"init\": \"gauss\"", "#/buffers/x/init", "unknown initial values \"gauss\""},
           {"\"role\": \"out\"", "\"role\": \"inout\"", "#/buffers/y", "\"init\" is missing"},
           {"{\"type\": \"i32\", \"extent\"", "{\"type\": \"f32\", \"extent\"", "#/buffers/tok/init/kind",
            "needs an integer type"},
           {"\"value\": 2", "\"value\": 3000000000", "#/scalars/mode/value", "does not fit type \"i32\""},
           {"\"value\": 1e-5", "\"value\": \"small\"", "#/scalars/eps/value", "expected a number"},
           {"\"eps\": {", "\"M\": {", "#/scalars/M", "the name \"M\" is given twice"},
           {"\"tok\", \"eps\"", "\"tok\", \"epsilon\"", "#/launches/0/args/5", "is named \"epsilon\""},
           {"\"grid\": [\"ceildiv(M*N,128)\"]", "\"grid\": [1,2,3,4]", "#/launches/0/grid", "one to three"},
           {"\"args\": [", "\"args\": [[], ", "#/launches/0/args/0", "expected an integer expression, found array"},
           {"\"version\": 1,", "\"version\": 1, \"data\": \"f.npz\",", "#/data", "not supported yet"}}) {
    auto file = parseLaunchFile(replaced(kGood, m.from, m.to), "k.launch.json");
    ASSERT_FALSE(file.ok()) << m.to;
    EXPECT_EQ(file.error().location, std::string("k.launch.json") + m.location) << file.error().text();
    EXPECT_NE(file.error().message.find(m.message), std::string::npos) << file.error().text();
  }
}

TEST(LaunchFile, SyntaxErrorsHaveLineAndColumn) {
  auto file = parseLaunchFile("{\n \"version\": 1,,\n}", "k.launch.json");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().location, "k.launch.json:2:15");
}

TEST(LaunchFile, PlanErrorsNameTheCase) {
  auto file = parseLaunchFile(kGood, "k.launch.json");
  auto plan = planCase(*file, {3, 1});
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().location, "k.launch.json#/buffers/y/extent/1");
  EXPECT_EQ(plan.error().notes[0], "in the case M = 3, N = 1");
  EXPECT_EQ(planCase(*file, {0, 67}).error().location, "k.launch.json#/launches/0/grid/0");
  EXPECT_FALSE(planCase(*file, {1 << 30, 4000}).ok());
  EXPECT_FALSE(planCase(*file, {3}).ok());
  EXPECT_FALSE(planCase(*file, {3, 5000}).ok());
}

TEST(LaunchFile, MissingFileIsAnIoError) {
  EXPECT_EQ(readLaunchFile("does/not/exist.json").error().code, "io");
  EXPECT_EQ(readLaunchFile("tests").error().code, "io");
}

// Every prefix and every single-character change is either read or refused, never a crash.
TEST(LaunchFile, MutilatedTextNeverCrashes) {
  const std::string good = kGood;
  int accepted = 0;
  for (size_t k = 0; k < good.size(); ++k) {
    EXPECT_FALSE(parseLaunchFile(good.substr(0, k), "k.json").ok() && k + 2 < good.size());
    for (char c : {'"', '{', ']', ',', '9', '-', '\0', '\xff'}) {
      std::string changed = good;
      changed[k] = c;
      auto file = parseLaunchFile(changed, "k.json");
      if (!file.ok()) continue;
      ++accepted;
      for (const auto& sizes : file->cases) (void)planCase(*file, sizes).ok();
    }
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace np::kernel_port::launch
