// Control flow of vector code: linear order, masks, edges. See vector_emitter_llvm.h.

#include <llvm/IR/CFG.h>

#include <set>

#include "kernel_port/simt/fast/runtime.h"
#include "kernel_port/simt/fast/vector_emitter_llvm.h"

namespace np::kernel_port::fast {

using namespace llvm;

// Blocks in topological order, the blocks of a loop together and its latch last.
void VectorEmitter::layOut(Loop* loop) {
  LoopInfo& info = shapes_.loops();
  BasicBlock* header = loop ? loop->getHeader() : &source_.getEntryBlock();
  std::vector<BasicBlock*> post_order;
  std::set<BasicBlock*> seen;
  const auto inner = [&](BasicBlock* block) -> Loop* {
    Loop* at = info.getLoopFor(block);
    if (at == loop || (loop && block == header)) return nullptr;
    while (at && at->getParentLoop() != loop) at = at->getParentLoop();
    return at;
  };
  const std::function<void(BasicBlock*)> visit = [&](BasicBlock* block) {
    Loop* nested = inner(block);
    BasicBlock* key = nested ? nested->getHeader() : block;
    if (!seen.insert(key).second) return;
    SmallVector<BasicBlock*> next;
    if (nested) {
      nested->getExitBlocks(next);
    } else {
      next.append(succ_begin(block), succ_end(block));
    }
    for (auto at = next.rbegin(); at != next.rend(); ++at)
      if (!loop || (loop->contains(*at) && *at != header)) visit(*at);
    post_order.push_back(key);
  };
  visit(header);
  std::reverse(post_order.begin(), post_order.end());
  BasicBlock* latch = loop ? loop->getLoopLatch() : nullptr;
  if (latch && latch != header && std::erase(post_order, latch) > 0) post_order.push_back(latch);
  for (BasicBlock* block : post_order) {
    if (Loop* nested = inner(block)) {
      layOut(nested);
    } else {
      order_.push_back(block);
    }
  }
}

// Where the phis of a join are cleared, so that they seem to carry nothing over from the last time round.
BasicBlock* VectorEmitter::resetPlace(const BasicBlock* join) {
  LoopInfo& info = shapes_.loops();
  auto* node = shapes_.dominators().getNode(join)->getIDom();
  if (!node) return nullptr;
  const Loop* around = info.getLoopFor(join);
  if (around && around->getHeader() == join) around = around->getParentLoop();
  while (info.getLoopFor(node->getBlock()) && !(around && info.getLoopFor(node->getBlock())->contains(around)))
    node = node->getIDom();
  return node->getBlock();
}

void VectorEmitter::createSlots() {
  for (BasicBlock* block : order_) {
    for (Instruction& instruction : *block) {
      if (instruction.getType()->isVoidTy()) continue;
      bool crosses = isa<PHINode>(instruction);
      for (const User* user : instruction.users())
        crosses |= cast<Instruction>(user)->getParent() != block || isa<PHINode>(user);
      if (!crosses) continue;
      Type* type = instruction.getType();
      slots_[&instruction] = builder_.CreateAlloca(shapes_.get(&instruction).hasBase() ? type : vectorType(type));
    }
    if (shapes_.isDivergent(block)) {
      Type* type = vectorType(builder_.getInt1Ty());
      masks_[block] = builder_.CreateAlloca(type);
      builder_.CreateStore(Constant::getNullValue(type), masks_[block]);
    }
    if (shapes_.isJoin(block))
      if (BasicBlock* place = resetPlace(block)) resets_[place].push_back(block);
  }
  exited_ = builder_.CreateAlloca(vectorType(builder_.getInt1Ty()));
  builder_.CreateStore(Constant::getNullValue(exited_->getAllocatedType()), exited_);
}

// Small blocks of plain arithmetic run whether or not a lane wants them.
bool VectorEmitter::needsCheck(const BasicBlock& block) const {
  if (!shapes_.isDivergent(&block)) return false;
  const Loop* loop = shapes_.loops().getLoopFor(&block);
  if (loop && (loop->getHeader() == &block || loop->getLoopLatch() == &block)) return true;
  for (const BasicBlock* next : successors(&block))
    if (shapes_.loops().getLoopFor(next) != loop) return true;
  if (succ_size(&block) == 0) return true;
  if (succ_size(&block) > 1 && !shapes_.parts(&block)) return true;  // its condition means nothing then
  int count = 0;
  for (const Instruction& instruction : block) {
    if (instruction.mayReadOrWriteMemory() || isa<CallInst>(instruction)) return true;
    if (isa<SExtInst>(instruction) || isa<ZExtInst>(instruction)) {
      const Shape shape = shapes_.get(&instruction);
      if (!shape.isUniform() && (shape.hasBase() || shape.isStrided())) return true;  // has a guard
    }
    ++count;
  }
  return count > 8;
}

void VectorEmitter::createBlocks() {
  for (size_t k = 0; k < order_.size(); ++k) {
    BasicBlock* block = order_[k];
    place_[block] = static_cast<int>(k);
    code_[block] = BasicBlock::Create(body_.getContext(), block->getName(), &body_);
    check_[block] = code_[block];
    if (needsCheck(*block)) check_[block] = BasicBlock::Create(body_.getContext(), block->getName() + ".any", &body_);
  }
  end_ = BasicBlock::Create(body_.getContext(), "end", &body_);
}

BasicBlock* VectorEmitter::nextOf(const BasicBlock& block) {
  const size_t next = static_cast<size_t>(place_[&block]) + 1;
  return next < order_.size() ? check_[order_[next]] : end_;
}

void VectorEmitter::emitBlockEntry(BasicBlock& block) {
  Type* mask_type = vectorType(builder_.getInt1Ty());
  if (check_[&block] != code_[&block]) {
    builder_.SetInsertPoint(check_[&block]);
    auto* skip = BasicBlock::Create(body_.getContext(), block.getName() + ".skip", &body_);
    builder_.CreateCondBr(any(builder_.CreateLoad(mask_type, masks_[&block])), code_[&block], skip);
    builder_.SetInsertPoint(skip);
    for (const Instruction& instruction : block) {
      auto slot = slots_.find(&instruction);
      if (slot != slots_.end() && !isa<PHINode>(instruction))
        builder_.CreateStore(Constant::getNullValue(slot->second->getAllocatedType()), slot->second);
    }
    builder_.CreateBr(nextOf(block));
  }
  builder_.SetInsertPoint(code_[&block]);
  mask_ = entry_mask_;
  if (shapes_.isDivergent(&block)) {
    mask_ = builder_.CreateLoad(mask_type, masks_[&block]);
    builder_.CreateStore(Constant::getNullValue(mask_type), masks_[&block]);
  }
  if (auto found = resets_.find(&block); found != resets_.end())
    for (BasicBlock* join : found->second)
      for (const PHINode& phi : join->phis())
        builder_.CreateStore(Constant::getNullValue(slots_[&phi]->getAllocatedType()), slots_[&phi]);
}

// Phi values and mask of the target. All are read before any is written: phis change at once.
void VectorEmitter::emitEdge(BasicBlock& from, BasicBlock& to, Value* mask) {
  const Loop* loop = shapes_.loops().getLoopFor(&to);
  const bool header = loop && loop->getHeader() == &to;
  std::vector<std::pair<Value*, AllocaInst*>> moves;
  for (PHINode& phi : to.phis()) {
    Value* incoming = phi.getIncomingValueForBlock(&from);
    AllocaInst* slot = slots_[&phi];
    Value* value = shapes_.get(&phi).hasBase() ? scalarOf(incoming) : vectorOf(incoming);
    if (!shapes_.get(&phi).hasBase() && shapes_.isJoin(&to) && !header)
      value = builder_.CreateSelect(mask, value, builder_.CreateLoad(value->getType(), slot));
    moves.emplace_back(value, slot);
  }
  for (const auto& [value, slot] : moves) builder_.CreateStore(value, slot);
  if (auto found = masks_.find(&to); found != masks_.end()) {
    if (!header) mask = builder_.CreateOr(builder_.CreateLoad(mask->getType(), found->second), mask);
    builder_.CreateStore(mask, found->second);
  }
  if (isa<ReturnInst>(to.getTerminator()) && shapes_.isDivergent(&from))
    builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(mask->getType(), exited_), mask), exited_);
}

