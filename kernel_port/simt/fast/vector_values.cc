// Values of vector code. A value with a base (uniform or affine) is kept as lane 0's scalar; its vector is made where one
// is needed.
// Extending the narrow sum "base + offset" is not extending base and adding the offset when the narrow one wraps. Where
// alignment does not exclude that, a test does: of the scalar base first, then of the lanes that run. Code that wraps
// leaves, and the kernel runs as thread code.

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "kernel_port/simt/fast/runtime.h"
#include "kernel_port/simt/fast/vector_emitter_llvm.h"

namespace np::kernel_port::fast {

using namespace llvm;

VectorEmitter::VectorEmitter(Function& source, Function& body, ShapeAnalysis& shapes, const Specialisation& launch,
                             const VectorOptions& options)
    : source_(source),
      body_(body),
      shapes_(shapes),
      launch_(launch),
      options_(options),
      layout_(source.getDataLayout()),
      width_(shapes.lanes()),
      gangs_((launch.threads() + static_cast<uint32_t>(width_) - 1) / static_cast<uint32_t>(width_)),
      builder_(body.getContext()) {}

Type* VectorEmitter::vectorType(Type* type) const { return FixedVectorType::get(type, static_cast<unsigned>(width_)); }

Value* VectorEmitter::lanes(const std::function<int64_t(int)>& value, Type* type) {
  SmallVector<Constant*> elements;
  for (int lane = 0; lane < width_; ++lane) elements.push_back(ConstantInt::getSigned(type, value(lane)));
  return ConstantVector::get(elements);
}

AllocaInst* VectorEmitter::local(Type* type) {
  IRBuilder<> builder(entry_, entry_->begin());
  auto* out = builder.CreateAlloca(type);
  out->setAlignment(Align(64));
  return out;
}

bool VectorEmitter::allActive() const {
  const auto* constant = dyn_cast<Constant>(mask_);
  return constant && constant->isAllOnesValue();
}

Value* VectorEmitter::any(Value* mask) {
  if (const auto* constant = dyn_cast<Constant>(mask); constant && constant->isAllOnesValue()) return builder_.getTrue();
  Type* bits = builder_.getIntNTy(cast<FixedVectorType>(mask->getType())->getNumElements());
  return builder_.CreateICmpNE(builder_.CreateBitCast(mask, bits), ConstantInt::get(bits, 0));
}

Value* VectorEmitter::slice(Value* vector, int first, int count) {
  if (first == 0 && count == width_) return vector;
  SmallVector<int> mask;
  for (int k = 0; k < count; ++k) mask.push_back(first + k);
  return builder_.CreateShuffleVector(vector, mask);
}

Value* VectorEmitter::concatenate(std::vector<Value*> parts) {
  while (parts.size() > 1) {
    std::vector<Value*> joined;
    for (size_t k = 0; k < parts.size(); k += 2) {
      const auto count = static_cast<int>(cast<FixedVectorType>(parts[k]->getType())->getNumElements());
      SmallVector<int> mask;
      for (int lane = 0; lane < 2 * count; ++lane) mask.push_back(lane);
      joined.push_back(builder_.CreateShuffleVector(parts[k], parts[k + 1], mask));
    }
    parts = std::move(joined);
  }
  return parts[0];
}

void VectorEmitter::leaveIf(Value* condition, int outcome) {
  auto* out = BasicBlock::Create(body_.getContext(), "leave", &body_);
  auto* stay = BasicBlock::Create(body_.getContext(), "stay", &body_);
  builder_.CreateCondBr(condition, out, stay, MDBuilder(body_.getContext()).createBranchWeights(1, 1 << 20));
  builder_.SetInsertPoint(out);
  FunctionCallee leave = body_.getParent()->getOrInsertFunction("np.leave", builder_.getVoidTy(), builder_.getPtrTy(),
                                                                builder_.getInt32Ty());
  auto* function = cast<Function>(leave.getCallee());
  function->setDoesNotReturn();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::Cold);
  builder_.CreateCall(leave, {extra(body_, Extra::State), builder_.getInt32(static_cast<uint32_t>(outcome))});
  builder_.CreateUnreachable();
  builder_.SetInsertPoint(stay);
}

Value* VectorEmitter::scalarOf(Value* value) {
  if (isa<UndefValue>(value)) return Constant::getNullValue(value->getType());
  if (isa<Constant>(value)) return value;
  if (auto* argument = dyn_cast<Argument>(value)) return body_.getArg(argument->getArgNo());
  if (auto found = here_.find(value); found != here_.end()) return found->second;
  return builder_.CreateLoad(value->getType(), slots_[value]);
}

