// Instructions that compute values: arithmetic, comparisons, casts, vectors and aggregates.
// Vectors are handled scalar by scalar. 16-bit floats are computed in float and rounded back, which is exact for
// + - * / (float has more than twice their digits plus two).

#include <llvm/IR/IntrinsicInst.h>

#include "kernel_port/simt/compiler_llvm.h"
#include "kernel_port/simt/ptx_functions.h"

namespace np::kernel_port::simt {

using namespace llvm;

namespace {

uint32_t bitsOf(const DataLayout& layout, const Type* type) {
  return static_cast<uint32_t>(layout.getTypeSizeInBits(const_cast<Type*>(type)->getScalarType()).getFixedValue());
}

uint64_t bitsOf(MathFunction function) { return reinterpret_cast<uintptr_t>(function); }

}  // namespace

Result<void> FunctionCompiler::instruction(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Alloca:
      return alloca(llvm::cast<AllocaInst>(instruction));
    case llvm::Instruction::Load:
      return load(llvm::cast<LoadInst>(instruction));
    case llvm::Instruction::Store:
      return store(llvm::cast<StoreInst>(instruction));
    case llvm::Instruction::GetElementPtr:
      return elementPointer(llvm::cast<GetElementPtrInst>(instruction));
    case llvm::Instruction::AtomicRMW:
      return atomicRmw(llvm::cast<AtomicRMWInst>(instruction));
    case llvm::Instruction::AtomicCmpXchg:
      return compareExchange(llvm::cast<AtomicCmpXchgInst>(instruction));
    case llvm::Instruction::Fence:
      emit(Op::Fence, 0);
      return {};
    case llvm::Instruction::Call:
      return call(llvm::cast<CallInst>(instruction));
    case llvm::Instruction::ICmp:
      return integerCompare(llvm::cast<ICmpInst>(instruction));
    case llvm::Instruction::FCmp:
      return floatCompare(llvm::cast<FCmpInst>(instruction));
    case llvm::Instruction::Select:
      return select(llvm::cast<SelectInst>(instruction));
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement:
      return vectorElement(instruction);
    case llvm::Instruction::ShuffleVector:
      return shuffleVector(llvm::cast<ShuffleVectorInst>(instruction));
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue:
      return aggregateElement(instruction);
    case llvm::Instruction::Freeze: {
      NP_ASSIGN(uint32_t from, operand(*instruction.getOperand(0)));
      return same(instruction, from);
    }
    case llvm::Instruction::FNeg: {
      NP_ASSIGN(uint32_t a, operand(*instruction.getOperand(0)));
      NP_ASSIGN(uint32_t count, leafCount(instruction.getType()));
      const auto type = *floatType(instruction.getType());
      const uint32_t sign = constant(0x8000);
      for (uint32_t k = 0; k < count; ++k) {
        if (type == FloatType::F16 || type == FloatType::BF16) {
          emit(Op::Xor, result(instruction) + k, a + k, sign);
        } else {
          emit(type == FloatType::F64 ? Op::FNeg64 : Op::FNeg32, result(instruction) + k, a + k);
        }
      }
      return {};
    }
    default:
      break;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(&instruction)) return binary(*operation);
  if (const auto* conversion = dyn_cast<CastInst>(&instruction)) return cast(*conversion);
  return module_.unsupported(std::string("the instruction \"") + instruction.getOpcodeName() + "\"", &instruction);
}

Result<uint32_t> FunctionCompiler::asFloat(uint32_t reg, const Type* type) {
  const auto format = *floatType(type);
  if (format != FloatType::F16 && format != FloatType::BF16) return reg;
  const uint32_t out = newRegisters(1);
  emit(Op::Math, out, reg, reg, reg).imm = bitsOf(convert(format, FloatType::F32, 'n'));
  return out;
}

void FunctionCompiler::fromFloat(uint32_t dst, uint32_t reg, const Type* type) {
  emit(Op::Math, dst, reg, reg, reg).imm = bitsOf(convert(FloatType::F32, *floatType(type), 'n'));
}

