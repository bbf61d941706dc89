// Text form: printing what was parsed gives the same text; bad text gives an error that names the line.
#include "runtime/tile/text.h"

#include <gtest/gtest.h>

#include <random>

#include "runtime/tile/build.h"

namespace np::tile {
namespace {

constexpr const char* kEverything =
    R"(kernel @all(in %x: f32[M, N], in %i: i32[M], out %y: f32[M, N]) sizes(M, N) requires(N <= 4096, M > 0) {
  for r in 0..M step 128 {
    let p = min(128, M - r)
    tile %t: sbuf f32[p <= 128, N]
    tile %u: sbuf f32[128, 4, 32]
    tile %ps: psum f32[128, 128]
    tile %ix: sbuf i32[p <= 128, 1]
    dma_copy %t, %x[r+:p, 0:N]
    dma_copy %ix, %i.ap(r, [1, p], [1, 1])
    dma_copy %t, %x.ap(0, [N, p], [1, N]).gather(%ix.as(u32)), oob_mode=skip
    if p >= 32 and N == 64 {
      memset %t[0:p, 1+:2 by 3], -1.5, engine=gpsimd
    } else {
      memset %t, 1.0/N
    }
    nc_matmul %ps, %u[0:128, 0:4, 0:32].permute(0, 2, 1), %u, is_moving_onezero=true, accumulate=false
    tensor_scalar %t, %t, multiply, %t[0:p, 0:1], reverse0=true, op1=add, operand1=1e-05
    tensor_tensor %t, %t[0:p, 0:1].broadcast(1, N), %t, maximum
    tensor_reduce %t[0:p, 0:1], add, %t, [1], negate=true
    activation %t, exp, %t, bias=%t[0:p, 0:1], scale=0.125*(N - 1)/M, reduce_op=add, reduce_res=%t[0:p, 0:1], reduce_cmd=reset_reduce
    affine_select %t, [[1, N]], -1, %t, inf, cmp_op=greater, offset=r*2
    iota %t, [[1, floordiv(N, 2)], [0, ceildiv(N, 3)]], channel_multiplier=1
    dma_copy %y[r+:p, 0:N], %t
  }
}
)";

TEST(Text, PrintsWhatItParsed) {
  const auto program = parse(kEverything);
  ASSERT_TRUE(program.ok()) << program.error().text();
  EXPECT_EQ(print(*program), kEverything);
}

TEST(Text, FlatFormIsCanonical) {
  const char* text = R"(kernel @k(in %b: f32[M, N], out %a: f32[M, N]) sizes(M, N) {
    tile %never_used: sbuf f32[1, 1]
    for r in 0..M step 2 {
      tile %z: sbuf f32[min(2, M - r), N]
      dma_copy %z, %b[r+:min(2, M - r), 0:N], oob_mode=error
      activation %z, exp, %z, bias=0.0, scale=1.0
      dma_copy %a[r+:min(2, M - r), 0:N], %z
    }
  })";
  const auto program = parse(text);
  ASSERT_TRUE(program.ok()) << program.error().text();
  const auto flat = instantiate(*program, {{"M", 3}, {"N", 5}});
  ASSERT_TRUE(flat.ok()) << flat.error().text();
  const std::string expected = R"(kernel @k(in %in0: f32[3, 5], out %out0: f32[3, 5]) {
  tile %t0: sbuf f32[2, 5]
  dma_copy %t0, %in0.ap(0, [5, 2], [1, 5])
  activation %t0, exp, %t0
  dma_copy %out0.ap(0, [5, 2], [1, 5]), %t0
  tile %t1: sbuf f32[1, 5]
  dma_copy %t1, %in0.ap(10, [1, 1], [1, 5])
  activation %t1, exp, %t1
  dma_copy %out0.ap(10, [1, 1], [1, 5]), %t1
}
)";
  EXPECT_EQ(printFlat(*flat), expected);
  const auto again = parseFlat(expected);
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(printFlat(*again), expected);
}