Value* VectorEmitter::vectorOf(Value* value) {
  const Shape shape = shapes_.get(value);
  if (!shape.hasBase()) {
    if (auto found = here_.find(value); found != here_.end()) return found->second;
    return builder_.CreateLoad(vectorType(value->getType()), slots_[value]);
  }
  if (auto found = here_vector_.find(value); found != here_vector_.end()) return found->second;
  Value* out = builder_.CreateVectorSplat(static_cast<unsigned>(width_), scalarOf(value));
  if (!shape.isUniform()) {
    const bool pointer = value->getType()->isPointerTy();
    Value* offset = lanes([&](int lane) { return shape.offset()[lane]; }, pointer ? builder_.getInt64Ty() : value->getType());
    out = pointer ? builder_.CreateGEP(builder_.getInt8Ty(), out, offset) : builder_.CreateAdd(out, offset);
  }
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction && instruction->getParent() == current_ && !isa<PHINode>(instruction)) here_vector_[value] = out;
  return out;
}

void VectorEmitter::define(Instruction& instruction, Value* value) {
  here_[&instruction] = value;
  if (auto slot = slots_.find(&instruction); slot != slots_.end()) builder_.CreateStore(value, slot->second);
}

// Which lanes' narrow value is not "first lane's + distance".
Value* VectorEmitter::extensionWraps(Instruction& extension) {
  Value* narrow = extension.getOperand(0);
  const Shape shape = shapes_.get(narrow);
  Type* type = narrow->getType();
  const bool is_signed = isa<SExtInst>(extension);
  const auto grows = [&](Value* from, Value* to, int64_t distance) {
    return distance >= 0 ? (is_signed ? builder_.CreateICmpSGE(to, from) : builder_.CreateICmpUGE(to, from))
                         : (is_signed ? builder_.CreateICmpSLT(to, from) : builder_.CreateICmpULT(to, from));
  };
  Value* ok = nullptr;
  if (shape.hasBase()) {
    Value* base = builder_.CreateVectorSplat(static_cast<unsigned>(width_), scalarOf(narrow));
    Value* value = vectorOf(narrow);
    Value* up = grows(base, value, 0);
    Value* down = grows(base, value, -1);
    ok = builder_.CreateSelect(lanes([&](int lane) { return shape.offset()[lane] >= 0; }, builder_.getInt1Ty()), up, down);
  } else {
    Value* value = vectorOf(narrow);
    for (int level = 1; level <= kMaxLevel; ++level) {
      if (!shape.stride(level) || *shape.stride(level) == 0) continue;
      const int group = 1 << level;
      const int64_t step = *shape.stride(level);
      SmallVector<int> first;
      for (int lane = 0; lane < width_; ++lane) first.push_back(lane / group * group);
      Value* lead = builder_.CreateShuffleVector(value, first);
      Value* sum = builder_.CreateAdd(lead, lanes([&](int lane) { return step * (lane % group); }, type));
      Value* up = grows(lead, sum, step);
      SmallVector<Constant*> leaders;
      for (int lane = 0; lane < width_; ++lane) leaders.push_back(builder_.getInt1(lane % group == 0));
      up = builder_.CreateOr(up, ConstantVector::get(leaders));
      ok = ok ? builder_.CreateAnd(ok, up) : up;
    }
  }
  return ok ? builder_.CreateNot(ok) : nullptr;
}

void VectorEmitter::guardExtension(Instruction& extension) {
  Value* narrow = extension.getOperand(0);
  const Shape shape = shapes_.get(narrow);
  const auto bits = static_cast<int>(narrow->getType()->getIntegerBitWidth());
  if (bits == 1 || shape.isUniform() || shape.insideAlignment(bits)) return;
  if (!shape.hasBase()) {
    if (!shape.isStrided()) return;
    if (Value* wraps = extensionWraps(extension))
      leaveIf(any(builder_.CreateAnd(wraps, mask_)), static_cast<int>(Outcome::Bailed));
    return;
  }
  const auto [low, high] = std::minmax_element(shape.offset().begin(), shape.offset().end());
  const bool is_signed = isa<SExtInst>(extension);
  Value* base = scalarOf(narrow);
  Type* wide = builder_.getIntNTy(static_cast<unsigned>(bits) * 2);
  Value* exact = is_signed ? builder_.CreateSExt(base, wide) : builder_.CreateZExt(base, wide);
  const APInt least = is_signed ? APInt::getSignedMinValue(bits).sext(2 * bits) : APInt(2 * bits, 0);
  const APInt most = is_signed ? APInt::getSignedMaxValue(bits).sext(2 * bits) : APInt::getMaxValue(bits).zext(2 * bits);
  const APInt from = least - APInt(2 * bits, static_cast<uint64_t>(*low), true);
  const APInt to = most - APInt(2 * bits, static_cast<uint64_t>(*high), true);
  Value* inside = builder_.CreateAnd(builder_.CreateICmpSGE(exact, ConstantInt::get(wide, from)),
                                     builder_.CreateICmpSLE(exact, ConstantInt::get(wide, to)));
  auto* doubtful = BasicBlock::Create(body_.getContext(), "wraps", &body_);
  auto* sure = BasicBlock::Create(body_.getContext(), "inside", &body_);
  builder_.CreateCondBr(inside, sure, doubtful, MDBuilder(body_.getContext()).createBranchWeights(1 << 20, 1));
  builder_.SetInsertPoint(doubtful);
  const auto here = here_vector_;
  Value* wraps = extensionWraps(extension);
  leaveIf(any(builder_.CreateAnd(wraps, mask_)), static_cast<int>(Outcome::Bailed));
  here_vector_ = here;
  builder_.CreateBr(sure);
  builder_.SetInsertPoint(sure);
}