Result<void> FunctionCompiler::binary(const BinaryOperator& instruction) {
  NP_ASSIGN(uint32_t a, operand(*instruction.getOperand(0)));
  NP_ASSIGN(uint32_t b, operand(*instruction.getOperand(1)));
  NP_ASSIGN(uint32_t count, leafCount(instruction.getType()));
  const Type* type = instruction.getType()->getScalarType();
  const auto format = floatType(type);
  const uint32_t width = bitsOf(module_.layout(), type);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t dst = result(instruction) + k;
    if (!format) {
      static const std::pair<unsigned, Op> kOps[] = {
          {llvm::Instruction::Add, Op::Add},   {llvm::Instruction::Sub, Op::Sub},   {llvm::Instruction::Mul, Op::Mul},
          {llvm::Instruction::SDiv, Op::SDiv}, {llvm::Instruction::UDiv, Op::UDiv}, {llvm::Instruction::SRem, Op::SRem},
          {llvm::Instruction::URem, Op::URem}, {llvm::Instruction::Shl, Op::Shl},   {llvm::Instruction::LShr, Op::LShr},
          {llvm::Instruction::AShr, Op::AShr}, {llvm::Instruction::And, Op::And},   {llvm::Instruction::Or, Op::Or},
          {llvm::Instruction::Xor, Op::Xor}};
      const auto* op = std::find_if(std::begin(kOps), std::end(kOps),
                                    [&](const auto& row) { return row.first == instruction.getOpcode(); });
      NP_CHECK(op != std::end(kOps));
      const auto address = index_arithmetic_.find(&instruction);
      if (address != index_arithmetic_.end()) {
        const Op checked = op->second == Op::Add   ? Op::AddIndex
                           : op->second == Op::Sub ? Op::SubIndex
                           : op->second == Op::Mul ? Op::MulIndex
                                                   : Op::ShlIndex;
        simt::Instruction& out = emit(checked, dst, a + k, b + k);
        out.flags = instruction.hasNoSignedWrap();
        out.x = module_.locationOf(address->second->getDebugLoc());
        continue;
      }
      simt::Instruction& out = emit(op->second, dst, a + k, b + k);
      out.width = static_cast<uint8_t>(width);
      out.imm = maskOf(width);
      continue;
    }
    NP_ASSIGN(uint32_t x, asFloat(a + k, type));
    NP_ASSIGN(uint32_t y, asFloat(b + k, type));
    const bool narrow = *format == FloatType::F16 || *format == FloatType::BF16;
    const bool wide = *format == FloatType::F64;
    const uint32_t target = narrow ? newRegisters(1) : dst;
    switch (instruction.getOpcode()) {
      case llvm::Instruction::FAdd:
        emit(wide ? Op::FAdd64 : Op::FAdd32, target, x, y);
        break;
      case llvm::Instruction::FSub:
        emit(wide ? Op::FSub64 : Op::FSub32, target, x, y);
        break;
      case llvm::Instruction::FMul:
        emit(wide ? Op::FMul64 : Op::FMul32, target, x, y);
        break;
      case llvm::Instruction::FDiv:
        emit(wide ? Op::FDiv64 : Op::FDiv32, target, x, y);
        break;
      default:
        emit(Op::Math, target, x, y, y).imm = bitsOf(mathFunction("fmod", wide ? FloatType::F64 : FloatType::F32, 'n'));
    }
    if (narrow) fromFloat(dst, target, type);
  }
  return {};
}

