// Gives every operation a value for every operand, as the device and the checked interpreter do, before LLVM may use
// that C++ leaves some undefined: no-wrap flags go, shifts saturate, integer division by zero gives all ones and the
// least value divided by -1 wraps, floats convert to integers with saturation and NaN to 0.

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "kernel_port/simt/fast/prepare_llvm.h"

namespace np::kernel_port::fast {

using namespace llvm;

namespace {

bool isConstantBelow(const Value* value, uint64_t limit) {
  const auto* constant = dyn_cast<Constant>(value);
  if (constant && value->getType()->isVectorTy()) constant = constant->getSplatValue();
  const auto* number = dyn_cast_or_null<ConstantInt>(constant);
  return number && number->getValue().ult(limit);
}

void defineShift(BinaryOperator& shift) {
  Type* type = shift.getType();
  const unsigned bits = type->getScalarSizeInBits();
  Value *value = shift.getOperand(0), *by = shift.getOperand(1);
  if (isConstantBelow(by, bits)) return;
  IRBuilder<> builder(shift.getNextNode());
  IRBuilder<> before(&shift);
  Value* inside = before.CreateICmpULT(by, ConstantInt::get(type, bits));
  shift.setOperand(1, before.CreateSelect(inside, by, ConstantInt::get(type, bits - 1)));
  if (shift.getOpcode() == Instruction::AShr) return;
  auto* out = cast<Instruction>(builder.CreateSelect(inside, PoisonValue::get(type), Constant::getNullValue(type)));
  shift.replaceAllUsesWith(out);
  out->setOperand(1, &shift);
  (void)value;
}

void defineDivision(BinaryOperator& division) {
  Value *a = division.getOperand(0), *b = division.getOperand(1);
  Type* type = division.getType();
  const bool is_signed = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  const bool quotient = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::UDiv;
  if (const auto* constant = dyn_cast<ConstantInt>(b); constant && !constant->isZero() && !constant->isMinusOne())
    return;
  IRBuilder<> builder(&division);
  Value *zero = Constant::getNullValue(type), *ones = Constant::getAllOnesValue(type);
  Value *is_zero = builder.CreateICmpEQ(b, zero), *special = is_zero, *is_minus = nullptr;
  if (is_signed) {
    is_minus = builder.CreateICmpEQ(b, ones);
    special = builder.CreateOr(is_zero, is_minus);
  }
  Value* safe = builder.CreateSelect(special, ConstantInt::get(type, 1), b);
  Value* out = builder.CreateBinOp(division.getOpcode(), a, safe);
  if (is_signed) out = builder.CreateSelect(is_minus, quotient ? builder.CreateNeg(a) : zero, out);
  out = builder.CreateSelect(is_zero, ones, out);
  division.replaceAllUsesWith(out);
  division.eraseFromParent();
}

void defineConversion(CastInst& conversion) {
  IRBuilder<> builder(&conversion);
  const auto id = conversion.getOpcode() == Instruction::FPToSI ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Value* out = builder.CreateIntrinsic(id, {conversion.getType(), conversion.getSrcTy()}, {conversion.getOperand(0)});
  conversion.replaceAllUsesWith(out);
  conversion.eraseFromParent();
}

void dropPromises(Instruction& instruction) {
  instruction.dropPoisonGeneratingFlags();
  if (auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    const auto id = call->getIntrinsicID();
    if (id == Intrinsic::ctlz || id == Intrinsic::cttz || id == Intrinsic::abs)
      call->setArgOperand(1, ConstantInt::getFalse(instruction.getContext()));
  }
}

}  // namespace

void defineArithmetic(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    dropPromises(instruction);
    switch (instruction.getOpcode()) {
      case Instruction::Shl:
      case Instruction::LShr:
      case Instruction::AShr:
        defineShift(cast<BinaryOperator>(instruction));
        break;
      case Instruction::SDiv:
      case Instruction::UDiv:
      case Instruction::SRem:
      case Instruction::URem:
        defineDivision(cast<BinaryOperator>(instruction));
        break;
      case Instruction::FPToSI:
      case Instruction::FPToUI:
        defineConversion(cast<CastInst>(instruction));
        break;
      default:
        break;
    }
  }
}

}  // namespace np::kernel_port::fast