Result<void> VectorEmitter::emitInstruction(Instruction& instruction) {
  if (auto* load_inst = dyn_cast<LoadInst>(&instruction)) {
    define(instruction, load(*load_inst));
    return {};
  }
  if (auto* store_inst = dyn_cast<StoreInst>(&instruction)) {
    store(*store_inst);
    return {};
  }
  if (auto* atomic_inst = dyn_cast<AtomicRMWInst>(&instruction)) {
    define(instruction, atomic(*atomic_inst));
    return {};
  }
  if (auto* fence = dyn_cast<FenceInst>(&instruction)) {
    builder_.CreateFence(fence->getOrdering());
    return {};
  }
  if (auto* call_inst = dyn_cast<CallInst>(&instruction)) return call(*call_inst);
  if (isa<SExtInst>(instruction) || isa<ZExtInst>(instruction)) guardExtension(instruction);
  Value* out = compute(instruction);
  if (!out) return unsupported(std::string("\"") + instruction.getOpcodeName() + "\" in vector code", instruction);
  define(instruction, out);
  return {};
}

Value* VectorEmitter::compute(Instruction& instruction) {
  const Shape shape = shapes_.get(&instruction);
  const bool scalar = shape.hasBase();
  const auto operand = [&](unsigned k) {
    return scalar ? scalarOf(instruction.getOperand(k)) : vectorOf(instruction.getOperand(k));
  };
  Type* type = scalar ? instruction.getType() : vectorType(instruction.getType());
  Value* out = nullptr;
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction)) {
    out = builder_.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
  } else if (auto* unary = dyn_cast<UnaryOperator>(&instruction)) {
    out = builder_.CreateUnOp(unary->getOpcode(), operand(0));
  } else if (auto* compare = dyn_cast<CmpInst>(&instruction)) {
    out = builder_.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (auto* conversion = dyn_cast<CastInst>(&instruction)) {
    out = builder_.CreateCast(conversion->getOpcode(), operand(0), type);
  } else if (isa<SelectInst>(instruction)) {
    Value* condition = instruction.getOperand(0);
    condition = shapes_.get(condition).isUniform() ? scalarOf(condition) : vectorOf(condition);
    out = builder_.CreateSelect(condition, operand(1), operand(2));
  } else if (isa<FreezeInst>(instruction)) {
    out = operand(0);
  } else if (auto* gep = dyn_cast<GetElementPtrInst>(&instruction)) {
    SmallVector<Value*> indices;
    auto at = gep_type_begin(gep);
    for (unsigned k = 1; k < gep->getNumOperands(); ++k, ++at) {
      Value* index = gep->getOperand(k);
      const bool constant = at.getStructTypeOrNull() || isa<Constant>(index);
      indices.push_back(constant ? index : operand(k));
    }
    out = builder_.CreateGEP(gep->getSourceElementType(), operand(0), indices);
  } else if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
    const auto size = static_cast<int64_t>(alignTo(layout_.getTypeAllocSize(variable->getAllocatedType()),
                                                   std::max<uint64_t>(16, variable->getAlign().value())));
    auto* memory = local(ArrayType::get(builder_.getInt8Ty(), static_cast<uint64_t>(size * width_)));
    out = builder_.CreateGEP(builder_.getInt8Ty(), memory, lanes([&](int lane) { return lane * size; }, builder_.getInt64Ty()));
  }
  if (auto* made = dyn_cast_or_null<Instruction>(out); made && isa<FPMathOperator>(made) && isa<FPMathOperator>(instruction))
    made->copyFastMathFlags(&instruction);
  return out;
}

}  // namespace np::kernel_port::fast
