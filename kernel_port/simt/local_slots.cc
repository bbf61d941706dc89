// Unoptimised IR keeps every variable in memory. Scalars whose address is not taken are given a register, which is
// exact: no other thread can see them. What must not be lost is the report of a read before any write, so a forward
// data-flow pass finds the loads that a store does not reach on every path; only those (few) are checked when the
// kernel runs. A scope's start (lifetime.start) makes a variable unwritten again.

#include "kernel_port/simt/local_slots_llvm.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace np::kernel_port::simt {
namespace {

using namespace llvm;

bool isScalar(const Type* type) {
  return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() || type->isBFloatTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64 && type->getIntegerBitWidth() % 8 == 0);
}

uint64_t bitsOf(const DataLayout& layout, Type* type) { return layout.getTypeSizeInBits(type).getFixedValue(); }

bool fitsRegister(const AllocaInst& alloca, const DataLayout& layout) {
  Type* type = alloca.getAllocatedType();
  if (!alloca.isStaticAlloca() || alloca.isArrayAllocation() || !isScalar(type)) return false;
  for (const User* user : alloca.users()) {
    if (const auto* load = dyn_cast<LoadInst>(user)) {
      if (load->isAtomic() || !isScalar(load->getType()) || bitsOf(layout, load->getType()) != bitsOf(layout, type))
        return false;
    } else if (const auto* store = dyn_cast<StoreInst>(user)) {
      Type* stored = store->getValueOperand()->getType();
      if (store->isAtomic() || store->getValueOperand() == &alloca || !isScalar(stored) ||
          bitsOf(layout, stored) != bitsOf(layout, type))
        return false;
    } else if (const auto* intrinsic = dyn_cast<IntrinsicInst>(user)) {
      if (!intrinsic->isLifetimeStartOrEnd()) return false;
    } else {
      return false;
    }
  }
  return true;
}

// What an instruction does to a variable, if anything.
const AllocaInst* writtenBy(const Instruction& instruction, const LocalSlots& slots) {
  const Value* target = nullptr;
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) target = store->getPointerOperand();
  const auto* alloca = dyn_cast_or_null<AllocaInst>(target);
  return alloca && slots.in_register.contains(alloca) ? alloca : nullptr;
}
const AllocaInst* endedBy(const Instruction& instruction, const LocalSlots& slots) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (!intrinsic || intrinsic->getIntrinsicID() != Intrinsic::lifetime_start) return nullptr;
  const auto* alloca = dyn_cast<AllocaInst>(intrinsic->getArgOperand(1)->stripPointerCasts());
  return alloca && slots.in_register.contains(alloca) ? alloca : nullptr;
}
const AllocaInst* readBy(const Instruction& instruction, const LocalSlots& slots) {
  const auto* load = dyn_cast<LoadInst>(&instruction);
  const auto* alloca = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  return alloca && slots.in_register.contains(alloca) ? alloca : nullptr;
}

void findUnwrittenReads(const Function& function, LocalSlots& slots) {
  DenseMap<const AllocaInst*, unsigned> number;
  for (const AllocaInst* alloca : slots.in_register) number.try_emplace(alloca, number.size());
  const auto count = static_cast<unsigned>(number.size());
  DenseMap<const BasicBlock*, BitVector> after;
  const auto before = [&](const BasicBlock& block) {
    if (block.isEntryBlock()) return BitVector(count, false);
    BitVector written(count, true);
    for (const BasicBlock* predecessor : predecessors(&block))
      if (auto found = after.find(predecessor); found != after.end()) written &= found->second;
    return written;
  };
  const auto transfer = [&](const Instruction& instruction, BitVector& written) {
    if (const auto* alloca = writtenBy(instruction, slots)) written.set(number[alloca]);
    if (const auto* alloca = endedBy(instruction, slots)) written.reset(number[alloca]);
  };
  const ReversePostOrderTraversal<const Function*> blocks(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock* block : blocks) {
      BitVector written = before(*block);
      for (const Instruction& instruction : *block) transfer(instruction, written);
      auto [found, added] = after.try_emplace(block, written);
      if (!added && found->second == written) continue;
      found->second = std::move(written);
      changed = true;
    }
  }
  for (const BasicBlock* block : blocks) {
    BitVector written = before(*block);
    for (const Instruction& instruction : *block) {
      if (const auto* alloca = readBy(instruction, slots); alloca && !written.test(number[alloca])) {
        slots.maybe_unwritten.insert(cast<LoadInst>(&instruction));
        slots.checked.insert(alloca);
      }
      transfer(instruction, written);
    }
  }
}

bool keepsOneResult(const Instruction& instruction) {
  return !instruction.getType()->isVectorTy() && !instruction.getType()->isAggregateType() &&
         (isa<BinaryOperator>(instruction) || isa<GetElementPtrInst>(instruction) || isa<LoadInst>(instruction));
}

void findInPlace(const BasicBlock& block, LocalSlots& slots) {
  DenseMap<const Instruction*, unsigned> position;
  DenseMap<const AllocaInst*, SmallVector<unsigned, 4>> changes;
  SmallVector<const Instruction*, 64> order;
  for (const Instruction& instruction : block) {
    if (instruction.isDebugOrPseudoInst()) continue;
    const auto at = static_cast<unsigned>(order.size());
    position[&instruction] = at;
    order.push_back(&instruction);
    if (const auto* alloca = writtenBy(instruction, slots)) changes[alloca].push_back(at);
    if (const auto* alloca = endedBy(instruction, slots)) changes[alloca].push_back(at);
  }
  for (const Instruction* instruction : order) {
    const auto* alloca = readBy(*instruction, slots);
    if (!alloca) continue;
    unsigned last = position[instruction];
    bool local = true;
    for (const User* user : instruction->users()) {
      const auto* use = cast<Instruction>(user);
      local &= use->getParent() == &block && !isa<PHINode>(use);
      if (local) last = std::max(last, position[use]);
    }
    const unsigned first = position[instruction];
    const bool changed = any_of(changes[alloca], [&](unsigned at) { return at > first && at <= last; });
    if (local && !changed) slots.read_in_place.insert(cast<LoadInst>(instruction));
  }
  for (size_t k = 1; k < order.size(); ++k) {
    const auto* alloca = writtenBy(*order[k], slots);
    const Instruction* value = order[k - 1];
    if (!alloca || cast<StoreInst>(order[k])->getValueOperand() != value) continue;
    if (!value->hasOneUse() || !keepsOneResult(*value) || readBy(*value, slots)) continue;
    slots.written_in_place[value] = alloca;
  }
}

}  // namespace

LocalSlots findLocalSlots(const Function& function) {
  LocalSlots slots;
  const DataLayout& layout = function.getParent()->getDataLayout();
  for (const BasicBlock& block : function)
    for (const Instruction& instruction : block)
      if (const auto* alloca = dyn_cast<AllocaInst>(&instruction); alloca && fitsRegister(*alloca, layout))
        slots.in_register.insert(alloca);
  findUnwrittenReads(function, slots);
  for (const BasicBlock& block : function) findInPlace(block, slots);
  return slots;
}

}  // namespace np::kernel_port::simt
