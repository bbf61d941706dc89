// LLVM IR to an object file for this machine.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "analyzer/base/result.h"

namespace np::jit {

struct HostOptions {
  bool contract = false;  // fuse multiply and add
  bool avx512 = true;     // false: at most AVX2, also where the CPU has more
};

class HostCompiler {
 public:
  static Result<HostCompiler> create(const HostOptions& options);

  llvm::TargetMachine& target() const { return *target_; }
  bool avx512() const { return avx512_; }

  // CPU and features as text: part of a cache key.
  std::string description() const;

  // Sets triple, data layout and the target attributes of every function.
  void retarget(llvm::Module& module) const;

  // Runs a textual pass pipeline ("function(sroa,instcombine)"). A pipeline that does not parse is a bug of ours.
  void optimise(llvm::Module& module, llvm::StringRef passes) const;

  // Code generation. Error "jit" when the target cannot emit objects.
  Result<std::string> compile(llvm::Module& module) const;

 private:
  std::unique_ptr<llvm::TargetMachine> target_;
  bool avx512_ = false;
};

}  // namespace np::jit