Result<void> FunctionCompiler::integerCompare(const ICmpInst& instruction) {
  NP_ASSIGN(uint32_t a, operand(*instruction.getOperand(0)));
  NP_ASSIGN(uint32_t b, operand(*instruction.getOperand(1)));
  NP_ASSIGN(uint32_t count, leafCount(instruction.getType()));
  const auto width = static_cast<uint8_t>(bitsOf(module_.layout(), instruction.getOperand(0)->getType()));
  Op op = Op::Eq;
  bool swapped = false;
  switch (instruction.getPredicate()) {
    case CmpInst::ICMP_EQ:
      break;
    case CmpInst::ICMP_NE:
      op = Op::Ne;
      break;
    case CmpInst::ICMP_UGT:
      swapped = true;
      [[fallthrough]];
    case CmpInst::ICMP_ULT:
      op = Op::ULt;
      break;
    case CmpInst::ICMP_UGE:
      swapped = true;
      [[fallthrough]];
    case CmpInst::ICMP_ULE:
      op = Op::ULe;
      break;
    case CmpInst::ICMP_SGT:
      swapped = true;
      [[fallthrough]];
    case CmpInst::ICMP_SLT:
      op = Op::SLt;
      break;
    case CmpInst::ICMP_SGE:
      swapped = true;
      [[fallthrough]];
    default:
      op = Op::SLe;
  }
  if (swapped) std::swap(a, b);
  for (uint32_t k = 0; k < count; ++k) emit(op, result(instruction) + k, a + k, b + k).width = width;
  return {};
}

Result<void> FunctionCompiler::floatCompare(const FCmpInst& instruction) {
  NP_ASSIGN(uint32_t a, operand(*instruction.getOperand(0)));
  NP_ASSIGN(uint32_t b, operand(*instruction.getOperand(1)));
  NP_ASSIGN(uint32_t count, leafCount(instruction.getType()));
  const Type* type = instruction.getOperand(0)->getType();
  const bool wide = *floatType(type) == FloatType::F64;
  for (uint32_t k = 0; k < count; ++k) {
    NP_ASSIGN(uint32_t x, asFloat(a + k, type));
    NP_ASSIGN(uint32_t y, asFloat(b + k, type));
    emit(wide ? Op::FCmp64 : Op::FCmp32, result(instruction) + k, x, y).flags =
        static_cast<uint8_t>(instruction.getPredicate());
  }
  return {};
}

Result<void> FunctionCompiler::select(const SelectInst& instruction) {
  NP_ASSIGN(uint32_t condition, operand(*instruction.getCondition()));
  NP_ASSIGN(uint32_t yes, operand(*instruction.getTrueValue()));
  NP_ASSIGN(uint32_t no, operand(*instruction.getFalseValue()));
  NP_ASSIGN(uint32_t count, leafCount(instruction.getType()));
  const bool per_lane = instruction.getCondition()->getType()->isVectorTy();
  for (uint32_t k = 0; k < count; ++k)
    emit(Op::Select, result(instruction) + k, condition + (per_lane ? k : 0), yes + k, no + k);
  return {};
}

