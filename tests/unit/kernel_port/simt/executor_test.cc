// The interpreter on IR text: what C++ sources reach only by luck (phi cycles, switches, vectors, odd widths), what is
// refused by name, and what the result records.

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "kernel_port/simt/run.h"

namespace np::kernel_port::simt {
namespace {

constexpr const char* kHeader =
    "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "declare void @llvm.nvvm.barrier0()\n";

DeviceModule moduleOf(const std::string& body) {
  analyzer::DeviceKernel kernel;
  kernel.name = kernel.symbol = "k";
  analyzer::ParamFact pointer;
  pointer.name = "p";
  pointer.type = "int *";
  pointer.kind = analyzer::ParamKind::Pointer;
  pointer.size = pointer.align = 8;
  pointer.pointee = "i32";
  kernel.params = {pointer};
  auto module = DeviceModule::fromIr(kHeader + body, {kernel}, "k.cu");
  EXPECT_TRUE(module.ok()) << module.error().text();
  return std::move(*module);
}

struct Ran {
  RunResult result;
  std::vector<int32_t> values;
};

Result<Ran> run(const std::string& body, const RunOptions& options = {}, int threads = 1, int blocks = 1,
                const std::string& role = R"("inout", "init": "zeros")") {
  const std::string text = R"({"version": 1, "source": "k.cu", "sizes": {"names": [], "cases": [[]]}, "buffers": {"p":
      {"type": "i32", "extent": ["8"], "role": )" +
                           role + R"(}}, "launches": [{"kernel": "k", "grid": [)" + std::to_string(blocks) +
                           R"(], "block": [)" + std::to_string(threads) + R"(], "args": ["p"]}]})";
  NP_ASSIGN(launch::LaunchFile file, launch::parseLaunchFile(text, "k.launch.json"));
  NP_ASSIGN(launch::CasePlan plan, planCase(file, {}));
  NP_ASSIGN(auto buffers, makeInputs(file, plan));
  NP_ASSIGN(Executor executor, Executor::create(moduleOf(body)));
  NP_ASSIGN(RunResult result, executor.run(file, plan, buffers, options));
  Ran out{std::move(result), std::vector<int32_t>(8)};
  std::memcpy(out.values.data(), buffers[0].bytes.data(), 32);
  return out;
}

TEST(Executor, PhisTakeTheirValuesAtOnce) {
  // a, b = b, a + b: Fibonacci only if both phis read before either is written.
  auto ran = run(R"(
define void @k(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%j, %loop]
  %a = phi i32 [0, %entry], [%b, %loop]
  %b = phi i32 [1, %entry], [%c, %loop]
  %c = add i32 %a, %b
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, 10
  br i1 %more, label %loop, label %exit
exit:
  store i32 %b, ptr %p
  ret void
})");
  ASSERT_TRUE(ran.ok()) << ran.error().text();
  EXPECT_EQ(ran->values[0], 55);
  EXPECT_EQ(ran->result.steps, 1u + 10 * 4 + 2);
}

TEST(Executor, SwitchVectorsAggregatesAndWidths) {
  auto ran = run(R"(
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
define void @k(ptr %p) {
entry:
  %v0 = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 9, i32 2
  %v1 = shufflevector <4 x i32> %v0, <4 x i32> <i32 5, i32 6, i32 7, i32 8>, <4 x i32> <i32 3, i32 2, i32 4, i32 7>
  store <4 x i32> %v1, ptr %p, align 16
  %s = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 -1, i32 2)
  %sum = extractvalue { i32, i1 } %s, 0
  %flag = extractvalue { i32, i1 } %s, 1
  %wide = zext i1 %flag to i32
  %both = mul i32 %wide, %sum
  %p4 = getelementptr i32, ptr %p, i32 4
  store i32 %both, ptr %p4
  %t = trunc i32 200 to i8
  %t7 = sext i8 %t to i32
  switch i32 %t7, label %no [i32 -56, label %yes
                             i32 200, label %no]
yes:
  %r = call i32 @llvm.fshl.i32(i32 -2147483647, i32 0, i32 1)
  br label %join
no:
  br label %join
join:
  %x = phi i32 [%r, %yes], [77, %no]
  %p5 = getelementptr i32, ptr %p, i64 5
  store i32 %x, ptr %p5
  %c = bitcast <2 x i16> <i16 -1, i16 1> to i32
  %p6 = getelementptr i8, ptr %p, i64 24
  store i32 %c, ptr %p6
  ret void
})");
  ASSERT_TRUE(ran.ok()) << ran.error().text();
  EXPECT_TRUE(ran->result.defects.empty());
  EXPECT_EQ(ran->values, (std::vector<int32_t>{4, 9, 5, 8, 1, 2, 0x1ffff, 0}));
  ASSERT_EQ(ran->result.unexecuted.size(), 1u);  // block "no"
}

TEST(Executor, WritesAreCountedPerElement) {
  RunOptions options;
  options.record_writes = true;
  auto ran = run(R"(
define void @k(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %q = getelementptr i32, ptr %p, i32 %b
  store i32 1, ptr %q
  store i32 2, ptr %q
  %r = getelementptr i32, ptr %p, i32 7
  %old = atomicrmw add ptr %r, i32 1 monotonic
  ret void
})",
                 options, 1, 3);
  ASSERT_TRUE(ran.ok()) << ran.error().text();
  EXPECT_TRUE(ran->result.defects.empty());
  ASSERT_EQ(ran->result.writes.size(), 1u);
  EXPECT_EQ(ran->result.writes[0].stores, (std::vector<uint32_t>{2, 2, 2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(ran->result.writes[0].atomics, (std::vector<uint32_t>{0, 0, 0, 0, 0, 0, 0, 3}));
}

constexpr const char* kLastWriter = R"(
define void @k(ptr %p) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr %p
  ret void
})";

