// LLVM's numbers for operations as ours (unsigned here, so that the header needs no LLVM).
#pragma once

#include <optional>

#include "kernel_port/lift/compact_ir.h"

namespace np::kernel_port::lift {

// Of an llvm::Instruction::BinaryOps; nothing for operations that have no compact form.
std::optional<Code> binaryCode(unsigned opcode);

// Of an integer llvm::CmpInst::Predicate.
std::optional<Predicate> predicateOf(unsigned predicate);

}  // namespace np::kernel_port::lift
