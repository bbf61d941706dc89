// Every value starts unknown; shapes only get worse until nothing changes. A branch on a condition that is not uniform
// makes every block up to its post-dominator divergent, and those with several predecessors joins; a divergent branch out
// of a loop makes the loop divergent, and everything behind any of its exits up to the post-dominator with it.
// Extensions keep offsets although the narrow value may wrap: the emitter guards each (see vector_values).

#include "kernel_port/simt/fast/shape_analysis_llvm.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <bit>

namespace np::kernel_port::fast {

using namespace llvm;

ShapeAnalysis::ShapeAnalysis(Function& function, const Specialisation& launch, int lanes)
    : function_(function),
      launch_(launch),
      lanes_(lanes),
      layout_(function.getDataLayout()),
      dominators_(function),
      post_dominators_(function),
      loop_info_(dominators_) {}

Shape ShapeAnalysis::get(const Value* value) const {
  if (const auto* number = dyn_cast<ConstantInt>(value))
    return Shape::uniform(lanes_, number->isZero() ? kMaxAlignment : static_cast<int>(number->getValue().countr_zero()));
  if (isa<Constant>(value) || isa<Argument>(value)) return Shape::uniform(lanes_);
  return shapes_.lookup(value);
}

Shape ShapeAnalysis::thread(int axis) const {
  const auto [x, y, z] = launch_.block;
  const auto w = static_cast<uint32_t>(lanes_);
  std::vector<int64_t> offset(w);
  const auto log2 = [](uint32_t n) { return static_cast<int>(std::bit_width(n)) - 1; };
  if (axis == 0) {
    if (x % w == 0 || y * z == 1) {
      for (uint32_t lane = 0; lane < w; ++lane) offset[lane] = lane;
      return Shape::affine(offset, log2(w));
    }
    if (w % x != 0) return Shape::varying(lanes_);
    for (uint32_t lane = 0; lane < w; ++lane) offset[lane] = lane % x;
    return Shape::affine(offset, kMaxAlignment);
  }
  if (axis == 1) {
    if (y == 1) return Shape::uniform(lanes_, kMaxAlignment);
    if (x % w == 0) return Shape::uniform(lanes_);
    if (w % x != 0 || (x * y) % w != 0) return Shape::varying(lanes_);
    for (uint32_t lane = 0; lane < w; ++lane) offset[lane] = lane / x;
    const uint32_t rows = w / x;
    return Shape::affine(offset, std::has_single_bit(rows) ? log2(rows) : 0);
  }
  if (z == 1) return Shape::uniform(lanes_, kMaxAlignment);
  return (x * y) % w == 0 ? Shape::uniform(lanes_) : Shape::varying(lanes_);
}

Shape ShapeAnalysis::same(const Instruction& instruction) const {
  std::vector<Shape> operands;
  const auto* call = dyn_cast<CallInst>(&instruction);
  for (const Use& operand : call ? call->args() : instruction.operands()) operands.push_back(get(operand));
  return Shape::same(operands, lanes_);
}

Shape ShapeAnalysis::phi(const PHINode& phi) const {
  if (joins_.contains(phi.getParent())) {
    const Value* only = phi.hasConstantValue();
    return only && isa<Constant>(only) ? get(only) : Shape::varying(lanes_);
  }
  Shape out;
  for (const Value* value : phi.incoming_values()) out = Shape::meet(out, get(value));
  return out;
}

Shape ShapeAnalysis::callResult(const CallInst& call) const {
  const auto device = deviceCallOf(call);
  if (!device) return same(call);
  switch (device->op) {
    case DeviceOp::ThreadId:
      return thread(device->axis);
    case DeviceOp::BlockId:
    case DeviceOp::GridDim:
      return Shape::uniform(lanes_);
    case DeviceOp::BarrierCount:
    case DeviceOp::BarrierAnd:
    case DeviceOp::BarrierOr:
      return Shape::uniform(lanes_);
    default:
      if (device->op >= DeviceOp::ShuffleIdx && device->op <= DeviceOp::ReduceXor) return Shape::varying(lanes_);
      return same(call);
  }
}

Shape ShapeAnalysis::transfer(const Instruction& instruction) const {
  const auto operand = [&](unsigned k) { return get(instruction.getOperand(k)); };
  const int width = instruction.getType()->isIntegerTy() ? static_cast<int>(instruction.getType()->getIntegerBitWidth()) : 64;
  const auto* constant = instruction.getNumOperands() > 1 ? dyn_cast<ConstantInt>(instruction.getOperand(1)) : nullptr;
  const auto narrow = [&](const Shape& shape) { return width == 1 ? same(instruction) : shape.truncated(width); };
  switch (instruction.getOpcode()) {
    case Instruction::Add:
      return narrow(Shape::sum(operand(0), operand(1)));
    case Instruction::Sub:
      return narrow(Shape::sum(operand(0), operand(1), -1));
    case Instruction::Mul:
      if (constant && width <= 64) return narrow(operand(0).times(constant->getSExtValue()));
      if (operand(0).isUniform() && operand(1).isUniform())
        return Shape::uniform(lanes_, operand(0).alignment() + operand(1).alignment());
      return same(instruction);
    case Instruction::Shl:
      if (constant && width <= 64 && constant->getZExtValue() < 31)
        return narrow(operand(0).times(int64_t{1} << constant->getZExtValue()));
      return same(instruction);
    case Instruction::LShr:
    case Instruction::AShr:
      if (constant && width <= 64 && constant->getZExtValue() < 64 && !operand(0).isUnknown()) {
        const Shape out = operand(0).shiftedRight(static_cast<int>(constant->getZExtValue()), width);
        if (!out.isUnknown()) return out;
      }
      return same(instruction);
    case Instruction::And:
      if (constant && width <= 64 && !operand(0).isUnknown()) {
        const Shape out = operand(0).masked(constant->getSExtValue(), width);
        if (!out.isUnknown()) return out;
      }
      return same(instruction);
    case Instruction::Or:
      return same(instruction);
    case Instruction::SExt:
    case Instruction::ZExt:
      if (instruction.getOperand(0)->getType()->isIntegerTy(1)) return same(instruction);
      // Wide values that are not index arithmetic gain nothing from a guard.
      if (instruction.getType()->getIntegerBitWidth() > 64) return same(instruction);
      return operand(0);
    case Instruction::Trunc:
      return width < 16 ? same(instruction) : operand(0).truncated(width);
    case Instruction::Freeze:
    case Instruction::AddrSpaceCast:
      return operand(0);
    case Instruction::GetElementPtr: {
      Shape out = operand(0);
      const auto* gep = cast<GetElementPtrInst>(&instruction);
      for (auto at = gep_type_begin(gep), end = gep_type_end(gep); at != end && !out.isUnknown(); ++at)
        if (!at.getStructTypeOrNull())
          out = Shape::sum(out, get(at.getOperand()).times(static_cast<int64_t>(at.getSequentialElementStride(layout_))));
      return out;
    }
    case Instruction::Select: {
      const Shape condition = operand(0), a = operand(1), b = operand(2);
      if (condition.isUnknown()) return condition;
      if (condition.isUniform()) return Shape::meet(a, b);
      return same(instruction);
    }
    case Instruction::PHI:
      return phi(cast<PHINode>(instruction));
    case Instruction::Load: {
      return same(instruction);
    }
    case Instruction::Alloca:
    case Instruction::AtomicRMW:
    case Instruction::AtomicCmpXchg:
      return Shape::varying(lanes_);
    case Instruction::Call:
      return callResult(cast<CallInst>(instruction));
    default:
      return same(instruction);
  }
}

void ShapeAnalysis::part(const BasicBlock* block) {
  if (!parting_.insert(block).second) return;
  const BasicBlock* meeting = nullptr;
  if (const auto* node = post_dominators_.getNode(block); node && node->getIDom()) meeting = node->getIDom()->getBlock();
  SmallVector<const BasicBlock*> work;
  DenseSet<const BasicBlock*> seen;
  const auto push = [&](const BasicBlock* from, const BasicBlock* to) {
    const Loop* loop = loop_info_.getLoopFor(to);
    if (loop && loop->getHeader() == to && loop->contains(from)) return;
    if (seen.insert(to).second) work.push_back(to);
  };
  for (const BasicBlock* next : successors(block)) push(block, next);
  for (Loop* loop = loop_info_.getLoopFor(block); loop; loop = loop->getParentLoop()) {
    bool leaves = false;
    for (const BasicBlock* next : successors(block)) leaves |= !loop->contains(next);
    if (!leaves) continue;
    loops_.insert(loop);
    for (const BasicBlock* inner : loop->blocks()) divergent_.insert(inner);
    SmallVector<BasicBlock*> exits;
    loop->getExitBlocks(exits);
    for (const BasicBlock* exit : exits) {
      joins_.insert(exit);
      if (seen.insert(exit).second) work.push_back(exit);
    }
  }
  while (!work.empty()) {
    const BasicBlock* at = work.pop_back_val();
    const Loop* loop = loop_info_.getLoopFor(at);
    if (pred_size(at) > 1 && !(loop && loop->getHeader() == at)) joins_.insert(at);
    if (at == meeting) continue;
    divergent_.insert(at);
    for (const BasicBlock* next : successors(at)) push(at, next);
  }
}

bool ShapeAnalysis::run() {
  ReversePostOrderTraversal<Function*> order(&function_);
  bool changed = true;
  for (int round = 0; changed; ++round) {
    if (round > 300) return false;
    changed = false;
    for (const BasicBlock* block : order) {
      for (const Instruction& instruction : *block) {
        Shape& known = shapes_[&instruction];
        Shape now = transfer(instruction);
        if (!known.isUnknown()) now = Shape::meet(known, now);
        if (now == known) continue;
        known = std::move(now);
        changed = true;
      }
      const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional() || parting_.contains(block)) continue;
      const Shape condition = get(branch->getCondition());
      if (condition.isUnknown() || condition.isUniform()) continue;
      part(block);
      changed = true;
    }
  }
  return true;
}

}  // namespace np::kernel_port::fast