TEST(Executor, SchedulesDifferAndAreReproducible) {
  auto last = [](Order order, uint64_t seed) {
    RunOptions options;
    options.order = order;
    options.seed = seed;
    auto ran = run(kLastWriter, options, 1, 20);
    EXPECT_TRUE(ran.ok());
    EXPECT_EQ(ran->result.defects.size(), 1u);
    EXPECT_EQ(ran->result.defects[0].kind, DefectKind::Race);
    EXPECT_EQ(ran->result.defects[0].count, 19u);
    return ran->values[0];
  };
  EXPECT_EQ(last(Order::Sequential, 0), 19);
  EXPECT_EQ(last(Order::Reversed, 0), 0);
  EXPECT_EQ(last(Order::Shuffled, 5), last(Order::Shuffled, 5));
  std::vector<int32_t> seen;
  for (uint64_t seed = 0; seed < 8; ++seed) seen.push_back(last(Order::Shuffled, seed));
  EXPECT_GT(std::set<int32_t>(seen.begin(), seen.end()).size(), 2u);
}

TEST(Executor, DefectsEndTheRunAtTheLimit) {
  RunOptions options;
  options.max_defects = 1;
  auto ran = run(kLastWriter, options, 1, 1000);
  ASSERT_TRUE(ran.ok());
  EXPECT_TRUE(ran->result.stopped);
  EXPECT_EQ(ran->result.defects.size(), 1u);
}

TEST(Executor, UninitialisedOutputAndSmallerAccesses) {
  // Bytes 0 and 1 of element 0 are written one by one; reading the whole element is a read of unwritten bytes.
  const std::string text = R"(
define void @k(ptr %p) {
  store i8 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  store i8 2, ptr %q
  %h = load i16, ptr %p, align 2
  %v = load i32, ptr %p, align 4
  %r = getelementptr i32, ptr %p, i64 1
  store i32 %v, ptr %r
  ret void
})";
  auto ran = run(text, {}, 1, 1, R"("out")");
  ASSERT_TRUE(ran.ok()) << ran.error().text();
  ASSERT_EQ(ran->result.defects.size(), 1u);
  EXPECT_EQ(ran->result.defects[0].kind, DefectKind::Uninitialised);
  EXPECT_EQ(ran->values[1], static_cast<int32_t>(0xffff0201));
  auto clean = run(text);
  EXPECT_TRUE(clean->result.defects.empty());
}

TEST(Executor, WhatIsUnknownIsRefusedByName) {
  const std::pair<const char*, const char*> kBodies[] = {
      {"declare i32 @mystery(i32)\ndefine void @k(ptr %p) {\n %x = call i32 @mystery(i32 1)\n ret void\n}",
       "the device function \"mystery\" is not supported"},
      {"define void @k(ptr %p) {\n %x = load i128, ptr %p\n ret void\n}", "values of type \"i128\" are not supported"},
      {"define void @k(ptr %p) {\n call void asm sideeffect \"wgmma.fence.sync.aligned;\", \"\"()\n ret void\n}",
       "inline PTX \"wgmma.fence.sync.aligned\" is not supported"},
      {"define void @k(ptr %p) {\n call void asm sideeffect \"add.cc.u32 $0, $0, 1;\", \"r\"(i32 1)\n ret void\n}",
       "inline PTX \"add.cc.u32 $0, $0, 1\" is not supported"},
      {"define void @k(ptr %p) {\n call void asm sideeffect \"again: bra again;\", \"\"()\n ret void\n}",
       "inline PTX label \"again\" is not supported"},
      {"declare ptr @malloc(i64)\ndefine void @k(ptr %p) {\n %x = call ptr @malloc(i64 4)\n ret void\n}",
       "device memory allocation (\"malloc\") is not supported"}};
  for (const auto& [body, message] : kBodies) {
    auto ran = run(body);
    ASSERT_FALSE(ran.ok()) << body;
    EXPECT_EQ(ran.error().code, "unsupported");
    EXPECT_NE(ran.error().message.find(message), std::string::npos) << ran.error().message;
  }
}

TEST(Executor, EndlessLoopsEnd) {
  RunOptions options;
  options.step_limit = 10000;
  auto ran = run("define void @k(ptr %p) {\nentry:\n br label %l\nl:\n br label %l\n}", options);
  ASSERT_FALSE(ran.ok());
  EXPECT_EQ(ran.error().code, "step-limit");
  // A thread that spins on another one lets it run: thread 1 waits for thread 0 although it starts first.
  options.step_limit = 10'000'000;
  options.order = Order::Reversed;
  auto spin = run(R"(
define void @k(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %set, label %wait
set:
  %one = atomicrmw xchg ptr %p, i32 1 monotonic
  ret void
wait:
  %v = atomicrmw add ptr %p, i32 0 monotonic
  %ready = icmp ne i32 %v, 0
  br i1 %ready, label %done, label %wait
done:
  ret void
})",
                  options, 2);
  ASSERT_TRUE(spin.ok()) << spin.error().text();
  EXPECT_EQ(spin->values[0], 1);
}

}  // namespace
}  // namespace np::kernel_port::simt
