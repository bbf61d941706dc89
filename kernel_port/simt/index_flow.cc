// Which 32-bit arithmetic ends in an address. The flow is followed backwards from every address computation through
// + - * <<, widening, phis, selects and local variables in registers, and not through operations that are meant to cut
// a number down (remainders, masks, shifts to the right): a hash may wrap.

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>

#include "kernel_port/simt/local_slots_llvm.h"

namespace np::kernel_port::simt {

using namespace llvm;

DenseMap<const BinaryOperator*, const llvm::Instruction*> findIndexArithmetic(const llvm::Function& function,
                                                                              const LocalSlots& slots) {
  DenseMap<const BinaryOperator*, const llvm::Instruction*> out;
  DenseMap<const AllocaInst*, SmallVector<const StoreInst*, 4>> stores;
  SmallVector<std::pair<const Value*, const llvm::Instruction*>, 64> open;
  for (const llvm::Instruction& instruction : instructions(function)) {
    if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
      const auto* alloca = dyn_cast<AllocaInst>(store->getPointerOperand());
      if (alloca && slots.in_register.contains(alloca)) stores[alloca].push_back(store);
    }
    if (const auto* address = dyn_cast<GetElementPtrInst>(&instruction))
      for (const Value* index : address->indices()) open.push_back({index, address});
  }
  DenseSet<const Value*> seen;
  while (!open.empty()) {
    const auto [value, address] = open.pop_back_val();
    if (!seen.insert(value).second) continue;
    const auto* instruction = dyn_cast<llvm::Instruction>(value);
    if (!instruction) continue;
    const auto* operation = dyn_cast<BinaryOperator>(instruction);
    const auto* load = dyn_cast<LoadInst>(instruction);
    if (operation) {
      switch (operation->getOpcode()) {
        case llvm::Instruction::Add:
        case llvm::Instruction::Sub:
        case llvm::Instruction::Mul:
        case llvm::Instruction::Shl:
          if (operation->getType()->isIntegerTy(32)) out.try_emplace(operation, address);
          for (const Value* operand : operation->operands()) open.push_back({operand, address});
          break;
        default:
          break;
      }
    } else if (load) {
      const auto* alloca = dyn_cast<AllocaInst>(load->getPointerOperand());
      if (alloca && slots.in_register.contains(alloca))
        for (const StoreInst* store : stores[alloca]) open.push_back({store->getValueOperand(), address});
    } else if (isa<SExtInst>(instruction) || isa<ZExtInst>(instruction) || isa<PHINode>(instruction)) {
      for (const Value* operand : instruction->operands()) open.push_back({operand, address});
    } else if (const auto* choice = dyn_cast<SelectInst>(instruction)) {
      open.push_back({choice->getTrueValue(), address});
      open.push_back({choice->getFalseValue(), address});
    }
  }
  return out;
}

}  // namespace np::kernel_port::simt
