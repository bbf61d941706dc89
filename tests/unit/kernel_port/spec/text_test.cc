// Printer after parser is the identity on canonical text; other spellings come out canonical; errors name their place.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernel_port/spec/text.h"

namespace np::kernel_port::spec {
namespace {

std::string readFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(SpecText, GoldenSpecsAreCanonical) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden/specs")) {
    if (entry.path().extension() != ".spec") continue;
    const std::string text = readFile(entry.path());
    const auto spec = parseSpec(text, entry.path().filename().string());
    ASSERT_TRUE(spec.ok()) << spec.error().text();
    EXPECT_EQ(printSpec(*spec), text) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 12);
}

struct Spelling {
  const char* given;
  const char* canonical;
};

class Canonical : public testing::TestWithParam<Spelling> {};

constexpr const char* kDeclarations =
    "sizes M, N, k\nbuffer x f32[M, N] in\nbuffer v f32[N] in\nbuffer q i32[M] in\nbuffer y f32[M, N] out\n"
    "buffer h f16[M, N] inout\nscalar a f32\n";

TEST_P(Canonical, PrintsAndParsesBack) {
  const auto spec = parseSpec(std::string(kDeclarations) + GetParam().given);
  ASSERT_TRUE(spec.ok()) << spec.error().text();
  EXPECT_EQ(printFormulas(*spec), GetParam().canonical);
  const auto again = parseSpec(printSpec(*spec));
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(printSpec(*again), printSpec(*spec));
}

INSTANTIATE_TEST_SUITE_P(
    SpecText, Canonical,
    testing::Values(
        Spelling{"y[r in M, c in N] = x[r, c]*a", "y[i in M, j in N] = a*x[i, j]\n"},
        Spelling{"y[r in M, c in N] = where(x[r, c] > 0.5, 1.0, -2.0*x[r,c])",
                 "y[i in M, j in N] = where(0.5 < x[i, j], 1.0, -2.0*x[i, j])\n"},
        // "k" is a size here, so the reduction's axis gets an underscore.
        Spelling{"y[r in M, c in N] = sum(x[r, p]*v[p] for p in N)",
                 "y[i in M, j in N] = sum(v[k_]*x[i, k_] for k_ in N)\n"},
        Spelling{"m(r) = max(x[r, p] for p in N)\ny[r in M, c in N] = x[r, c] - m(r)",
                 "y[i in M, j in N] = x[i, j] - max(x[i, k_] for k_ in N)\n"},
        Spelling{"y[r in M, c in N] = (x[r, c] + a) * (x[r, c] + a)", "y[i in M, j in N] = square(a + x[i, j])\n"},
        Spelling{"y[r in M, c in N] = x[r, c] + (v[c] + a)", "y[i in M, j in N] = a + v[j] + x[i, j]\n"},
        Spelling{"y[r in M, c in N] = x[r, N - 1 - c]", "y[i in M, j in N] = x[i, -j + N - 1]\n"},
        Spelling{"y[r in M, c in N] = sum(x[r, p] for p in N if p <= c)",
                 "y[i in M, j in N] = sum(x[i, k_] for k_ in N if k_ <= j)\n"},
        Spelling{"y[r in M, c in N] = sum(sum(x[p, q2] for q2 in N) for p in M)/f32(M*N)",
                 "y[i in M, j in N] = sum(sum(x[k2, k_] for k_ in N) for k2 in M)/f32(M*N)\n"},
        Spelling{"y[r in M, c in N] = pad(x[r - 1, c + 1], 0.0)", "y[i in M, j in N] = pad(x[i - 1, j + 1], 0.0)\n"},
        Spelling{"y[r in M, c in N] = x[q[r], c]", "y[i in M, j in N] = x[q[i], j]\n"},
        Spelling{"h[r in M, c in N] = f16(a*f32(h[r, c]))", "h[i in M, j in N] = f16(a*f32(h[i, j]))\n"},
        Spelling{"h[r in M, c in N] = h[r, c]*0.5f16", "h[i in M, j in N] = 0.5f16*h[i, j]\n"},
        Spelling{"y[r, c + N//2 : r in M, c in N//2] = 0.1 - -x[r, c]",
                 "y[i, j + N//2 : i in M, j in N//2] = 0.1 + x[i, j]\n"},
        Spelling{"y[r in M, c in N] = rec(c, a, x[r, c], 0.0)", "y[i in M, j in N] = rec(j, a, x[i, j], 0.0)\n"},
        Spelling{"y[r in M, c in N] = where(not (x[r, c] < a), 1e-30, -inf)",
                 "y[i in M, j in N] = where(x[i, j] < a, -inf, 1e-30)\n"},
        Spelling{"y[r in M, c in N] = x[r, c] - 0.0*(a - (a - a))",
                 "y[i in M, j in N] = x[i, j] - 0.0*(a - (a - a))\n"}));

struct Mistake {
  const char* text;
  const char* location;
  const char* message;
};

class Rejects : public testing::TestWithParam<Mistake> {};

TEST_P(Rejects, NamesThePlace) {
  const auto spec = parseSpec(GetParam().text, "a.spec");
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().location, GetParam().location) << spec.error().text();
  EXPECT_NE(spec.error().message.find(GetParam().message), std::string::npos) << spec.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    SpecText, Rejects,
    testing::Values(
        Mistake{"sizes n\ny[i in n] = 1.0", "a.spec:2:1", "\"y\" is not a declared buffer"},
        Mistake{"sizes n\nbuffer y f32[n] out\ny[i in n] = z", "a.spec:3:13", "\"z\" is not an axis"},
        Mistake{"sizes n\nbuffer y f32[n] out\ny[i in n] = 1.0 +", "a.spec:3:18", "end of line where a value"},
        Mistake{"sizes n\nbuffer y f32[n] out\ny[i in n] = i*1.0", "a.spec:3:14", "on i32 and f32, cast"},
        Mistake{"sizes n\nbuffer y f32[n, n] out\ny[i in n, j in n] = y[i]", "a.spec:3:21", "has 2 dimensions"},
        Mistake{"sizes n, n", "a.spec:1:10", "declared twice"},
        Mistake{"sizes sum", "a.spec:1:7", "word of the Spec language"},
        Mistake{"sizes n\nbuffer y f99[n] out", "a.spec:2:10", "not a type"},
        Mistake{"sizes n\nbuffer y f32[n//(n-1)] out", "a.spec:2:15", "divisor that is at least 1"},
        Mistake{"sizes n\nbuffer y f32[n] out\ny[i in n] = foo(1.0)", "a.spec:3:13", "not a function or macro"},
        Mistake{"sizes n $", "a.spec:1:9", "character \"$\""},
        Mistake{"sizes n\nbuffer y f32[n] out\ny[i in n] = 1", "", "gives i32 to a buffer of f32"},
        Mistake{"sizes n\nbuffer y f32[n] in\ny[i in n] = 1.0", "", "buffer of role in"}));

}  // namespace
}  // namespace np::kernel_port::spec
