// The loop must count one by one, compute only, and leave nothing of its counter behind. The body goes under the guard
// unchanged; values that it carries keep what they were where the guard does not hold.
#include "kernel_port/lift/ragged_loops.h"

#include <optional>
#include <set>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/lift/math_names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace np::kernel_port::lift {

namespace {

struct Ragged {
  llvm::PHINode* counter = nullptr;
  llvm::ICmpInst* compare = nullptr;
  llvm::Value* start = nullptr;
  llvm::Value* end = nullptr;
  llvm::GetElementPtrInst* access = nullptr;
  bool stays_when_true = true;
};

bool comesFromLoad(llvm::Value* value, std::set<llvm::Value*>& seen) {
  auto* inst = llvm::dyn_cast<llvm::Instruction>(value);
  if (inst == nullptr || !seen.insert(value).second) return false;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(inst)) {
    // A struct passed by value and a local array are no data.
    const llvm::Value* object = llvm::getUnderlyingObject(load->getPointerOperand());
    auto* argument = llvm::dyn_cast<llvm::Argument>(object);
    return !llvm::isa<llvm::AllocaInst>(object) && (argument == nullptr || !argument->hasByValAttr());
  }
  if (llvm::isa<llvm::PHINode>(inst) || llvm::isa<llvm::CallInst>(inst)) return false;
  for (llvm::Value* operand : inst->operands())
    if (comesFromLoad(operand, seen)) return true;
  return false;
}

bool comesFromLoad(llvm::Value* value) {
  std::set<llvm::Value*> seen;
  return comesFromLoad(value, seen);
}

// Computed from nothing that changes in the loop; loads count, as nothing is stored there.
bool isInvariant(llvm::Value* value, const llvm::Loop& loop) {
  auto* inst = llvm::dyn_cast<llvm::Instruction>(value);
  if (inst == nullptr || !loop.contains(inst)) return true;
  if (llvm::isa<llvm::PHINode>(inst)) return false;
  for (llvm::Value* operand : inst->operands())
    if (!isInvariant(operand, loop)) return false;
  return true;
}

bool onlyComputes(const llvm::Loop& loop) {
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& inst : *block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
      if (call == nullptr && inst.mayWriteToMemory()) return false;
      if (call == nullptr || llvm::isa<llvm::DbgInfoIntrinsic>(call)) continue;
      const llvm::Function* callee = call->getCalledFunction();
      const auto known = callee != nullptr ? classifyDeviceCall(callee->getName().str()) : std::nullopt;
      if (!known || !mathCall(*known)) return false;
    }
  return true;
}

// x[e] in every iteration, x the same in all of them.
llvm::GetElementPtrInst* readEveryTime(const llvm::Loop& loop, llvm::PHINode* counter, llvm::DominatorTree& tree) {
  for (llvm::BasicBlock* block : loop.blocks()) {
    if (!tree.dominates(block, loop.getLoopLatch())) continue;
    for (llvm::Instruction& inst : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst);
      auto* gep = load != nullptr ? llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand()) : nullptr;
      if (gep == nullptr || gep->getNumIndices() != 1 || gep->getSourceElementType() != load->getType()) continue;
      llvm::Value* index = *gep->idx_begin();
      if (auto* wide = llvm::dyn_cast<llvm::SExtInst>(index)) index = wide->getOperand(0);
      if (index == counter && isInvariant(gep->getPointerOperand(), loop) && !comesFromLoad(gep->getPointerOperand()))
        return gep;
    }
  }
  return nullptr;
}

std::optional<Ragged> match(const llvm::Loop& loop, llvm::DominatorTree& tree) {
  llvm::BasicBlock *header = loop.getHeader(), *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  if (before == nullptr || latch == nullptr || latch == header || loop.getExitingBlock() != header) return std::nullopt;
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
  if (branch == nullptr || !branch->isConditional()) return std::nullopt;
  auto* turn = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  Ragged out;
  out.compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (out.compare == nullptr || turn == nullptr || turn->isConditional() || !onlyComputes(loop)) return std::nullopt;
  auto predicate = out.compare->getPredicate();
  llvm::Value *left = out.compare->getOperand(0), *right = out.compare->getOperand(1);
  out.stays_when_true = loop.contains(branch->getSuccessor(0));
  if (!out.stays_when_true) predicate = llvm::ICmpInst::getInversePredicate(predicate);
  if (predicate == llvm::ICmpInst::ICMP_SGT) std::swap(left, right), predicate = llvm::ICmpInst::ICMP_SLT;
  out.counter = llvm::dyn_cast<llvm::PHINode>(left);
  out.end = right;
  if (predicate != llvm::ICmpInst::ICMP_SLT || out.counter == nullptr || out.counter->getParent() != header)
    return std::nullopt;
  out.start = out.counter->getIncomingValueForBlock(before);
  auto* next = llvm::dyn_cast<llvm::BinaryOperator>(out.counter->getIncomingValueForBlock(latch));
  if (next == nullptr || next->getOpcode() != llvm::Instruction::Add || next->getOperand(0) != out.counter)
    return std::nullopt;
  auto* step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
  if (step == nullptr || !step->isOne() || !isInvariant(out.end, loop)) return std::nullopt;
  if (!comesFromLoad(out.start) && !comesFromLoad(out.end)) return std::nullopt;
  // The number of the last iteration would be another one afterwards.
  for (llvm::Value* value : {static_cast<llvm::Value*>(out.counter), static_cast<llvm::Value*>(next)})
    for (llvm::User* user : value->users())
      if (!loop.contains(llvm::cast<llvm::Instruction>(user))) return std::nullopt;
  out.access = readEveryTime(loop, out.counter, tree);
  return out.access != nullptr ? std::optional(out) : std::nullopt;
}

