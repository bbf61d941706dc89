// Numerics of the interpreter against values worked out by hand, and its run-time errors.
#include "runtime/tile/interpret.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/tile/convert.h"
#include "runtime/tile/text.h"
#include "runtime/tile/verify.h"

namespace np::tile {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Runs `body` between a load of %x into %t and nothing else; x and y are f32 of the given shapes.
Result<std::vector<float>> runText(const std::string& text, const std::vector<std::vector<float>>& inputs,
                                   size_t count) {
  NP_ASSIGN(const FlatProgram flat, parseFlat(text));
  for (const Violation& violation : verify(flat, *hardwareFor("trn2"))) return makeError("verify", violation.message);
  std::vector<float> out(count, -12345.0f);
  std::vector<std::span<const std::byte>> in;
  for (const auto& input : inputs) in.push_back(std::as_bytes(std::span(input)));
  const std::span<std::byte> outputs[] = {std::as_writable_bytes(std::span(out))};
  NP_TRY(interpret(flat, in, outputs));
  return out;
}

std::string kernel(const std::string& in, const std::string& out, const std::string& body) {
  return "kernel @k(in %x: f32" + in + ", out %y: f32" + out + ") { tile %t: sbuf f32" + in + " tile %r: sbuf f32" +
         out + " dma_copy %t, %x " + body + " dma_copy %y, %r }";
}

struct Numeric {
  const char *shape_in, *shape_out, *body;
  std::vector<float> input, expected;
};

const Numeric kNumerics[] = {
    {"[1, 4]", "[1, 4]", "tensor_copy %r, %t", {1, -2, kInf, 0.5f}, {1, -2, kInf, 0.5f}},
    {"[1, 3]",
     "[1, 3]",
     "tensor_scalar %r, %t, subtract, 10.0, reverse0=true, op1=multiply, operand1=2.0",
     {1, 2, 3},
     {18, 16, 14}},
    {"[2, 2]", "[2, 2]", "tensor_scalar %r, %t, multiply, %t[0:2, 1:2]", {1, 10, 2, 3}, {10, 100, 6, 9}},
    {"[1, 3]",
     "[1, 3]",
     "scalar_tensor_tensor %r, %t, multiply, 2.0, subtract, %t, reverse1=true",
     {1, 2, 3},
     {-1, -2, -3}},
    {"[2, 3]", "[2, 1]", "tensor_reduce %r, add, %t, [1], negate=true", {1, 2, 3, 4, 5, 6}, {-6, -15}},
    {"[1, 6]",
     "[1, 2]",
     "tensor_reduce %r, maximum, %t.ap(0, [6, 1], [1, 2], [2, 3]), [2]",
     {1, 2, 3, 9, 5, 6},
     {5, 9}},
    {"[1, 3]", "[1, 3]", "activation %r, copy, %t, bias=1.0, scale=3.0", {1, 2, 3}, {4, 7, 10}},
    {"[2, 2]",
     "[2, 1]",
     "tile %e: sbuf f32[2, 2] activation %e, square, %t, reduce_op=add, reduce_res=%r, reduce_cmd=reset_reduce",
     {1, 2, 3, 4},
     {5, 25}},
    {"[1, 2]", "[1, 2]", "reciprocal %r, %t", {4, 0}, {0.25f, kInf}},
    {"[1, 4]",
     "[1, 4]",
     "tile %o: sbuf f32[1, 4] memset %o, 1.0 tensor_tensor_scan %r, %o, %t, 0.5, multiply, add",
     {1, 2, 3, 4},
     {1.5f, 3.5f, 6.5f, 10.5f}},
    {"[2, 3]",
     "[2, 3]",
     "affine_select %r, [[1, 3]], -1, %t, -7.0, cmp_op=less_equal",
     {1, 2, 3, 4, 5, 6},
     {1, -7, -7, 4, 5, -7}},
    {"[2, 3]",
     "[2, 3]",
     "iota %r, [[2, 3]], offset=10, channel_multiplier=100",
     {0, 0, 0, 0, 0, 0},
     {10, 12, 14, 110, 112, 114}},
    {"[1, 9]", "[1, 8]", "max8 %r, %t", {1, 9, 2, 8, 3, 7, 4, 6, 5}, {9, 8, 7, 6, 5, 4, 3, 2}},
    {"[1, 8]",
     "[1, 8]",
     "tile %v: sbuf f32[1, 8] max8 %v, %t tile %i: sbuf u32[1, 8] nc_find_index8 %i, %t, %v tensor_copy %r, %i",
     {5, 7, 5, 1, 2, 3, 4, 7},
     {1, 7, 0, 2, 6, 5, 4, 3}},
    {"[2, 3]",
     "[3, 2]",
     "tile %p: psum f32[3, 2] nc_transpose %p, %t tensor_copy %r, %p",
     {1, 2, 3, 4, 5, 6},
     {1, 4, 2, 5, 3, 6}},
    {"[2, 2]",
     "[2, 2]",
     "tile %p: psum f32[2, 2] nc_matmul %p, %t, %t, accumulate=false nc_matmul %p, %t, %t, accumulate=true "
     "tensor_copy %r, %p",
     {1, 2, 3, 4},
     {20, 28, 28, 40}},
    {"[1, 4]",
     "[1, 4]",
     "tile %u: sbuf u8[1, 4] tensor_scalar %u, %t, greater, 2.0 memset %r, 0.0 tensor_copy_predicated %r, %t, %u",
     {1, 2, 3, kInf},
     {0, 0, 3, kInf}},
    {"[1, 4]",
     "[1, 4]",
     "tile %u: sbuf u8[1, 4] tensor_scalar %u, %t, greater, 2.0 select_reduce %r, %u, %t, -1.0, reverse_pred=true",
     {1, 2, 3, 4},
     {1, 2, -1, -1}},
    {"[2, 2]",
     "[2, 1]",
     "tile %e: sbuf f32[2, 2] tensor_scalar_reduce %e, %t, multiply, 2.0, maximum, %r",
     {1, 2, 4, 3},
     {4, 8}},
    {"[1, 4]",
     "[1, 2]",
     "tile %i: sbuf u32[1, 2] iota %i, [[-2, 2]], offset=3 nc_n_gather %r, %t, %i",
     {1, 2, 3, 4},
     {4, 2}},
    {"[1, 2]",
     "[1, 4]",
     "tensor_copy %r.ap(0, [4, 1], [2, 2], [1, 2]), %t.ap(0, [2, 1], [0, 2], [1, 2])",
     {1, 2},
     {1, 2, 1, 2}},
    {"[1, 3]", "[1, 3]", "tensor_tensor %r, %t, %t.ap(2, [3, 1], [-1, 3]), subtract", {1, 2, 5}, {-4, 0, 4}},
    // Rounding on store: bf16 keeps 8 bits, ties to even; integers round to nearest even and saturate.
    {"[1, 3]",
     "[1, 3]",
     "tile %h: sbuf bf16[1, 3] tensor_copy %h, %t tensor_copy %r, %h",
     {1.00390625f, 1.01171875f, 3e38f},
     {1.0f, 1.015625f, 3.0040553e38f}},
    {"[1, 5]",
     "[1, 5]",
     "tile %h: sbuf i8[1, 5] tensor_copy %h, %t tensor_copy %r, %h",
     {0.5f, 1.5f, 300, -300, kInf},
     {0, 2, 127, -128, 127}},
    {"[1, 2]",
     "[1, 2]",
     "tile %h: sbuf f16[1, 2] tensor_copy %h, %t tensor_copy %r, %h",
     {65519.0f, 65520.0f},
     {65504.0f, kInf}},
    // maximum drops a NaN, as CUDA's fmaxf does; other arithmetic keeps it.
    {"[1, 2]", "[1, 2]", "tensor_scalar %r, %t, maximum, 0.0", {kNan, -1}, {0, 0}},
    {"[1, 2]", "[1, 2]", "tensor_scalar %r, %t, add, 0.0", {kNan, -1}, {kNan, -1}},
    {"[1, 2]", "[1, 2]", "tensor_scalar %r, %t, multiply, 0.0", {kInf, 1}, {kNan, 0}},
    {"[1, 2]", "[1, 2]", "activation %r, exp, %t", {-kInf, kInf}, {0, kInf}},
    {"[1, 3]", "[1, 3]", "activation %r, silu, %t", {-kInf, kInf, kNan}, {0, kInf, kNan}},
    // int32 arithmetic on GpSimd is exact and wraps; on VectorE it goes through fp32.
    {"[1, 1]",
     "[1, 1]",
     "tile %i, %j: sbuf i32[1, 1] memset %i, 16777217.0 tensor_tensor %j, %i, %i, add tensor_scalar %i, %j, "
     "bitwise_and, 3.0 "
     "tensor_copy %r, %i",
     {0},
     {2}},
    {"[1, 1]",
     "[1, 1]",
     "tile %i, %j: sbuf i32[1, 1] memset %i, 16777217.0 tensor_tensor %j, %i, %i, add, engine=vector "
     "tensor_scalar %i, %j, bitwise_and, 3.0 tensor_copy %r, %i",
     {0},
     {0}},
};

TEST(Interpret, AgreesWithHandComputedValues) {
  for (const Numeric& c : kNumerics) {
    const auto out = runText(kernel(c.shape_in, c.shape_out, c.body), {c.input}, c.expected.size());
    ASSERT_TRUE(out.ok()) << c.body << ": " << out.error().text();
    for (size_t k = 0; k < c.expected.size(); ++k) {
      const bool same = std::isnan(c.expected[k]) ? std::isnan((*out)[k]) : (*out)[k] == c.expected[k];
      EXPECT_TRUE(same) << c.body << " [" << k << "]: " << (*out)[k] << " instead of " << c.expected[k];
    }
  }
}

TEST(Interpret, ActivationsAgreeWithTheirDefinition) {
  struct F {
    const char* name;
    double at_one, at_minus_two;
  };
  const F functions[] = {{"sigmoid", 0.7310585786300049, 0.11920292202211755},
                         {"gelu", 0.8413447460685429, -0.04550026389635842},
                         {"gelu_apprx_tanh", 0.8411919906082768, -0.04540230591222494},
                         {"gelu_apprx_sigmoid", 0.8457957659328212, -0.06434137685579186},
                         {"tanh", 0.7615941559557649, -0.9640275800758169},
                         {"softplus", 1.3132616875182228, 0.1269280110429725},
                         {"mish", 0.8650983882673103, -0.25250148269570916},
                         {"erf", 0.8427007929497149, -0.9953222650189527},
                         {"exp", 2.718281828459045, 0.1353352832366127},
                         {"silu_dx", 0.9276705118714869, -0.0907842426}};
  for (const F& f : functions) {
    const auto out =
        runText(kernel("[1, 2]", "[1, 2]", std::string("activation %r, ") + f.name + ", %t"), {{1, -2}}, 2);
    ASSERT_TRUE(out.ok()) << out.error().text();
    EXPECT_NEAR((*out)[0], f.at_one, 1e-7) << f.name;
    EXPECT_NEAR((*out)[1], f.at_minus_two, 1e-7) << f.name;
  }
}

TEST(Interpret, GathersRowsAndSkipsThoseOutside) {
  const std::string head =
      "kernel @k(in %x: f32[3, 2], in %i: f32[4, 1], out %y: f32[4, 2]) { tile %f: sbuf f32[4, 1] "
      "tile %n: sbuf i32[4, 1] tile %t: sbuf f32[4, 2] dma_copy %f, %i tensor_copy %n, %f ";
  const std::vector<float> table = {0, 1, 10, 11, 20, 21};
  const auto skipped = runText(head +
                                   "memset %t, -1.0 dma_copy %t, %x.ap(0, [2, 4], [1, 2]).gather(%n), oob_mode=skip "
                                   "dma_copy %y, %t }",
                               {table, {2, 3, -1, 0}}, 8);
  ASSERT_TRUE(skipped.ok()) << skipped.error().text();
  EXPECT_EQ(*skipped, (std::vector<float>{20, 21, -1, -1, -1, -1, 0, 1}));
  const auto failed =
      runText(head + "dma_copy %t, %x.ap(0, [2, 4], [1, 2]).gather(%n) dma_copy %y, %t }", {table, {2, 3, 0, 0}}, 8);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "instruction 2 (dma_copy): index 3 at partition 1 is outside \"%in0\" with 3 rows");
}

