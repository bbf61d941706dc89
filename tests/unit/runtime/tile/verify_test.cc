// Every verifier rule by a program that breaks it and, where it differs by more than the one line, one that keeps it.
#include "runtime/tile/verify.h"

#include <gtest/gtest.h>

#include <set>

#include "runtime/tile/text.h"

namespace np::tile {
namespace {

struct Case {
  const char *rule, *breaks, *keeps;
};

// Tiles declared for every case: %a, %b, %c sbuf f32[128, 64]; %n, %m sbuf i32[128, 64]; %h sbuf bf16[128, 64];
// %u sbuf u8[128, 64]; %w sbuf u32[128, 64]; %p, %q psum f32[128, 64]; %col sbuf f32[128, 1]; %ix sbuf i32[128, 1].
// All but %p and %q are filled; %x is an input, %y an output of the same shape f32[128, 64].
const Case kCases[] = {
    {"partitions", "tile %t: sbuf f32[129, 1] memset %t, 0.0", "tile %t: sbuf f32[128, 1] memset %t, 0.0"},
    {"sbuf-capacity", "tile %t: sbuf f32[128, 60000] memset %t[0:128, 0:9], 0.0",
     "tile %t: sbuf f32[128, 40000] memset %t[0:128, 0:9], 0.0"},
    {"psum-capacity", "tile %t: psum f32[128, 4097] memset %t[0:128, 0:9], 0.0",
     "tile %t: psum f32[128, 4096] memset %t[0:128, 0:9], 0.0"},
    {"start-partition", "memset %a[16:32, 0:64], 0.0", "memset %a[32:48, 0:64], 0.0"},
    {"start-partition", "memset %a[32:80, 0:64], 0.0", "memset %a[64:112, 0:64], 0.0"},
    {"start-partition", "memset %a[32:128, 0:64], 0.0", "memset %a[0:96, 0:64], 0.0"},
    {"free-dims", "memset %a.ap(0, [64, 128], [32, 2], [16, 2], [8, 2], [4, 2], [1, 2]), 0.0",
     "memset %a.ap(0, [64, 128], [32, 2], [16, 2], [8, 2], [1, 2]), 0.0"},
    {"free-dims", "dma_copy %a.ap(0, [64, 128], [32, 2], [16, 2], [8, 2], [4, 2], [1, 4]), %x",
     "dma_copy %a.ap(0, [64, 128], [32, 2], [16, 2], [8, 2], [1, 8]), %x"},
    {"free-range", "tile %t: sbuf u8[128, 70000] memset %t, 0.0", "tile %t: sbuf u8[128, 60000] memset %t, 0.0"},
    {"free-range", "tile %t: sbuf u8[128, 70000] memset %t[0:128, 0+:2 by 40000], 0.0",
     "tile %t: sbuf u8[128, 70000] memset %t[0:128, 0+:2 by 30000], 0.0"},
    {"memory", "tensor_copy %a, %x", "dma_copy %a, %x"},
    {"memory", "memset %p, 0.0 dma_copy %a, %p", "memset %p, 0.0 tensor_copy %a, %p"},
    {"memory", "memset %p, 0.0, engine=gpsimd", "memset %a, 0.0, engine=gpsimd"},
    {"memory", "nc_matmul %a[0:64, 0:64], %b, %c", "nc_matmul %p[0:64, 0:64], %b, %c"},
    {"engine", "tensor_tensor %a, %b, %c, add, engine=scalar", "tensor_tensor %a, %b, %c, add, engine=gpsimd"},
    {"engine", "tensor_scalar %a, %b, maximum, 0.0, engine=scalar",
     "tensor_scalar %a, %b, multiply, 2.0, engine=scalar"},
    {"engine", "tensor_scalar %a, %b, add, 0.0, engine=gpsimd", "tensor_scalar %a, %b, rsqrt, 0.0, engine=gpsimd"},
    {"two-psum", "memset %p, 0.0 memset %q, 0.0 tensor_tensor %a, %p, %q, add",
     "memset %p, 0.0 tensor_tensor %a, %p, %b, add"},
    {"same-partitions", "tensor_copy %a[0:32, 0:64], %b[0:64, 0:64]", "tensor_copy %a[0:32, 0:64], %b[64:96, 0:64]"},
    {"same-elements", "tensor_copy %a[0:128, 0:32], %b", "tensor_copy %a[0:128, 0:32], %b[0:128, 32:64]"},
    {"same-elements", "dma_copy %a[0:128, 0:32], %x", "dma_copy %a[0:64, 0:64], %x[0:128, 0:32]"},
    {"write-once", "memset %a[0:128, 0:1].broadcast(1, 4), 0.0", "memset %a[0:128, 0:4], 0.0"},
    {"write-once", "memset %a.ap(0, [64, 128], [1, 2], [1, 2]), 0.0",
     "memset %a.ap(0, [64, 128], [1, 2], [2, 2]), 0.0"},
    {"read-only", "dma_copy %x, %a", "dma_copy %y, %a"},
    {"overlap", "tensor_copy %a[0:128, 1:64], %a[0:128, 0:63]", "tensor_copy %a[0:128, 32:64], %a[0:128, 0:32]"},
    {"overlap", "tensor_reduce %a[0:128, 0:1], add, %a, [1]", "activation %a, exp, %a"},
    {"dtype", "tile %t: psum f32[64, 64] nc_matmul %t, %n, %n", "tile %t: psum f32[64, 64] nc_matmul %t, %h, %h"},
    {"dtype", "tile %t: psum f32[64, 64] nc_matmul %t, %h, %a", "tile %t: psum f32[64, 64] nc_matmul %t, %b, %a"},
    {"dtype", "tensor_copy_predicated %a, %b, %n", "tensor_copy_predicated %a, %b, %u"},
    {"dtype", "tensor_copy_predicated %a, %h, %u", "tensor_copy_predicated %a, 1.0, %u"},
    {"dtype", "nc_n_gather %a, %b, %n", "nc_n_gather %a, %b, %n.as(u32)"},
    {"dtype", "tile %t: psum f32[64, 128] nc_transpose %t, %h", "tile %t: psum bf16[64, 128] nc_transpose %t, %h"},
    {"dtype", "iota %u, [[1, 64]], offset=200", "iota %u, [[1, 64]], offset=192"},
    {"bitwise", "tensor_tensor %a, %b, %c, bitwise_and", "tensor_tensor %n, %n, %m, bitwise_and"},
    {"bitwise", "tensor_scalar %n, %n, bitwise_and, 1.0, op1=add, operand1=1.0",
     "tensor_scalar %n, %n, bitwise_and, 1.0, op1=left_shift, operand1=1.0"},
    {"bitwise", "scalar_tensor_tensor %a, %b, bitwise_and, 1.0, add, %c",
     "scalar_tensor_tensor %a, %b, multiply, 1.0, add, %c"},
    {"scalar-operand", "tensor_scalar %a, %b, add, %c[0:128, 0:2]", "tensor_scalar %a, %b, add, %c[0:128, 0:1]"},
    {"scalar-operand", "tensor_scalar %a, %b, add, %ix", "tensor_scalar %a, %b, add, %col"},
    {"scalar-operand", "activation %a, exp, %b, bias=%c", "activation %a, exp, %b, bias=%col"},
    {"function", "activation %a, add, %b", "activation %a, gelu, %b"},
    {"function", "tensor_reduce %col, power, %a, [1]", "tensor_reduce %col, maximum, %a, [1]"},
    {"function", "tensor_tensor %a, %b, %c, abs_max", "tensor_tensor %a, %b, %c, maximum"},
    {"function", "tensor_scalar %a, %b, add, 1.0, op1=multiply",
     "tensor_scalar %a, %b, add, 1.0, op1=multiply, operand1=2.0"},
    {"function", "affine_select %a, [[1, 64]], 0, %b, 0.0, cmp_op=add",
     "affine_select %a, [[1, 64]], 0, %b, 0.0, cmp_op=less"},
    {"initialised", "tile %t: sbuf f32[128, 4] tensor_copy %a[0:128, 0:4], %t",
     "tile %t: sbuf f32[128, 4] memset %t, 0.0 tensor_copy %a[0:128, 0:4], %t"},
    {"initialised", "tile %t: sbuf f32[128, 64] tensor_copy_predicated %t, %a, %u",
     "tile %t: sbuf f32[128, 64] memset %t, 0.0 tensor_copy_predicated %t, %a, %u"},
    {"initialised", "tile %t: sbuf f32[128, 64] dma_copy %t, %x.gather(%ix), oob_mode=skip",
     "tile %t: sbuf f32[128, 64] dma_copy %t, %x.gather(%ix)"},
    {"accumulate", "memset %p, 0.0 nc_matmul %p[0:64, 0:64], %a, %b, accumulate=true",
     "nc_matmul %p[0:64, 0:64], %a, %b, accumulate=false nc_matmul %p[0:64, 0:64], %a, %b, accumulate=true"},
    {"accumulate", "nc_matmul %p[0:64, 0:64], %a, %b nc_matmul %p[0:64, 0:64], %a, %b",
     "nc_matmul %p[0:64, 0:64], %a, %b nc_matmul %p[0:64, 0:64], %a, %b, accumulate=false"},
    {"matmul-shape", "nc_matmul %p[0:64, 0:32], %a, %b", "nc_matmul %p[0:64, 0:32], %a, %b[0:128, 0:32]"},
    {"matmul-shape", "nc_matmul %p[0:64, 0:64], %a[0:64, 0:64], %b",
     "nc_matmul %p[0:64, 0:64], %a[0:64, 0:64], %b[0:64, 0:64]"},
    {"matmul-bank", "tile %t: psum f32[64, 600] nc_matmul %t[0:64, 480:544], %a, %b",
     "tile %t: psum f32[64, 600] nc_matmul %t[0:64, 512:576], %a, %b"},
    {"transpose-size", "tile %t: sbuf f32[64, 64] nc_transpose %t, %a[0:64, 0:64]",
     "tile %t: psum f32[64, 64] nc_transpose %t, %a[0:64, 0:64]"},
    {"transpose-size", "nc_transpose %p[0:64, 0:32], %a[0:64, 0:64]", "nc_transpose %p[0:64, 0:32], %a[0:32, 0:64]"},
    {"reduce-axes", "tensor_reduce %a[0:128, 0:4], add, %b.ap(0, [64, 128], [1, 4], [4, 16]), [1]",
     "tensor_reduce %a[0:128, 0:4], add, %b.ap(0, [64, 128], [1, 4], [4, 16]), [2]"},
    {"reduce-axes", "tensor_reduce %col, add, %b, [0]", "tensor_reduce %col, add, %b, [1]"},
    {"reduce-result", "activation %a, exp, %b, reduce_res=%col",
     "activation %a, exp, %b, reduce_op=add, reduce_res=%col, reduce_cmd=reset_reduce"},
    {"reduce-result", "activation %a, exp, %b, reduce_op=add, reduce_res=%col, reduce_cmd=reduce",
     "activation %a, exp, %b, reduce_op=add, reduce_res=%col, reduce_cmd=reset_reduce"},
    {"reduce-result", "tensor_scalar_reduce %a, %b, add, 1.0, add, %ix",
     "tensor_scalar_reduce %a, %b, add, 1.0, add, %col"},
    {"pattern", "iota %n, [[1, 63]]", "iota %n, [[8, 8], [1, 8]]"},
    {"pattern", "iota %n, [[1, 64]], offset=2147483600", "iota %n, [[1, 64]], offset=2147483584"},
    {"affine-start", "iota %n[32:64, 0:64], [[1, 64]], channel_multiplier=1",
     "iota %n[0:32, 0:64], [[1, 64]], channel_multiplier=1"},
    {"max8", "max8 %a[0:128, 0:8], %b[0:128, 0:7]", "max8 %a[0:128, 0:8], %b[0:128, 0:8]"},
    {"max8", "nc_find_index8 %w[0:128, 0:8], %b, %a[0:128, 0:7]", "nc_find_index8 %w[0:128, 0:8], %b, %a[0:128, 0:8]"},
    {"gather", "dma_copy %a, %x.gather(%ix[0:64, 0:1])", "dma_copy %a, %x.gather(%ix)"},
    {"gather", "dma_copy %a, %x.gather(%col)", "dma_copy %a, %x.gather(%ix.as(u32))"},
    {"gather", "dma_copy %a, %x.ap(64, [64, 128], [1, 64]).gather(%ix)",
     "dma_copy %a[0:128, 0:32], %x.ap(32, [64, 128], [1, 32]).gather(%ix)"},
    {"memset-value", "memset %u, 256.0", "memset %u, 255.0"},
    {"memset-value", "memset %n, 0.5", "memset %n, -1.0"},
};

Result<FlatProgram> programWith(const std::string& body, const char* last = "  dma_copy %y, %a\n") {
  return parseFlat(
      "kernel @k(in %x: f32[128, 64], out %y: f32[128, 64]) {\n"
      "  tile %a, %b, %c: sbuf f32[128, 64]  tile %n, %m: sbuf i32[128, 64]  tile %h: sbuf bf16[128, 64]\n"
      "  tile %u: sbuf u8[128, 64]  tile %w: sbuf u32[128, 64]  tile %p, %q: psum f32[128, 64]\n"
      "  tile %col: sbuf f32[128, 1]  tile %ix: sbuf i32[128, 1]\n"
      "  memset %a, 0.0 memset %b, 0.0 memset %c, 0.0 memset %n, 0.0 memset %m, 0.0 memset %h, 0.0 memset %u, 0.0\n"
      "  memset %w, 0.0 memset %col, 0.0 memset %ix, 0.0\n  " +
      body + "\n" + last + "}\n");
}

std::vector<Violation> violationsOf(const std::string& body, const char* last = "  dma_copy %y, %a\n") {
  const Result<FlatProgram> flat = programWith(body, last);
  EXPECT_TRUE(flat.ok()) << body << ": " << flat.error().text();
  return flat.ok() ? verify(*flat, *hardwareFor("trn2")) : std::vector<Violation>{};
}

TEST(Verify, EachRuleFiresAndHolds) {
  for (const Case& c : kCases) {
    const auto broken = violationsOf(c.breaks);
    ASSERT_FALSE(broken.empty()) << c.rule << ": " << c.breaks;
    EXPECT_EQ(broken.front().rule, c.rule) << c.breaks << "\n" << broken.front().message;
    for (const Violation& violation : violationsOf(c.keeps)) ADD_FAILURE() << c.keeps << "\n" << violation.message;
  }
}

TEST(Verify, OutputsMustBeWritten) {
  EXPECT_EQ(violationsOf("", "").at(0).rule, "output-written");
  const auto half = violationsOf("", "  dma_copy %y[0:128, 0:32], %a[0:128, 0:32]\n");
  ASSERT_EQ(half.size(), 1u);
  EXPECT_EQ(half[0].message, "rule output-written: 4096 of 8192 elements of output \"%out0\" are not written");
  EXPECT_EQ(half[0].instruction, -1);
}

TEST(Verify, EveryRuleHasACase) {
  std::set<std::string_view> tested = {"output-written", "broadcast-partition"};
  for (const Case& c : kCases) tested.insert(c.rule);
  for (const RuleText& rule : verifierRules()) EXPECT_TRUE(tested.contains(rule.name)) << rule.name;
  EXPECT_EQ(tested.size(), verifierRules().size());
}

// instantiate() refuses such a view in text; a program built otherwise meets the verifier.
TEST(Verify, PartitionsAreNeverBroadcast) {
  Result<FlatProgram> flat = programWith("tensor_copy %b, %c");
  ASSERT_TRUE(flat.ok());
  for (FlatInstruction& i : flat->instructions) {
    if (i.opcode == Opcode::kTensorCopy) std::get<FlatView>(i.arguments[1]).dims[0].step = 0;
  }
  const auto broken = verify(*flat, *hardwareFor("trn2"));
  ASSERT_FALSE(broken.empty());
  EXPECT_EQ(broken[0].rule, "broadcast-partition");
}

TEST(Verify, MessagesNameInstructionAndRule) {
  const auto broken = violationsOf("memset %a[16:32, 0:64], 0.0");
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(broken[0].message,
            "instruction 10 (memset): rule start-partition: dst \"%t0\" has 16 partitions from partition 16");
}

TEST(Verify, DeadTilesFreeTheirMemory) {
  std::string body;
  for (int i = 0; i < 20; ++i) {
    const std::string t = "%t" + std::to_string(i);
    body += "tile " + t + ": sbuf f32[128, 20000] memset " + t + "[0:128, 0:8], 0.0 tensor_copy %a[0:128, 0:8], " + t +
            "[0:128, 0:8]\n";
  }
  EXPECT_TRUE(violationsOf(body).empty());
}

TEST(Verify, TargetsDiffer) {
  const Result<FlatProgram> flat = programWith("tile %t: sbuf f32[128, 56000] memset %t[0:128, 0:9], 0.0");
  ASSERT_TRUE(flat.ok());
  EXPECT_FALSE(verify(*flat, *hardwareFor("trn2")).empty());
  EXPECT_TRUE(verify(*flat, *hardwareFor("trn3")).empty());
  EXPECT_FALSE(hardwareFor("trn9").has_value());
}

}  // namespace
}  // namespace np::tile