bool VectorEmitter::jumpsDirectly(BasicBlock& from, BasicBlock& to) {
  if (!shapes_.isDivergent(&from) || place_[&to] <= place_[&from]) return true;
  for (const Loop* loop = shapes_.loops().getLoopFor(&from); loop && !loop->contains(&to); loop = loop->getParentLoop())
    if (shapes_.isDivergent(loop)) return false;
  for (int k = place_[&from] + 1; k < place_[&to]; ++k)
    if (!shapes_.dominators().dominates(&from, order_[k])) return false;
  return true;
}

void VectorEmitter::emitTerminator(BasicBlock& block) {
  const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch) {
    if (isa<UnreachableInst>(block.getTerminator())) leaveIf(any(mask_), static_cast<int>(Outcome::Trapped));
    builder_.CreateBr(shapes_.isDivergent(&block) ? nextOf(block) : end_);
    return;
  }
  const Loop* loop = shapes_.loops().getLoopFor(&block);
  const bool latch = loop && loop->getLoopLatch() == &block;
  if (branch->isConditional() && shapes_.parts(&block)) {
    Value* condition = vectorOf(branch->getCondition());
    Value* masks[2] = {builder_.CreateAnd(mask_, condition), builder_.CreateAnd(mask_, builder_.CreateNot(condition))};
    for (unsigned k = 0; k < 2; ++k) emitEdge(block, *branch->getSuccessor(k), masks[k]);
    if (!latch) {
      builder_.CreateBr(nextOf(block));
      return;
    }
    const unsigned back = branch->getSuccessor(0) == loop->getHeader() ? 0 : 1;
    builder_.CreateCondBr(any(masks[back]), code_[loop->getHeader()], nextOf(block));
    return;
  }
  const auto go = [&](BasicBlock& to) {
    emitEdge(block, to, mask_);
    builder_.CreateBr(jumpsDirectly(block, to) ? code_[&to] : nextOf(block));
  };
  if (!branch->isConditional()) return go(*branch->getSuccessor(0));
  Value* condition = scalarOf(branch->getCondition());
  BasicBlock* sides[2];
  for (BasicBlock*& side : sides) side = BasicBlock::Create(body_.getContext(), block.getName() + ".side", &body_);
  builder_.CreateCondBr(condition, sides[0], sides[1]);
  // What was loaded on one side is not available on the other.
  const auto here = here_, here_vector = here_vector_;
  for (unsigned k = 0; k < 2; ++k) {
    builder_.SetInsertPoint(sides[k]);
    here_ = here, here_vector_ = here_vector;
    go(*branch->getSuccessor(k));
  }
}

