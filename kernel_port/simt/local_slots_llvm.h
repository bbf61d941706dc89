// Which local variables live in a register instead of local memory, and which of their reads may see no value.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace np::kernel_port::simt {

// Only for .cc files that include LLVM anyway.
struct LocalSlots {
  // Scalars that are only loaded and stored whole; their address goes nowhere.
  llvm::DenseSet<const llvm::AllocaInst*> in_register;
  // Loads of those that no store reaches on some path: checked when they run.
  llvm::DenseSet<const llvm::LoadInst*> maybe_unwritten;
  llvm::DenseSet<const llvm::AllocaInst*> checked;  // variables of such loads
  // Loads whose value may stay in the variable's register: nothing changes it before the last use.
  llvm::DenseSet<const llvm::LoadInst*> read_in_place;
  // Values whose only use is the store right behind them: computed into the variable's register.
  llvm::DenseMap<const llvm::Instruction*, const llvm::AllocaInst*> written_in_place;
};

LocalSlots findLocalSlots(const llvm::Function& function);

// 32-bit arithmetic that an address is made of, each with one such address. In index_flow.cc.
llvm::DenseMap<const llvm::BinaryOperator*, const llvm::Instruction*> findIndexArithmetic(
    const llvm::Function& function, const LocalSlots& slots);

}  // namespace np::kernel_port::simt
