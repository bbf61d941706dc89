// Instructions on memory: local objects, addresses, loads and stores (scalar by scalar), atomics.

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "kernel_port/simt/compiler_llvm.h"

namespace np::kernel_port::simt {

using namespace llvm;

namespace {

constexpr uint32_t kGap = 16;  // bytes between local objects, so that running over an end is seen

uint32_t alignOf(Align align) { return static_cast<uint32_t>(std::min<uint64_t>(align.value(), 4096)); }

// The variable's own name: "acc" of "acc.addr" or, after inlining, "acc.i.i".
StringRef plainName(const AllocaInst& alloca) {
  const StringRef name = alloca.getName();
  return name.empty() ? StringRef("a temporary") : name.substr(0, name.find('.'));
}

}  // namespace

Result<void> FunctionCompiler::alloca(const AllocaInst& instruction) {
  if (slots_.in_register.contains(&instruction)) return {};
  if (!instruction.isStaticAlloca())
    return module_.unsupported("a local array whose size is not a constant", &instruction);
  const auto size = instruction.getAllocationSize(module_.layout());
  if (!size || size->isScalable() || size->getFixedValue() > (1u << 20))
    return module_.unsupported("a local object of more than 1 MiB", &instruction);
  const uint32_t align = std::max(8u, alignOf(instruction.getAlign()));
  const uint32_t offset = (out_.local_bytes + align - 1) / align * align;
  const auto bytes = static_cast<uint32_t>(size->getFixedValue());
  local_objects_[&instruction] = {offset, bytes};
  out_.locals.push_back({offset, bytes});
  out_.local_bytes = offset + bytes + kGap;
  emit(Op::LocalAddress, result(instruction)).imm = offset;
  return {};
}

Result<void> FunctionCompiler::lifetimeStart(const CallInst& call) {
  const auto* alloca = dyn_cast<AllocaInst>(call.getArgOperand(1)->stripPointerCasts());
  if (!alloca) return {};
  if (auto flag = variable_flag_.find(alloca); flag != variable_flag_.end()) {
    emit(Op::Mov, flag->second, constant(0));
  } else if (auto object = local_objects_.find(alloca); object != local_objects_.end()) {
    simt::Instruction& out = emit(Op::LocalUndef, 0);
    out.imm = object->second.first;
    out.x = object->second.second;
  }
  return {};
}

Result<void> FunctionCompiler::load(const LoadInst& instruction) {
  if (const auto* alloca = dyn_cast<AllocaInst>(instruction.getPointerOperand());
      alloca && slots_.in_register.contains(alloca)) {
    if (slots_.maybe_unwritten.contains(&instruction))
      emit(Op::CheckDefined, 0, variable_flag_[alloca]).x = module_.nameIndex(plainName(*alloca));
    if (!slots_.read_in_place.contains(&instruction)) move(result(instruction), variable_register_[alloca]);
    return {};
  }
  NP_ASSIGN(uint32_t base, operand(*instruction.getPointerOperand()));
  NP_ASSIGN(auto leaves, module_.leaves(instruction.getType()));
  for (uint32_t k = 0; k < leaves.size(); ++k) {
    uint32_t address = base;
    if (leaves[k].offset) {
      address = newRegisters(1);
      emit(Op::PtrAddImm, address, base).imm = leaves[k].offset;
    }
    simt::Instruction& out = emit(instruction.isAtomic() ? Op::AtomicLoad : Op::Load, result(instruction) + k, address);
    out.width = static_cast<uint8_t>(module_.layout().getTypeStoreSize(leaves[k].type).getFixedValue());
    out.x = alignOf(commonAlignment(instruction.getAlign(), leaves[k].offset));
    const uint64_t bits = module_.layout().getTypeSizeInBits(leaves[k].type).getFixedValue();
    if (bits % 8) emit(Op::Trunc, result(instruction) + k, result(instruction) + k).imm = maskOf(bits);
  }
  return {};
}

Result<void> FunctionCompiler::store(const StoreInst& instruction) {
  const Value& value = *instruction.getValueOperand();
  NP_ASSIGN(uint32_t from, operand(value));
  if (const auto* alloca = dyn_cast<AllocaInst>(instruction.getPointerOperand());
      alloca && slots_.in_register.contains(alloca)) {
    move(variable_register_[alloca], from);
    if (auto flag = variable_flag_.find(alloca); flag != variable_flag_.end()) emit(Op::Mov, flag->second, constant(1));
    return {};
  }
  NP_ASSIGN(uint32_t base, operand(*instruction.getPointerOperand()));
  NP_ASSIGN(auto leaves, module_.leaves(value.getType()));
  for (uint32_t k = 0; k < leaves.size(); ++k) {
    const auto size = static_cast<uint8_t>(module_.layout().getTypeStoreSize(leaves[k].type).getFixedValue());
    uint32_t address = base;
    if (leaves[k].offset) {
      address = newRegisters(1);
      emit(Op::PtrAddImm, address, base).imm = leaves[k].offset;
    }
    if (instruction.isAtomic()) {
      simt::Instruction& out = emit(Op::AtomicRmw, newRegisters(1), address, from + k);
      out.width = size;
      out.flags = static_cast<uint8_t>(AtomicOp::Exchange);
      continue;
    }
    simt::Instruction& out = emit(Op::Store, 0, address, from + k);
    out.width = size;
    out.x = alignOf(commonAlignment(instruction.getAlign(), leaves[k].offset));
  }
  return {};
}

Result<void> FunctionCompiler::elementPointer(const GetElementPtrInst& instruction) {
  if (instruction.getType()->isVectorTy()) return module_.unsupported("a vector of addresses", &instruction);
  NP_ASSIGN(uint32_t base, operand(*instruction.getPointerOperand()));
  MapVector<Value*, APInt> variable;
  APInt fixed(64, 0);
  if (!llvm::cast<GEPOperator>(instruction).collectOffset(module_.layout(), 64, variable, fixed))
    return module_.unsupported("this form of address arithmetic", &instruction);
  if (variable.empty() && fixed.isZero()) return same(instruction, base);
  const uint32_t dst = result(instruction);
  for (const auto& [index, scale] : variable) {
    NP_ASSIGN(uint32_t at, operand(*index));
    if (const unsigned width = index->getType()->getIntegerBitWidth(); width < 64) {
      const uint32_t wide = newRegisters(1);
      simt::Instruction& out = emit(Op::SExt, wide, at);
      out.width = static_cast<uint8_t>(width);
      out.imm = ~uint64_t{0};
      at = wide;
    }
    emit(Op::PtrAdd, dst, base, at).imm = scale.getZExtValue();
    base = dst;
  }
  if (!fixed.isZero()) emit(Op::PtrAddImm, dst, base).imm = fixed.getZExtValue();
  return {};
}

Result<void> FunctionCompiler::atomicRmw(const AtomicRMWInst& instruction) {
  static const std::pair<AtomicRMWInst::BinOp, AtomicOp> kOps[] = {
      {AtomicRMWInst::Xchg, AtomicOp::Exchange},    {AtomicRMWInst::Add, AtomicOp::Add},
      {AtomicRMWInst::Sub, AtomicOp::Sub},          {AtomicRMWInst::And, AtomicOp::And},
      {AtomicRMWInst::Nand, AtomicOp::Nand},        {AtomicRMWInst::Or, AtomicOp::Or},
      {AtomicRMWInst::Xor, AtomicOp::Xor},          {AtomicRMWInst::Max, AtomicOp::SMax},
      {AtomicRMWInst::Min, AtomicOp::SMin},         {AtomicRMWInst::UMax, AtomicOp::UMax},
      {AtomicRMWInst::UMin, AtomicOp::UMin},        {AtomicRMWInst::FAdd, AtomicOp::FAdd},
      {AtomicRMWInst::FSub, AtomicOp::FSub},        {AtomicRMWInst::FMax, AtomicOp::FMax},
      {AtomicRMWInst::FMin, AtomicOp::FMin},        {AtomicRMWInst::UIncWrap, AtomicOp::UIncWrap},
      {AtomicRMWInst::UDecWrap, AtomicOp::UDecWrap}};
  const auto* op = std::find_if(std::begin(kOps), std::end(kOps),
                                [&](const auto& row) { return row.first == instruction.getOperation(); });
  Type* type = instruction.getType();
  if (op == std::end(kOps) || type->isVectorTy()) return module_.unsupported("this atomic operation", &instruction);
  NP_ASSIGN(uint32_t address, operand(*instruction.getPointerOperand()));
  NP_ASSIGN(uint32_t value, operand(*instruction.getValOperand()));
  AtomicType kind = AtomicType::Integer;
  if (const auto format = floatType(type))
    kind = *format == FloatType::F32   ? AtomicType::F32
           : *format == FloatType::F64 ? AtomicType::F64
           : *format == FloatType::F16 ? AtomicType::F16
                                       : AtomicType::BF16;
  simt::Instruction& out = emit(Op::AtomicRmw, result(instruction), address, value);
  out.width = static_cast<uint8_t>(module_.layout().getTypeStoreSize(type).getFixedValue());
  out.flags = static_cast<uint8_t>(op->second);
  out.x = static_cast<uint32_t>(kind);
  return {};
}

Result<void> FunctionCompiler::compareExchange(const AtomicCmpXchgInst& instruction) {
  NP_ASSIGN(uint32_t address, operand(*instruction.getPointerOperand()));
  NP_ASSIGN(uint32_t expected, operand(*instruction.getCompareOperand()));
  NP_ASSIGN(uint32_t value, operand(*instruction.getNewValOperand()));
  emit(Op::CmpXchg, result(instruction), address, expected, value).width = static_cast<uint8_t>(
      module_.layout().getTypeStoreSize(instruction.getNewValOperand()->getType()).getFixedValue());
  return {};
}

}  // namespace np::kernel_port::simt
