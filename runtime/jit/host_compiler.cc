// The target machine is the host's with three features left out: AVX512-BF16 and AVX-NE-CONVERT round to bfloat with
// subnormals flushed, which no CUDA device does, and AVX512-FP16 takes code paths that the interpreter was not compared
// with. Fusion of multiply and add is off unless asked for.

#include "runtime/jit/host_compiler_llvm.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>

namespace np::jit {

Result<HostCompiler> HostCompiler::create(const HostOptions& options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) return makeError("jit", "cannot tell this CPU: " + llvm::toString(builder.takeError()));
  auto& features = builder->getFeatures();
  for (const char* feature : {"avx512bf16", "avxneconvert", "avx512fp16", "amx-tile", "amx-bf16", "amx-int8"})
    features.AddFeature(feature, false);
  const std::string all = features.getString();
  HostCompiler out;
  out.avx512_ = options.avx512 && all.find("+avx512f") != std::string::npos &&
                all.find("+avx512vl") != std::string::npos && all.find("+avx512bw") != std::string::npos &&
                all.find("+avx512dq") != std::string::npos;
  if (!out.avx512_) {
    builder->setCPU("haswell");
    builder->getFeatures() = llvm::SubtargetFeatures();
  }
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  builder->getOptions().AllowFPOpFusion = options.contract ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  auto target = builder->createTargetMachine();
  if (!target) return makeError("jit", "no code generator for this CPU: " + llvm::toString(target.takeError()));
  out.target_ = std::move(*target);
  return out;
}

std::string HostCompiler::description() const {
  return target_->getTargetCPU().str() + " " + target_->getTargetFeatureString().str() + " " +
         std::to_string(static_cast<int>(target_->Options.AllowFPOpFusion));
}

void HostCompiler::retarget(llvm::Module& module) const {
  module.setTargetTriple(target_->getTargetTriple().str());
  module.setDataLayout(target_->createDataLayout());
  const char* width = avx512_ ? "512" : "256";
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr("tune-cpu");
    function.addFnAttr("target-cpu", target_->getTargetCPU());
    function.addFnAttr("target-features", target_->getTargetFeatureString());
    function.addFnAttr("min-legal-vector-width", width);
    function.addFnAttr("prefer-vector-width", width);
    function.setCallingConv(llvm::CallingConv::C);
  }
}

void HostCompiler::optimise(llvm::Module& module, llvm::StringRef passes) const {
  llvm::PassBuilder builder(target_.get());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager manager;
  llvm::Error error = builder.parsePassPipeline(manager, passes);
  if (error) llvm::report_fatal_error(std::move(error));
  manager.run(module, modules);
}

Result<std::string> HostCompiler::compile(llvm::Module& module) const {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (target_->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return makeError("jit", "the code generator of this CPU cannot emit objects");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace np::jit
