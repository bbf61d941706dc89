// Pass pipelines over device IR.
// Inlining marks everything that has a body and is not recursive `alwaysinline` and runs LLVM's always-inliner, which
// moves code and folds constants but removes no memory access. Kernels stay out-of-line unless they are called.

#include "kernel_port/frontend/prepare.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include <set>

namespace np::kernel_port {
namespace {

std::set<const llvm::Function*> recursiveFunctions(llvm::Module& module) {
  std::set<const llvm::Function*> out;
  llvm::CallGraph graph(module);
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    if (!scc.hasCycle()) continue;
    for (const llvm::CallGraphNode* node : *scc)
      if (node->getFunction()) out.insert(node->getFunction());
  }
  return out;
}

void run(llvm::Module& module, llvm::ModulePassManager passes) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  passes.run(module, modules);
}

void markForInlining(DeviceModule& module) {
  std::set<std::string> kernels;
  for (const analyzer::DeviceKernel& kernel : module.kernels()) kernels.insert(kernel.symbol);
  const auto recursive = recursiveFunctions(module.module());
  for (llvm::Function& function : module.module()) {
    if (function.isDeclaration() || recursive.contains(&function) || kernels.contains(function.getName().str()))
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

}  // namespace

void inlineDeviceFunctions(DeviceModule& module) {
  markForInlining(module);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
  run(module.module(), std::move(passes));
}

void prepareForLifting(DeviceModule& module) {
  markForInlining(module);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  llvm::FunctionPassManager scalar;
  scalar.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  scalar.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  scalar.addPass(llvm::ScalarizerPass());
  scalar.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                           .bonusInstThreshold(8)
                                           .hoistCommonInsts(true)
                                           .sinkCommonInsts(true)
                                           .convertSwitchToLookupTable(false)
                                           .speculateBlocks(true)));
  scalar.addPass(llvm::LowerSwitchPass());
  scalar.addPass(llvm::UnifyFunctionExitNodesPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(scalar)));
  run(module.module(), std::move(passes));
}

}  // namespace np::kernel_port