TEST(Interpret, ReadingWhatWasNeverWrittenIsAnError) {
  const auto flat =
      parseFlat("kernel @k(out %y: f32[2, 2]) { tile %t: sbuf f32[2, 2] memset %t[0:2, 0:1], 1.0 dma_copy %y, %t }");
  ASSERT_TRUE(flat.ok());
  std::vector<float> out(4);
  const std::span<std::byte> outputs[] = {std::as_writable_bytes(std::span(out))};
  const auto run = interpret(*flat, {}, outputs);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().message, "instruction 1 (dma_copy): reads element 1 of \"%t0\", which was never written");
}

TEST(Interpret, OutputsMustBeWrittenAndSizesMatch) {
  const auto flat =
      parseFlat("kernel @k(out %y: f32[1, 2]) { tile %t: sbuf f32[1, 1] memset %t, 1.0 dma_copy %y[0:1, 0:1], %t }");
  ASSERT_TRUE(flat.ok());
  std::vector<float> out(2);
  const std::span<std::byte> whole[] = {std::as_writable_bytes(std::span(out))};
  EXPECT_EQ(interpret(*flat, {}, whole).error().message, "element 1 of output \"%out0\" was never written");
  const std::span<std::byte> part[] = {whole[0].first(4)};
  EXPECT_EQ(interpret(*flat, {}, part).error().message, "\"%out0\" takes 8 bytes, 4 are given");
}

