// A kernel's device IR in the form that both code generators of the fast engine start from.
//
// The prepared function takes the kernel's parameters, then the address of the block's shared memory. Its arithmetic is
// defined for every operand, as the device's is: shifts beyond the width, division by zero, float to integer out of
// range. Left as calls are coordinates (thread, block, grid), barriers and warp operations.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <cstdint>
#include <optional>

#include "analyzer/base/result.h"
#include "kernel_port/frontend/device_call.h"
#include "runtime/jit/host_compiler_llvm.h"

namespace np::kernel_port::fast {

struct Specialisation {
  std::array<uint32_t, 3> block{1, 1, 1};
  bool parallel = false;  // blocks run at the same time: atomics must be real ones
  uint32_t threads() const { return block[0] * block[1] * block[2]; }
};

struct Prepared {
  llvm::Function* function = nullptr;
  uint64_t static_shared = 0;  // bytes; dynamic shared memory starts there
};

// Error "unsupported" names what the fast engine does not know, with its source line.
Result<Prepared> prepareKernel(llvm::Module& module, llvm::StringRef symbol, const Specialisation& launch,
                               const jit::HostCompiler& compiler);

// The device operation that a call is, if it is one.
std::optional<DeviceCall> deviceCallOf(const llvm::Instruction& instruction);

// "file.cu:12:3" of an instruction, or the function's name.
std::string placeOf(const llvm::Instruction& instruction);
Error unsupported(const std::string& what, const llvm::Instruction& at);

// Passes of prepareKernel, in the order they run.
void defineArithmetic(llvm::Function& function);
Result<void> lowerCalls(llvm::Function& function, const Specialisation& launch);

}  // namespace np::kernel_port::fast
