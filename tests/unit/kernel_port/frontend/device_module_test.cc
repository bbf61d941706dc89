// Device modules from IR text: look-up by written name, clones, bad input, and what preparation keeps.

#include "kernel_port/frontend/device_module.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "kernel_port/frontend/prepare.h"

namespace np::kernel_port {
namespace {

constexpr const char* kIr = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [4 x float] undef, align 4
define internal float @twice(float %x) noinline {
  %slot = alloca float
  store float %x, ptr %slot
  %y = load float, ptr %slot
  store float %y, ptr addrspacecast (ptr addrspace(3) @s to ptr)
  %z = load float, ptr addrspacecast (ptr addrspace(3) @s to ptr)
  %r = fadd float %y, %z
  ret float %r
}
define internal i32 @fact(i32 %n) {
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %one, label %more
one:
  ret i32 1
more:
  %m = sub i32 %n, 1
  %f = call i32 @fact(i32 %m)
  %r = mul i32 %n, %f
  ret i32 %r
}
define void @_Z1kIfEvPT_(ptr %p) {
  %v = load float, ptr %p
  %t = call float @twice(float %v)
  store float %t, ptr %p
  %f = call i32 @fact(i32 3)
  ret void
}
)";

Result<DeviceModule> load() {
  analyzer::DeviceKernel kernel;
  kernel.name = "k<float, 128>";
  kernel.symbol = "_Z1kIfEvPT_";
  return DeviceModule::fromIr(kIr, {kernel}, "k.cu");
}

template <class Instruction>
int count(llvm::Function& function) {
  int n = 0;
  for (llvm::Instruction& instruction : llvm::instructions(function)) n += llvm::isa<Instruction>(instruction);
  return n;
}

TEST(DeviceModule, FindsKernelsAsWritten) {
  auto module = load();
  ASSERT_TRUE(module.ok()) << module.error().text();
  EXPECT_NE(module->find("k<float,128>"), nullptr);
  EXPECT_EQ(module->find("k"), nullptr);
  auto missing = module->get("k<float, 12>");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, "no-kernel");
  EXPECT_NE(missing.error().message.find("did you mean \"k<float, 128>\""), std::string::npos);
  EXPECT_NE(module->function(*module->find("k<float, 128>")), nullptr);
}

TEST(DeviceModule, BadIrIsAnError) {
  EXPECT_EQ(DeviceModule::fromIr("not IR", {}, "k.cu").error().code, "bad-bitcode");
  EXPECT_EQ(DeviceModule::fromIr("", {}, "k.cu").ok(), true);  // an empty module is valid text
  EXPECT_EQ(DeviceModule::fromIr(std::string("BC\xc0\xde\x01\x02\x03\x04", 8), {}, "k.cu").error().code, "bad-bitcode");
}

TEST(Prepare, InliningKeepsEveryAccess) {
  auto module = load();
  inlineDeviceFunctions(*module);
  llvm::Function* kernel = module->function(module->kernels()[0]);
  EXPECT_EQ(count<llvm::LoadInst>(*kernel), 3);
  EXPECT_EQ(count<llvm::StoreInst>(*kernel), 3);
  EXPECT_EQ(count<llvm::AllocaInst>(*kernel), 1);
}

TEST(Prepare, LiftingFormHasNoLocalsAndLeavesTheOriginalAlone) {
  auto module = load();
  auto copy = module->clone();
  ASSERT_TRUE(copy.ok());
  prepareForLifting(*copy);
  EXPECT_EQ(count<llvm::AllocaInst>(*copy->function(copy->kernels()[0])), 0);
  EXPECT_EQ(count<llvm::CallInst>(*module->function(module->kernels()[0])), 2);
}

}  // namespace
}  // namespace np::kernel_port