Result<void> VectorEmitter::emit() {
  layOut(nullptr);
  entry_ = BasicBlock::Create(body_.getContext(), "entry", &body_);
  builder_.SetInsertPoint(entry_);
  createSlots();
  createBlocks();
  Type* mask_type = vectorType(builder_.getInt1Ty());
  entry_mask_ = Constant::getAllOnesValue(mask_type);
  if (launch_.threads() % static_cast<uint32_t>(width_) != 0) {
    Value* first = builder_.CreateMul(extra(body_, Extra::Worker), builder_.getInt32(static_cast<uint32_t>(width_)));
    Value* index = builder_.CreateAdd(builder_.CreateVectorSplat(static_cast<unsigned>(width_), first),
                                      lanes([](int lane) { return lane; }, builder_.getInt32Ty()));
    entry_mask_ = builder_.CreateICmpULT(
        index, builder_.CreateVectorSplat(static_cast<unsigned>(width_), builder_.getInt32(launch_.threads())));
  }
  builder_.CreateBr(code_[order_[0]]);
  for (BasicBlock* block : order_) {
    current_ = block;
    here_.clear();
    here_vector_.clear();
    emitBlockEntry(*block);
    for (Instruction& instruction : *block) {
      if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
      NP_TRY(emitInstruction(instruction));
    }
    emitTerminator(*block);
  }
  builder_.SetInsertPoint(end_);
  builder_.CreateRetVoid();
  return {};
}

}  // namespace np::kernel_port::fast