Result<void> FunctionCompiler::cast(const CastInst& instruction) {
  NP_ASSIGN(uint32_t a, operand(*instruction.getOperand(0)));
  NP_ASSIGN(uint32_t count, leafCount(instruction.getType()));
  const Type *from = instruction.getSrcTy()->getScalarType(), *to = instruction.getDestTy()->getScalarType();
  const uint32_t from_bits = bitsOf(module_.layout(), from), to_bits = bitsOf(module_.layout(), to);
  const auto opcode = instruction.getOpcode();
  if (opcode == llvm::Instruction::BitCast) return bitCast(instruction);
  const bool shrinking =
      opcode == llvm::Instruction::Trunc || (opcode == llvm::Instruction::PtrToInt && to_bits < from_bits);
  // The number of a shared address is its place in the 32-bit window that PTX knows.
  const bool from_shared = opcode == llvm::Instruction::PtrToInt && from->getPointerAddressSpace() == 3;
  const bool to_shared = opcode == llvm::Instruction::IntToPtr && to->getPointerAddressSpace() == 3;
  if (from_shared || to_shared) {
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t dst = result(instruction) + k;
      emit(Op::Math, dst, a + k, a + k, a + k).imm = bitsOf(from_shared ? sharedWindow : fromSharedWindow);
      if (from_shared) continue;
      const uint32_t is_shared = newRegisters(1);  // another number is no address
      emit(Op::IsSpace, is_shared, dst).x = 1;
      emit(Op::Select, dst, is_shared, dst, constant(0));
    }
    return {};
  }
  if (opcode == llvm::Instruction::ZExt || opcode == llvm::Instruction::IntToPtr ||
      opcode == llvm::Instruction::AddrSpaceCast || (opcode == llvm::Instruction::PtrToInt && !shrinking))
    return same(instruction, a);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t dst = result(instruction) + k, source = a + k;
    if (shrinking) {
      emit(Op::Trunc, dst, source).imm = maskOf(to_bits);
      continue;
    }
    if (opcode == llvm::Instruction::SExt) {
      simt::Instruction& out = emit(Op::SExt, dst, source);
      out.width = static_cast<uint8_t>(from_bits);
      out.imm = maskOf(to_bits);
      continue;
    }
    if (opcode == llvm::Instruction::FPTrunc || opcode == llvm::Instruction::FPExt) {
      const FloatType x = *floatType(from), y = *floatType(to);
      if (x == FloatType::F32 && y == FloatType::F64) {
        emit(Op::F32ToF64, dst, source);
      } else if (x == FloatType::F64 && y == FloatType::F32) {
        emit(Op::F64ToF32, dst, source);
      } else {
        emit(Op::Math, dst, source, source, source).imm = bitsOf(convert(x, y, 'n'));
      }
      continue;
    }
    if (opcode == llvm::Instruction::FPToSI || opcode == llvm::Instruction::FPToUI) {
      // Out of range is undefined in C++; the device's conversion saturates, and so does this one.
      MathFunction function =
          toInteger(*floatType(from), static_cast<int>(to_bits), opcode == llvm::Instruction::FPToSI, 'z');
      if (!function) return module_.unsupported("a conversion to " + std::to_string(to_bits) + " bits", &instruction);
      emit(Op::Math, dst, source, source, source).imm = bitsOf(function);
      continue;
    }
    const bool is_signed = opcode == llvm::Instruction::SIToFP;
    const FloatType format = *floatType(to);
    if (format == FloatType::F32 || format == FloatType::F64) {
      const bool wide = format == FloatType::F64;
      const Op op = is_signed ? (wide ? Op::SIntToF64 : Op::SIntToF32) : (wide ? Op::UIntToF64 : Op::UIntToF32);
      emit(op, dst, source).width = static_cast<uint8_t>(from_bits);
      continue;
    }
    uint32_t extended = source;
    if (is_signed) {
      extended = newRegisters(1);
      simt::Instruction& out = emit(Op::SExt, extended, source);
      out.width = static_cast<uint8_t>(from_bits);
      out.imm = ~uint64_t{0};
    }
    emit(Op::Math, dst, extended, extended, extended).imm = bitsOf(fromInteger(format, is_signed, 'n'));
  }
  return {};
}

// Between vectors of different element widths the bits are cut up and put together, low element first.
Result<void> FunctionCompiler::bitCast(const CastInst& instruction) {
  NP_ASSIGN(uint32_t a, operand(*instruction.getOperand(0)));
  NP_ASSIGN(auto from, module_.leaves(instruction.getSrcTy()));
  NP_ASSIGN(auto to, module_.leaves(instruction.getDestTy()));
  if (from.size() == to.size()) return same(instruction, a);
  const uint32_t from_bits = bitsOf(module_.layout(), from[0].type), to_bits = bitsOf(module_.layout(), to[0].type);
  if (to_bits > from_bits) {
    const uint32_t parts = to_bits / from_bits;
    for (uint32_t k = 0; k < to.size(); ++k) {
      uint32_t value = a + k * parts;
      for (uint32_t part = 1; part < parts; ++part) {
        const uint32_t shifted = newRegisters(1), joined = newRegisters(1);
        simt::Instruction& shift = emit(Op::Shl, shifted, a + k * parts + part, constant(uint64_t{part} * from_bits));
        shift.width = static_cast<uint8_t>(to_bits);
        shift.imm = maskOf(to_bits);
        emit(Op::Or, joined, value, shifted);
        value = joined;
      }
      move(result(instruction) + k, value);
    }
    return {};
  }
  const uint32_t parts = from_bits / to_bits;
  for (uint32_t k = 0; k < to.size(); ++k) {
    const uint32_t shifted = newRegisters(1);
    emit(Op::LShr, shifted, a + k / parts, constant(uint64_t{k % parts} * to_bits)).width =
        static_cast<uint8_t>(from_bits);
    emit(Op::Trunc, result(instruction) + k, shifted).imm = maskOf(to_bits);
  }
  return {};
}

