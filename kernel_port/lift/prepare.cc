// The frontend's pipeline for lifting, then scalar loads and stores only, and sparse constant propagation with the
// launch's fixed dimensions, which removes variants for other block sizes. Loop unrolling and vectorisation would only
// make the compact form larger, so they are left out.
#include "kernel_port/lift/prepare.h"

#include <vector>

#include "kernel_port/frontend/prepare.h"
#include "kernel_port/lift/ragged_loops.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

namespace np::kernel_port::lift {

namespace {

// Replaces reads of a launch dimension by its value.
void fixDimension(llvm::Module& module, const std::string& reg, int64_t value) {
  llvm::Function* function = module.getFunction("llvm.nvvm.read.ptx.sreg." + reg);
  if (function == nullptr || value <= 0) return;
  std::vector<llvm::CallInst*> calls;
  for (llvm::User* user : function->users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
  for (llvm::CallInst* call : calls) {
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), static_cast<uint64_t>(value)));
    call->eraseFromParent();
  }
}

}  // namespace

void prepareKernel(DeviceModule& device, const analyzer::DeviceKernel& symbol, const FixedLaunch& fixed) {
  llvm::Module& module = device.module();
  llvm::Function& kernel = *device.function(symbol);
  const char* axis[] = {"x", "y", "z"};
  for (size_t d = 0; d < 3; ++d) {
    fixDimension(module, std::string("ntid.") + axis[d], fixed.block[d]);
    fixDimension(module, std::string("nctaid.") + axis[d], fixed.grid[d]);
  }
  prepareForLifting(device);
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ScalarizerPassOptions scalarizer;
  scalarizer.ScalarizeLoadStore = true;
  llvm::FunctionPassManager pipeline;
  pipeline.addPass(llvm::ScalarizerPass(scalarizer));
  pipeline.addPass(llvm::SCCPPass());
  pipeline.addPass(llvm::InstSimplifyPass());
  pipeline.addPass(llvm::SimplifyCFGPass(
      llvm::SimplifyCFGOptions().bonusInstThreshold(8).hoistCommonInsts(true).sinkCommonInsts(true).speculateBlocks(
          true)));
  pipeline.addPass(llvm::EarlyCSEPass(true));
  pipeline.addPass(llvm::ADCEPass());
  pipeline.addPass(llvm::LowerSwitchPass());
  pipeline.addPass(llvm::UnifyFunctionExitNodesPass());
  pipeline.run(kernel, functions);
  unrollRaggedLoops(kernel);
}

}  // namespace np::kernel_port::lift
