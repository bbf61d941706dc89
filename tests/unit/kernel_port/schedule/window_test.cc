// Padded loads and recurrences at random sizes: legal on every target and equal to the Spec's evaluator, plus the text
// of what is emitted for each form.
#include <gtest/gtest.h>

#include <random>

#include "kernel_port/schedule/schedule.h"
#include "kernel_port/spec/text.h"
#include "runtime/tile/text.h"
#include "runtime/tile/verify.h"
#include "tests/unit/kernel_port/schedule/tile_check.h"

namespace np::kernel_port::schedule {
namespace {

struct Case {
  const char* name;
  const char* text;
  std::vector<int64_t> largest;  // of random sizes, and one of the ends
  int trials = 20;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Window : public testing::TestWithParam<Case> {};

TEST_P(Window, RightAtRandomSizes) {
  const Case& c = GetParam();
  const auto spec = spec::parseSpec(c.text, c.name);
  ASSERT_TRUE(spec.ok()) << spec.error().text();
  const auto made = schedule(*spec, {c.name, 8});
  ASSERT_TRUE(made.ok()) << made.error().code << " " << made.error().text();
  if (getenv("NP_SHOW_TILE")) std::puts(tile::print(made->program).c_str());
  std::mt19937 random(7);
  for (int trial = 0; trial < c.trials; ++trial) {
    spec::SizeValues sizes;
    std::string at;
    for (size_t i = 0; i < c.largest.size(); ++i) {
      // Tiny ones first, then around the partition count, then anywhere.
      const int64_t most = trial < 4 ? 4 : (trial < 8 ? std::min<int64_t>(c.largest[i], 135) : c.largest[i]);
      const int64_t value = trial == 0 ? 1 : 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
      sizes[spec->sizes[i]] = value;
      at += " " + std::to_string(value);
    }
    EXPECT_EQ(checkAt(*spec, made->program, sizes, static_cast<unsigned>(trial) + 1), "") << "at" << at;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schedule, Window,
    testing::Values(
        Case{"stencil",
             "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = 0.25*pad(x[i - 1], 0.0) + 0.5*x[i] + "
             "0.25*pad(x[i + 1], 0.0)\n",
             {70000},
             40},
        Case{"wide_stencil",
             "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = sum(pad(x[i + k - 8], 1.5) for k in 17)\n",
             {9000}},
        Case{"far_shift",
             "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = pad(x[i - 700], -2.0) + pad(x[i + 900], "
             "3.0)\n",
             {5000},
             40},
        Case{"shift_by_a_size",
             "sizes n, S\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = x[i] - pad(x[i - S], 0.0)\n",
             {5000, 6000},
             40},
        Case{"other_length",
             "sizes n, m\nbuffer x f32[m] in\nbuffer y f32[n] out\ny[i in n] = pad(x[i], 7.0)\n",
             {5000, 5000},
             40},
        Case{"row_shift",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = x[i, j] - pad(x[i, j - "
             "1], 0.0)\n",
             {300, 3000}},
        Case{"two_pads_of_one_address",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = pad(x[i - 1, j + N], 1.0) "
             "+ pad(x[i, j], 0.0) + pad(x[i - 1, j + 1], 0.0) + pad(x[i - 1, j + 1], 5.0)\n",
             {300, 600}},
        Case{"conv3",
             "sizes H, W\nbuffer x f32[H, W] in\nbuffer w f32[3, 3] in\nbuffer y f32[H, W] out\n"
             "y[i in H, j in W] = sum(sum(w[k2, k]*pad(x[i + k2 - 1, j + k - 1], 0.0) for k in 3) for k2 in 3)\n",
             {300, 2100}},
        Case{"maxpool3p",
             "sizes H, W\nbuffer x f32[H, W] in\nbuffer y f32[(H + 1)//2, (W + 1)//2] out\n"
             "y[i in (H + 1)//2, j in (W + 1)//2] = max(max(pad(x[2*i + k2 - 1, 2*j + k - 1], -3.4028235e+38) for k in "
             "3) for k2 in 3)\n",
             {600, 4200}},
        Case{"dilated_stride_3",
             "sizes H, W\nbuffer x f32[H, W] in\nbuffer y f32[H, W] out\ny[i in H, j in W] = pad(x[3*i - 5, 2*j - 7], "
             "-1.0)\n",
             {300, 500}},
        Case{"transposed_pad",
             "sizes M, N\nbuffer x f32[N, M] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = pad(x[j - 2, i + 1], "
             "9.0)\n",
             {300, 300}},
        Case{"padded_row_sum",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M] out\ny[i in M] = sum(x[i, k]*pad(x[i - 1, k], 0.0) "
             "for k in N)\n",
             {200, 600}},
        Case{"padded_dot",
             "sizes n\nbuffer x f32[n] in\nbuffer y f32[1] out\ny[i in 1] = sum(x[k]*pad(x[k + 1], 0.0) for k in n)\n",
             {70000}},
        Case{"padded_matmul",
             "sizes M, N, K\nbuffer a f32[M, K] in\nbuffer b f32[K, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = "
             "sum(pad(a[i - 1, k], 0.0)*b[k, j] for k in K)\n",
             {150, 150, 150}},
        Case{"padded_conv_channels",
             "sizes O, C, H, W\nbuffer x f32[C, H, W] in\nbuffer w f32[O, C, 3, 3] in\nbuffer y f32[O, H, W] out\n"
             "y[o in O, r in H, q in W] = sum(sum(sum(w[o, c, a, b]*pad(x[c, r + a - 1, q + b - 1], 0.0) for b in 3) "
             "for a in 3) for c in C)\n",
             {20, 20, 12, 30},
             8},
        Case{"seven_point",
             "sizes A, B, C\nbuffer x f32[A, B, C] in\nbuffer y f32[A, B, C] out\n"
             "y[a in A, b in B, c in C] = pad(x[a - 1, b, c], 0.0) + pad(x[a + 1, b, c], 0.0) + pad(x[a, b - 1, c], "
             "0.0) + pad(x[a, b + 1, c], 0.0) + pad(x[a, b, c - 1], 0.0) + pad(x[a, b, c + 1], 0.0) - 6.0*x[a, b, "
             "c]\n",
             {140, 20, 40},
             12},
        Case{"half_pad",
             "sizes n\nbuffer x f16[n] in\nbuffer y f16[n] out\ny[i in n] = f16(f32(x[i]) + f32(pad(x[i - 1], "
             "f16(0.0))))\n",
             {3000}},
        Case{"ema",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\nscalar a f32\ny[i in M, j in N] = "
             "rec(j, 0.25*a, x[i, j], 0.0)\n",
             {300, 2500}},
        Case{"gated",
             "sizes M, N\nbuffer g f32[M, N] in\nbuffer x f32[M, N] in\nbuffer h f32[M] in\nbuffer y f32[M, N] out\n"
             "s(i, j) = 1.0/(1.0 + exp(-g[i, j]))\ny[i in M, j in N] = x[i, j]*rec(j, s(i, j), (1.0 - s(i, j))*x[i, "
             "j], h[i])\n",
             {200, 900}},
        Case{"running_sum",
             "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = rec(i, 1.0, x[i], 0.0)\n",
             {9000}},
        Case{"batched_running_sum",
             "sizes A, B, C\nbuffer x f32[A, B, C] in\nbuffer y f32[A, B, C] out\ny[a in A, b in B, c in C] = rec(c, "
             "1.0, x[a, b, c], 0.0)\n",
             {5, 140, 60}},
        Case{"down_the_columns",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = rec(i, 0.5, x[i, j], "
             "0.0)\n",
             {300, 300}}),
    [](const auto& info) { return std::string(info.param.name); });

// "" or the first rule broken at `sizes`; large ones are not run.
std::string illegalAt(const char* text, const tile::Bindings& sizes) {
  const auto spec = spec::parseSpec(text);
  EXPECT_TRUE(spec.ok()) << spec.error().text();
  const auto made = schedule(*spec, {});
  if (!made.ok()) return made.error().text();
  const auto flat = tile::instantiate(made->program, sizes);
  if (!flat.ok()) return flat.error().text();
  const auto violations = tile::verify(*flat, *tile::hardwareFor("trn2"), 1);
  return violations.empty() ? "" : violations[0].message;
}

TEST(WindowCapacity, ManyTapsOfLongRowsFit) {
  EXPECT_EQ(illegalAt("sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\n"
                      "y[i in n] = sum(pad(x[i + k - 31], 0.0) for k in 63)\n",
                      {{"n", 600'001}}),
            "");
  EXPECT_EQ(illegalAt("sizes H, W\nbuffer x f32[H, W] in\nbuffer w f32[7, 7] in\nbuffer y f32[H, W] out\n"
                      "y[i in H, j in W] = sum(sum(w[a, b]*pad(x[i + a - 3, j + b - 3], 0.0) for b in 7) for a in 7)\n",
                      {{"H", 130}, {"W", 2049}}),
            "");
}

TEST(WindowCapacity, ARecurrenceThatIsLetInFits) {
  const char* gated =
      "sizes M, N\nbuffer g f32[M, N] in\nbuffer x f32[M, N] in\nbuffer h f32[M] in\nbuffer y f32[M, N] out\n"
      "s(i, j) = 1.0/(1.0 + exp(-g[i, j]))\ny[i in M, j in N] = x[i, j]*rec(j, s(i, j), (1.0 - s(i, j))*x[i, j], "
      "h[i])\n";
  const char* sum = "sizes N\nbuffer x f32[N] in\nbuffer y f32[N] out\ny[i in N] = rec(i, 1.0, x[i], 0.0)\n";
  for (const char* text : {gated, sum}) {
    int64_t low = 1, high = 40000;  // the entry guard lets `low` in and not `high`
    const auto guarded = [&](int64_t n) {
      const std::string wrong = illegalAt(text, {{"M", 1}, {"N", n}});
      EXPECT_TRUE(wrong.empty() || wrong.find("requirement") != std::string::npos) << wrong << " at " << n;
      return !wrong.empty();
    };
    EXPECT_FALSE(guarded(low));
    EXPECT_TRUE(guarded(high));
    while (high - low > 1) (guarded((low + high) / 2) ? high : low) = (low + high) / 2;
    EXPECT_GT(low, 2000);
    EXPECT_FALSE(guarded(low));
  }
}

std::string programOf(const char* text) {
  const auto spec = spec::parseSpec(text);
  EXPECT_TRUE(spec.ok()) << spec.error().text();
  const auto made = schedule(*spec, {});
  EXPECT_TRUE(made.ok()) << made.error().text();
  return tile::print(made->program);
}

TEST(WindowText, APaddedRowIsAnOrdinaryLoadWhereItIsInside) {
  const std::string text = programOf(
      "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = pad(x[i, j - 1], 2.5)\n");
  EXPECT_EQ(text, R"(kernel @kernel(in %x: f32[M, N], out %y: f32[M, N]) sizes(M, N) requires(M >= 1, N >= 1) {
  for c in 0..N step 2048 {
    let c_n = min(2048, N - c)
    for r in 0..M step 128 {
      let r_n = min(128, M - r)
      tile %x_t: sbuf f32[r_n, c_n]
      let at = r
      let at2 = -1 + c
      let low = max(0, 0 - at)
      let count = min(r_n, max(0, M - at)) - low
      let low2 = max(0, 0 - at2)
      let count2 = min(c_n, max(0, N - at2)) - low2
      if count == r_n and count2 == c_n {
        dma_copy %x_t, %x[r+:r_n, -1 + c+:c_n]
      } else {
        memset %x_t, 2.5
        if count >= 1 and count2 >= 1 {
          dma_copy %x_t[low+:count, low2+:count2], %x.ap(-1 + (r + low)*N + c + low2, [N, count], [1, count2])
        }
      }
      dma_copy %y[r+:r_n, c+:c_n], %x_t
    }
  }
}
)");
}

TEST(WindowText, ARecurrenceIsOneScanOfRows) {
  const std::string text = programOf(
      "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = rec(j, 0.5, x[i, j], 0.0)\n");
  EXPECT_EQ(text,
            R"(kernel @kernel(in %x: f32[M, N], out %y: f32[M, N]) sizes(M, N) requires(N <= 15000, M >= 1, N >= 1) {
  for r in 0..M step 128 {
    let r_n = min(128, M - r)
    tile %c: sbuf f32[r_n, 1]
    memset %c, 0.5
    tile %x_t: sbuf f32[r_n, N]
    dma_copy %x_t, %x[r+:r_n, 0:N]
    tile %t: sbuf f32[r_n, N]
    tensor_tensor_scan %t, %c.broadcast(1, N), %x_t, 0.0, multiply, add
    dma_copy %y[r+:r_n, 0:N], %t
  }
}
)");
}

struct Refusal {
  const char* text;
  const char* code;
};

class WindowRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(WindowRefuses, ByName) {
  const auto spec = spec::parseSpec(GetParam().text);
  ASSERT_TRUE(spec.ok()) << spec.error().text();
  const auto made = schedule(*spec, {});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, GetParam().code) << made.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    Schedule, WindowRefuses,
    testing::Values(
        Refusal{"sizes M, N\nbuffer x f32[M + N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = pad(x[i + j - 1], "
                "0.0)\n",
                "SCHED-PAD"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = pad(x[1 - i], 0.0)\n",
                "SCHED-NEGATIVE-STRIDE"},
        Refusal{"sizes n\nbuffer x f16[n] in\nbuffer y f16[n] out\ny[i in n] = rec(i, f16(1.0), x[i], f16(0.0))\n",
                "SCHED-SCAN-TYPE"},
        Refusal{"sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = rec(i, 0.5, x[i, j], "
                "0.0) + rec(j, 0.5, x[i, j], 0.0)\n",
                "SCHED-SCAN-AXIS-NOT-FREE"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = rec(i, 0.5, x[i], x[i])\n",
                "SCHED-SCAN"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer w f32[n] in\nbuffer v f32[n] in\nbuffer y f32[n] out\ny[i in n] = "
                "pad(x[i - 1], 0.0)*exp(w[i])\n",
                "SCHED-PAD-FACTOR"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer w f32[n] in\nbuffer v f32[n] in\nbuffer y f32[n] out\ny[i in n] = "
                "pad(x[i - 1], 0.0)*w[i]*v[i]\n",
                "SCHED-PAD-FACTOR"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer w f32[n] in\nbuffer v f32[n] in\nbuffer y f32[n] out\ny[i in n] = "
                "pad(x[i - 1], 0.0)*(1000.0*w[i])\n",
                "SCHED-PAD-FACTOR"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer w f32[n] in\nbuffer v f32[n] in\nbuffer y f32[n] out\ny[i in n] = "
                "pad(x[i - 1], 0.0)/w[i]\n",
                "SCHED-PAD-FACTOR"}));

}  // namespace
}  // namespace np::kernel_port::schedule