Result<void> FunctionCompiler::vectorElement(const llvm::Instruction& instruction) {
  const bool insert = isa<InsertElementInst>(instruction);
  const Value& vector = *instruction.getOperand(0);
  const Value& index = *instruction.getOperand(insert ? 2 : 1);
  NP_ASSIGN(uint32_t from, operand(vector));
  NP_ASSIGN(uint32_t count, leafCount(vector.getType()));
  const auto* fixed = dyn_cast<ConstantInt>(&index);
  if (!insert) {
    if (fixed) return same(instruction, from + static_cast<uint32_t>(fixed->getZExtValue() % count));
    NP_ASSIGN(uint32_t at, operand(index));
    const uint32_t equal = newRegisters(1), dst = result(instruction);
    move(dst, from);
    for (uint32_t k = 1; k < count; ++k) {
      emit(Op::Eq, equal, at, constant(k));
      emit(Op::Select, dst, equal, from + k, dst);
    }
    return {};
  }
  NP_ASSIGN(uint32_t element, operand(*instruction.getOperand(1)));
  NP_ASSIGN(uint32_t at, operand(index));
  const uint32_t equal = newRegisters(1);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t dst = result(instruction) + k;
    if (fixed) {
      move(dst, fixed->getZExtValue() == k ? element : from + k);
    } else {
      emit(Op::Eq, equal, at, constant(k));
      emit(Op::Select, dst, equal, element, from + k);
    }
  }
  return {};
}

Result<void> FunctionCompiler::shuffleVector(const ShuffleVectorInst& instruction) {
  NP_ASSIGN(uint32_t first, operand(*instruction.getOperand(0)));
  NP_ASSIGN(uint32_t second, operand(*instruction.getOperand(1)));
  NP_ASSIGN(uint32_t count, leafCount(instruction.getOperand(0)->getType()));
  uint32_t k = 0;
  for (const int lane : instruction.getShuffleMask()) {
    const auto at = static_cast<uint32_t>(lane);
    move(result(instruction) + k++, lane < 0 ? constant(0) : at < count ? first + at : second + at - count);
  }
  return {};
}

Result<void> FunctionCompiler::aggregateElement(const llvm::Instruction& instruction) {
  const auto* insert = dyn_cast<InsertValueInst>(&instruction);
  const ArrayRef<unsigned> indices =
      insert ? insert->getIndices() : llvm::cast<ExtractValueInst>(instruction).getIndices();
  Type* type = instruction.getOperand(0)->getType();
  NP_ASSIGN(uint32_t from, operand(*instruction.getOperand(0)));
  NP_ASSIGN(uint32_t count, leafCount(type));
  uint32_t skipped = 0;
  for (const unsigned index : indices) {
    for (unsigned k = 0; k < index; ++k) {
      Type* before = type->isStructTy() ? type->getStructElementType(k) : type->getArrayElementType();
      NP_ASSIGN(uint32_t leaves, leafCount(before));
      skipped += leaves;
    }
    type = type->isStructTy() ? type->getStructElementType(index) : type->getArrayElementType();
  }
  if (!insert) return same(instruction, from + skipped);
  NP_ASSIGN(uint32_t value, operand(*instruction.getOperand(1)));
  NP_ASSIGN(uint32_t replaced, leafCount(type));
  for (uint32_t k = 0; k < count; ++k) {
    const bool inside = k >= skipped && k < skipped + replaced;
    move(result(instruction) + k, inside ? value + k - skipped : from + k);
  }
  return {};
}

}  // namespace np::kernel_port::simt