TEST(Text, ScaledImmediatesKeepTheirDouble) {
  TileProgram program{"b", {"N"}, {}, {{"y", Dtype::kF32, {1, 1}, Role::kOut}}, {}};
  program.body.emplace_back(Alloc{"t", Memory::kSbuf, Dtype::kF32, {1, 1}, {}});
  program.body.emplace_back(fill("t", Number(static_cast<double>(0.1f), 1, Expr::symbol("N"))));
  program.body.emplace_back(fill("t", Number(static_cast<double>(0.1f))));
  const std::string text = print(program);
  EXPECT_NE(text.find("memset %t, 0.10000000149011612/N\n"), std::string::npos) << text;
  EXPECT_NE(text.find("memset %t, 0.1\n"), std::string::npos) << text;
}

TEST(Text, BuildersAgreeWithTheText) {
  TileProgram program{"b", {}, {}, {{"x", Dtype::kF32, {2, 3}, Role::kIn}, {"y", Dtype::kF32, {2, 3}, Role::kOut}}, {}};
  program.body.emplace_back(Alloc{"t", Memory::kSbuf, Dtype::kF32, {2, 3}, {}});
  program.body.emplace_back(dmaCopy("t", "x"));
  program.body.emplace_back(with(activation("t", Function::kExp, "t", Number(0), Number(0.5)), "bias", Number(2)));
  program.body.emplace_back(tensorScalar("t", "t", Function::kAdd, Number(1), false, Function::kMultiply, Number(2)));
  program.body.emplace_back(dmaCopy("y", "t"));
  EXPECT_EQ(print(program), R"(kernel @b(in %x: f32[2, 3], out %y: f32[2, 3]) {
  tile %t: sbuf f32[2, 3]
  dma_copy %t, %x
  activation %t, exp, %t, bias=2.0, scale=0.5
  tensor_scalar %t, %t, add, 1.0, op1=multiply, operand1=2.0
  dma_copy %y, %t
}
)");
}

struct BadText {
  const char *text, *message;
};

TEST(Text, ErrorsNameLineAndExpectation) {
  const BadText cases[] = {
      {"", "line 1: expected \"kernel\", found \"end of text\""},
      {"kernel @k(in %x: f64[2]) {}", "line 1: expected a dtype (f32, bf16, i32 ..), found \"f64\""},
      {"kernel @k() {\n  frobnicate %x\n}",
       "line 2: expected a statement or an instruction of Tile IR, found \"frobnicate\""},
      {"kernel @k() {\n  memset %x, 1.0, speed=3\n}",
       "line 2: expected an optional argument of memset, found \"speed\""},
      {"kernel @k() {\n  activation %x, expo, %x\n}", "line 2: expected an nl function, found \"expo\""},
      {"kernel @k() {\n\n  dma_copy %x\n}", "line 4: expected \",\", found \"}\""},
      {"kernel @k() { $ }", "line 1: \"$\" does not belong to Tile IR, remove it"},
  };
  for (const BadText& bad : cases) {
    const auto program = parse(bad.text);
    ASSERT_FALSE(program.ok()) << bad.text;
    EXPECT_EQ(program.error().message, bad.message);
  }
}

TEST(Text, DeepNestingIsAnErrorNotACrash) {
  EXPECT_FALSE(parse("kernel @k() { let a = " + std::string(100000, '(') + "1 }").ok());
  std::string sum = "kernel @k() { let a = b", minus = "kernel @k() { let a = ";
  for (int i = 0; i < 100000; ++i) sum += " + b";
  EXPECT_FALSE(parse(sum + " }").ok());
  EXPECT_TRUE(parse(minus + std::string(100001, '-') + "1 }").ok());
  std::string loops = "kernel @k() {";
  for (int i = 0; i < 1000; ++i) loops += " if 1 < 2 {";
  EXPECT_FALSE(parse(loops).ok());
}