void rewrite(llvm::Function& kernel, const llvm::Loop& loop, const Ragged& ragged) {
  llvm::BasicBlock *header = loop.getHeader(), *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  auto* branch = llvm::cast<llvm::BranchInst>(header->getTerminator());
  llvm::BasicBlock* body = branch->getSuccessor(ragged.stays_when_true ? 0 : 1);
  llvm::BasicBlock* after = branch->getSuccessor(ragged.stays_when_true ? 1 : 0);
  llvm::Type* type = ragged.counter->getType();
  llvm::Module& module = *kernel.getParent();
  llvm::LLVMContext& context = kernel.getContext();

  llvm::IRBuilder<> ahead(before->getTerminator());
  ahead.SetCurrentDebugLocation(ragged.compare->getDebugLoc());
  llvm::Type* word = ahead.getInt64Ty();
  llvm::FunctionCallee extent = module.getOrInsertFunction(kExtentFunction, word, ahead.getPtrTy(), word);
  const uint64_t size = module.getDataLayout().getTypeStoreSize(ragged.access->getSourceElementType());
  // The pointer may be computed inside the loop, from what does not change there.
  llvm::Value* base = ragged.access->getPointerOperand();
  llvm::Value* count =
      ahead.CreateSExtOrTrunc(ahead.CreateCall(extent, {base, llvm::ConstantInt::get(word, size)}), type);

  llvm::BasicBlock* guard = llvm::BasicBlock::Create(context, "ragged.guard", &kernel, body);
  llvm::BasicBlock* turn = llvm::BasicBlock::Create(context, "ragged.next", &kernel, after);
  llvm::IRBuilder<> at(guard);
  at.SetCurrentDebugLocation(ragged.compare->getDebugLoc());
  llvm::Value* inside =
      at.CreateAnd(at.CreateICmpSLE(ragged.start, ragged.counter), at.CreateICmpSLT(ragged.counter, ragged.end));
  at.CreateCondBr(inside, body, turn);
  for (llvm::PHINode& phi : body->phis()) phi.replaceIncomingBlockWith(header, guard);

  latch->getTerminator()->setSuccessor(0, turn);
  at.SetInsertPoint(turn);
  for (llvm::PHINode& phi : header->phis()) {
    if (&phi == ragged.counter) continue;
    llvm::PHINode* merged = at.CreatePHI(phi.getType(), 2);
    merged->addIncoming(phi.getIncomingValueForBlock(latch), latch);
    merged->addIncoming(&phi, guard);
    phi.setIncomingValueForBlock(latch, merged);
  }
  llvm::Value* next = at.CreateAdd(ragged.counter, llvm::ConstantInt::get(type, 1), "", false, true);
  at.CreateBr(header);
  ragged.counter->setIncomingValueForBlock(latch, next);
  ragged.counter->setIncomingValueForBlock(before, llvm::ConstantInt::get(type, 0));
  header->replacePhiUsesWith(latch, turn);

  llvm::IRBuilder<> top(branch);
  branch->setCondition(top.CreateICmpSLT(ragged.counter, count));
  branch->setSuccessor(0, guard);
  branch->setSuccessor(1, after);
}

}  // namespace

void unrollRaggedLoops(llvm::Function& kernel) {
  for (bool again = true; again;) {
    again = false;
    llvm::DominatorTree tree(kernel);
    llvm::LoopInfo loops(tree);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      auto ragged = match(*loop, tree);
      if (!ragged) continue;
      auto* base = llvm::dyn_cast<llvm::Instruction>(ragged->access->getPointerOperand());
      if (base != nullptr && loop->contains(base)) continue;
      rewrite(kernel, *loop, *ragged);
      again = true;  // the analyses are out of date
      break;
    }
  }
}

}  // namespace np::kernel_port::lift
