// The reader of inline PTX on good, odd and broken text, and its bit functions against plain definitions.

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "kernel_port/simt/matrix.h"
#include "kernel_port/simt/ptx_functions.h"
#include "kernel_port/simt/ptx_text.h"

namespace np::kernel_port::simt {
namespace {

using Kind = PtxOperand::Kind;

TEST(PtxText, ReadsStatementsGuardsAndOperands) {
  auto text = readPtx(R"({ // a comment
    .reg .pred p, q<2>; .reg .b32 %t;
    @!p ld.global.L1::no_allocate.v2.u32 {$0, _}, [$2+16]; /* between */
    shfl.sync.up.b32 %t|q1, ${1:x}, -3, 0x1f, 0f3f800000;
    mov.u32 $0, %laneid; fma.rn.f32 $0, $1, 0.5, %tid.x
  })");
  ASSERT_TRUE(text.ok()) << text.error().text();
  ASSERT_EQ(text->registers.size(), 4u);
  EXPECT_EQ(text->registers[2].name, "q1");
  ASSERT_EQ(text->statements.size(), 4u);
  const PtxStatement& load = text->statements[0];
  EXPECT_EQ(load.guard, "p");
  EXPECT_TRUE(load.guard_negated && load.has("v2") && load.has("L1::no_allocate"));
  EXPECT_EQ(load.operands[0].kind, Kind::Vector);
  EXPECT_EQ(load.operands[0].parts[1].kind, Kind::Sink);
  EXPECT_EQ(load.operands[1].kind, Kind::Address);
  EXPECT_EQ(load.operands[1].bits, 16u);
  const PtxStatement& shuffle = text->statements[1];
  EXPECT_TRUE(shuffle.operands[0].has_predicate);
  EXPECT_EQ(shuffle.operands[1].index, 1u);
  EXPECT_EQ(shuffle.operands[2].bits, uint64_t{0} - 3);
  EXPECT_EQ(shuffle.operands[4].bits, 0x3f800000u);
  EXPECT_EQ(text->statements[2].operands[1].name, "laneid");
  EXPECT_EQ(std::bit_cast<double>(text->statements[3].operands[2].bits), 0.5);
  EXPECT_EQ(text->statements[3].operands[3].name, "tid.x");
}

TEST(PtxText, RefusesWhatItCannotRead) {
  for (const char* text : {"again: bra again;", "mov.u32 $0, nowhere;", ".shared .b32 x;", "add.u32 $0, [",
                           "mov.u32 $0, 0xzz;", "{ .reg .pred p; } { .reg .pred p; }", "mov.u32 $", "@ add.u32 $0, $1;",
                           ".reg .b32 a<99999>;", "add.u32 $0 $1;"}) {
    auto read = readPtx(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code, "unsupported");
    EXPECT_NE(read.error().message.find("inline PTX"), std::string::npos);
  }
}

TEST(PtxText, LivesThroughMutilatedText) {
  const std::string good = "{ .reg .pred p; setp.ne.b32 p, $0, 0; @p cp.async.cg.shared.global [$1], [$2+4], 16; }";
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text = good;
    for (int edit = 0; edit < 3; ++edit) text[random() % text.size()] = "{}[];,.@!$%|+-0a \n/*"[random() % 21];
    readPtx(text.substr(0, 1 + random() % text.size()));
  }
}

TEST(PtxFunctions, AgreeWithTheirDefinitions) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const uint64_t a = random() & 0xffffffff, b = random() & 0xffffffff, c = random() & 0xffffffff;
    const uint64_t position = random() % 32, length = random() % (33 - position);
    const uint64_t mask = ((uint64_t{1} << length) - 1) << position;
    EXPECT_EQ(ptxFunction("bfe.u32")(a, position, length, 0), (a & mask) >> position);
    EXPECT_EQ(ptxFunction("bfi.b32")(b, a, position, length), (a & ~mask) | ((b << position) & mask));
    EXPECT_EQ(ptxFunction("lop3")(a, b, c, 0x96), a ^ b ^ c);
    EXPECT_EQ(ptxFunction("lop3")(a, b, c, 0xe8), (a & b) | (a & c) | (b & c));
    EXPECT_EQ(ptxFunction("prmt")(a, b, 0x3210, 0), a);
    EXPECT_EQ(ptxFunction("prmt")(a, b, 0x7654, 0), b);
    EXPECT_EQ(ptxFunction("mulhi.u32")(a, b, 0, 0), a * b >> 32);
  }
  EXPECT_EQ(ptxFunction("bfe.s32")(0x80, 4, 4, 0), 0xfffffff8u);
  EXPECT_EQ(ptxFunction("bfe.s32")(0x80000000, 31, 9, 0), 0xffffffffu);
  EXPECT_EQ(ptxFunction("bfind.s32")(0xffffffff, 0, 0, 0), 0xffffffffu);
  EXPECT_EQ(ptxFunction("ftz")(0x80000001, 0, 0, 0), 0x80000000u);
  EXPECT_EQ(ptxFunction("nothing"), nullptr);
}

TEST(SharedWindow, GoesBothWaysAndNeverElsewhere) {
  for (uint64_t region : {2, 77, 4095})
    for (int64_t offset : {int64_t{0}, int64_t{4}, int64_t{232448}, int64_t{-16}}) {
      const uint64_t address = regionBase(region) + static_cast<uint64_t>(offset);
      const uint64_t window = sharedWindow(address, 0, 0, 0);
      EXPECT_EQ(window >> 32, 0u);
      EXPECT_EQ(fromSharedWindow(window, 0, 0, 0), address);
    }
  EXPECT_EQ(sharedWindow(regionBase(5000), 0, 0, 0), 0u);
  EXPECT_EQ(sharedWindow(regionBase(3) + (1 << 20), 0, 0, 0), 0u);
  EXPECT_EQ(fromSharedWindow(1234, 0, 0, 0), 0u);
}

TEST(MatrixShape, KnowsWhatItMultiplies) {
  auto shape = matrixShape("m16n8k16", "f32", "bf16", "bf16", "f32", false);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->aRegisters(), 4u);
  const MatrixShape back = MatrixShape::unpacked(shape->packed());
  EXPECT_EQ(back.k, 16u);
  EXPECT_EQ(back.a, MatrixShape::Element::BF16);
  EXPECT_TRUE(matrixShape("m16n8k32", "s32", "s8", "u8", "s32", true));
  EXPECT_FALSE(matrixShape("m16n8k32", "f32", "f16", "f16", "f32", false));
  EXPECT_FALSE(matrixShape("m8n8k4", "f64", "f64", "f64", "f64", false));
  EXPECT_FALSE(matrixShape("m16n8k16", "f32", "f16", "bf16", "f32", false));
  EXPECT_FALSE(matrixShape("m16n8k16", "f16", "f16", "f16", "f32", false));
  EXPECT_FALSE(matrixShape("m16n8k16", "f32", "f16", "f16", "f32", true));
}

}  // namespace
}  // namespace np::kernel_port::simt