TEST(Interpret, CountsActivationsOutsideTheirRange) {
  const auto flat = parseFlat(kernel("[1, 3]", "[1, 3]", "activation %r, sqrt, %t"));
  ASSERT_TRUE(flat.ok());
  const std::vector<float> x = {0, 1, 4};
  std::vector<float> out(3);
  const std::span<const std::byte> inputs[] = {std::as_bytes(std::span(x))};
  const std::span<std::byte> outputs[] = {std::as_writable_bytes(std::span(out))};
  const auto run = interpret(*flat, inputs, outputs);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->out_of_range.at(Function::kSqrt), 1);
  EXPECT_EQ(out, (std::vector<float>{0, 1, 2}));
}

TEST(Convert, HalfRoundTripsAndRounds) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = halfToFloat(half);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(halfToFloat(floatToHalf(value))));
    else
      EXPECT_EQ(floatToHalf(value), half);
    const float wide = bfloatToFloat(half);
    if (!std::isnan(wide)) EXPECT_EQ(floatToBfloat(wide), half);
    // Half-way between two neighbours goes to the even one.
    if (const float next = halfToFloat(static_cast<uint16_t>(half + 1));
        std::isfinite(next) && std::isfinite(value) && (bits & 0x7fff) != 0x7bff) {
      EXPECT_EQ(floatToHalf((value + next) / 2) & 1, 0) << bits;
    }
  }
}

}  // namespace
}  // namespace np::tile