// Whatever the text, parsing and instantiating end in a value or an error, and what parses prints to something stable.
TEST(Text, SurvivesMutations) {
  std::mt19937 random(1);
  const std::string original = kEverything;
  const std::string_view pieces[] = {
      "%", "@", "[", "]", "(", ")", "{", "}", ",", "..", "+:", "-", "*", "0", "9999999999999999999", "min(", "1e400"};
  for (int round = 0; round < 4000; ++round) {
    std::string text = original;
    for (int edit = 0; edit < 1 + round % 3; ++edit) {
      const size_t at = random() % text.size();
      if (random() % 2)
        text.erase(at, 1 + random() % 9);
      else
        text.insert(at, pieces[random() % std::size(pieces)]);
    }
    const auto program = parse(text);
    if (!program.ok()) continue;
    const std::string once = print(*program);
    const auto again = parse(once);
    ASSERT_TRUE(again.ok()) << once << again.error().text();
    EXPECT_EQ(print(*again), once);
    (void)instantiate(*program, {{"M", 130}, {"N", 64}}, 1000).ok();
  }
}

TEST(Instantiate, RefusesWhatHasNoMeaning) {
  const BadText cases[] = {
      {"kernel @k(in %x: f32[M]) sizes(M) {}", "size \"M\" is not given"},
      {"kernel @k(in %x: f32[4]) requires(3 < 2) {}", "requirement \"3 < 2\" does not hold"},
      {"kernel @k(in %x: f32[0]) {}", "\"%x\" has extent 0 = 0"},
      {"kernel @k() { tile %t: sbuf f32[3 <= 2, 1] }", "\"%t\" has extent 3 where at most 2 is stated"},
      {"kernel @k() { tile %t: sbuf f32[3] }", "\"%t\" needs a partition and a free dimension"},
      {"kernel @k() { tile %t, %t: sbuf f32[3, 1] }", "\"%t\" is declared twice"},
      {"kernel @k() { for i in 0..2 { tile %t: sbuf f32[3, 1] } memset %t, 0.0 }",
       "instruction 0 (memset), dst: \"%t\" is not declared here"},
      {"kernel @k() { tile %t: sbuf f32[3, 4] memset %t[0:3, 2:5], 0.0 }",
       "instruction 0 (memset), dst: \"%t\" dimension 1 of extent 4 is sliced from 2, 3 elements by 1: empty or "
       "outside"},
      {"kernel @k() { tile %t: sbuf f32[3, 4] memset %t[0:3, 2:2], 0.0 }",
       "instruction 0 (memset), dst: \"%t\" dimension 1 of extent 4 is sliced from 2, 0 elements by 1: empty or "
       "outside"},
      {"kernel @k() { tile %t: sbuf f32[3, 4] memset %t.ap(1, [4, 3], [1, 4]), 0.0 }",
       "instruction 0 (memset), dst: \"%t\" has 12 elements, the view reaches from 1 to 12"},
      {"kernel @k() { tile %t: sbuf f32[3, 4] memset %t.ap(1, [4, 2], [1, 4]), 0.0 }",
       "instruction 0 (memset), dst: \"%t\" is viewed across a partition's end"},
      {"kernel @k() { tile %t: sbuf f32[4, 4] memset %t.ap(0, [8, 2], [1, 4]), 0.0 }",
       "instruction 0 (memset), dst: \"%t\" must be viewed with its partitions in order: step 8 instead of 4"},
      {"kernel @k() { for i in 0..3 step 0 {} }", "loop over \"i\" has step 0"},
      {"kernel @k() { tile %t: sbuf f32[4, 4] memset %t.as(u8), 0.0 }",
       "instruction 0 (memset), dst: \"%t\" is reinterpreted as a type of another size"},
      {"kernel @k() { tile %t: sbuf f32[4, 4] memset %t.broadcast(1, 3), 0.0 }",
       "instruction 0 (memset), dst: \"%t\" is broadcast along dimension 1, which is not of size 1"},
  };
  for (const BadText& bad : cases) {
    const auto program = parse(bad.text);
    ASSERT_TRUE(program.ok()) << bad.text << ": " << program.error().text();
    const auto flat = instantiate(*program, {});
    ASSERT_FALSE(flat.ok()) << bad.text;
    EXPECT_EQ(flat.error().message, bad.message);
  }
}

TEST(Instantiate, StopsAtItsLimit) {
  const auto program = parse("kernel @k() { for i in 0..1000000000 { let a = i } }");
  ASSERT_TRUE(program.ok());
  EXPECT_FALSE(instantiate(*program, {}, 1000).ok());
}

}  // namespace
}  // namespace np::tile
