// Inline PTX. The text is read by ptx_text.h; each instruction becomes the interpreter's own, so that accesses in asm
// are checked like all others. An instruction, modifier or form that is not named here is refused: nothing is skipped
// because it looks harmless.

#include <llvm/IR/InlineAsm.h>

#include <bit>

#include "kernel_port/simt/ptx_compiler_llvm.h"
#include "kernel_port/simt/ptx_functions.h"

namespace np::kernel_port::simt {

std::optional<PtxType> ptxType(std::string_view suffix) {
  using Kind = PtxType::Kind;
  static const std::pair<std::string_view, PtxType> kTypes[] = {
      {"pred", {Kind::Predicate, 1}},
      {"b8", {Kind::Bits, 8}},
      {"b16", {Kind::Bits, 16}},
      {"b32", {Kind::Bits, 32}},
      {"b64", {Kind::Bits, 64}},
      {"u8", {Kind::Unsigned, 8}},
      {"u16", {Kind::Unsigned, 16}},
      {"u32", {Kind::Unsigned, 32}},
      {"u64", {Kind::Unsigned, 64}},
      {"s8", {Kind::Signed, 8}},
      {"s16", {Kind::Signed, 16}},
      {"s32", {Kind::Signed, 32}},
      {"s64", {Kind::Signed, 64}},
      {"f32", {Kind::Float, 32, 1, FloatType::F32}},
      {"f64", {Kind::Float, 64, 1, FloatType::F64}},
      {"f16", {Kind::Float, 16, 1, FloatType::F16}},
      {"bf16", {Kind::Float, 16, 1, FloatType::BF16}},
      {"f16x2", {Kind::Float, 16, 2, FloatType::F16}},
      {"bf16x2", {Kind::Float, 16, 2, FloatType::BF16}},
  };
  for (const auto& [name, type] : kTypes)
    if (name == suffix) return type;
  return std::nullopt;
}

Result<void> PtxCompiler::compile() {
  const auto& assembly = *llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
  auto text = readPtx(assembly.getAsmString());
  if (!text.ok()) return makeError("unsupported", text.error().message, f_.module_.unsupported("", &call_).location);
  NP_TRY(bindOperands());
  for (const PtxRegister& declared : text->registers) {
    const auto type = ptxType(declared.type);
    if (!type) return unsupported("inline PTX register type \"" + declared.type + "\"");
    registers_[declared.name] = {f_.newRegisters(1), type->bits * type->lanes};
  }
  for (const PtxStatement& each : text->statements) NP_TRY(statement(each));
  return {};
}

// Outputs come first, then inputs; an input tied to an output ("+r") starts that output's register.
Result<void> PtxCompiler::bindOperands() {
  const auto& assembly = *llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
  uint32_t output = 0, input = 0;
  for (const auto& constraint : assembly.ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isClobber) continue;
    if (constraint.isIndirect || constraint.Type == llvm::InlineAsm::isLabel)
      return unsupported("an asm operand in memory");
    if (constraint.Type == llvm::InlineAsm::isOutput) {
      llvm::Type* type = call_.getType();
      if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) type = record->getElementType(output);
      const auto bits = f_.module_.layout().getTypeSizeInBits(type).getFixedValue();
      if (bits > 64) return unsupported("an asm operand of " + std::to_string(bits) + " bits");
      operands_.push_back({f_.result(call_) + output++, static_cast<uint32_t>(bits)});
      continue;
    }
    const llvm::Value& value = *call_.getArgOperand(input++);
    const auto bits = f_.module_.layout().getTypeSizeInBits(value.getType()).getFixedValue();
    NP_ASSIGN(uint32_t reg, f_.operand(value));
    if (bits > 64 || value.getType()->isVectorTy()) return unsupported("an asm operand of this type");
    unsigned tied = 0;
    if (!constraint.Codes.empty() && !llvm::StringRef(constraint.Codes[0]).getAsInteger(10, tied)) {
      if (tied >= output) return unsupported("an asm operand of this form");
      f_.move(operands_[tied].reg, reg);
    }
    operands_.push_back({reg, static_cast<uint32_t>(bits)});
  }
  return {};
}

Error PtxCompiler::unsupported(const std::string& what) const { return f_.module_.unsupported(what, &call_); }
Error PtxCompiler::unsupported() const { return unsupported("inline PTX \"" + statement_->text.substr(0, 100) + "\""); }

// A guarded instruction is jumped over when its predicate does not hold.
Result<void> PtxCompiler::statement(const PtxStatement& statement) {
  statement_ = &statement;
  if (statement.guard.empty()) return unguarded(statement);
  PtxOperand guard;
  guard.kind = statement.guard_is_assembly ? PtxOperand::Kind::Assembly : PtxOperand::Kind::Register;
  guard.name = statement.guard;
  guard.index = statement.guard_index;
  NP_ASSIGN(uint32_t predicate, read(guard, 1));
  f_.emit(Op::Branch, 0, predicate);
  const size_t branch = f_.out_.code.size() - 1;
  NP_TRY(unguarded(statement));
  const auto next = static_cast<uint32_t>(branch + 1), after = static_cast<uint32_t>(f_.out_.code.size());
  f_.out_.code[branch].x = statement.guard_negated ? after : next;
  f_.out_.code[branch].imm = statement.guard_negated ? next : after;
  return {};
}

Result<void> PtxCompiler::unguarded(const PtxStatement& statement) {
  NP_ASSIGN(bool done, value());
  if (!done) {
    NP_ASSIGN(done, memory());
  }
  if (!done) {
    NP_ASSIGN(done, warp());
  }
  if (!done) return unsupported();
  return {};
}

Result<PtxCompiler::Slot> PtxCompiler::slot(const PtxOperand& operand) {
  if (operand.kind == PtxOperand::Kind::Assembly) {
    if (operand.index >= operands_.size()) return unsupported();
    return operands_[operand.index];
  }
  if (operand.kind != PtxOperand::Kind::Register) return unsupported();
  auto found = registers_.find(operand.name);
  if (found == registers_.end()) return unsupported();
  return found->second;
}

Result<uint32_t> PtxCompiler::read(const PtxOperand& operand, uint32_t bits) {
  if (operand.kind == PtxOperand::Kind::Immediate && operand.decimal) {
    if (bits == 64) return constant(operand.bits);
    if (bits != 32) return unsupported();
    return constant(std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits))));
  }
  if (operand.kind == PtxOperand::Kind::Immediate) return constant(operand.bits & maskOf(bits));
  if (operand.kind == PtxOperand::Kind::Special) return special(operand.name);
  NP_ASSIGN(Slot from, slot(operand));
  if (operand.negated) return emit(Op::Xor, bits, from.reg, constant(1));
  if (from.bits <= bits) return from.reg;
  return emit(Op::Trunc, bits, from.reg);
}

Result<uint32_t> PtxCompiler::readExtended(const PtxOperand& operand, uint32_t bits) {
  NP_ASSIGN(uint32_t reg, read(operand, bits));
  if (bits == 64) return reg;
  const uint32_t wide = emit(Op::SExt, 64, reg);
  f_.out_.code.back().width = static_cast<uint8_t>(bits);
  return wide;
}

Result<void> PtxCompiler::write(const PtxOperand& operand, uint32_t from, uint32_t bits, bool is_signed) {
  if (operand.kind == PtxOperand::Kind::Sink) return {};
  NP_ASSIGN(Slot to, slot(operand));
  if (to.bits < bits) {
    f_.emit(Op::Trunc, to.reg, from).imm = maskOf(to.bits);
  } else if (is_signed && to.bits > bits) {
    simt::Instruction& out = f_.emit(Op::SExt, to.reg, from);
    out.width = static_cast<uint8_t>(bits);
    out.imm = maskOf(to.bits);
  } else {
    f_.move(to.reg, from);
  }
  return {};
}

uint32_t PtxCompiler::emit(Op op, uint32_t bits, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t reg = f_.newRegisters(1);
  simt::Instruction& out = f_.emit(op, reg, a, b, c);
  out.width = static_cast<uint8_t>(bits);
  out.imm = maskOf(bits);
  return reg;
}

uint32_t PtxCompiler::math(MathFunction function, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t reg = f_.newRegisters(1);
  f_.emit(Op::Math, reg, a, b, c).imm = reinterpret_cast<uintptr_t>(function);
  return reg;
}

uint32_t PtxCompiler::math4(MathFunction function, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  const uint32_t reg = f_.newRegisters(1);
  f_.emit(Op::Mov, reg, d);
  f_.emit(Op::Math, reg, a, b, c).imm = reinterpret_cast<uintptr_t>(function);
  return reg;
}

Result<uint32_t> PtxCompiler::special(const std::string& name) {
  static const std::pair<std::string_view, DeviceOp> kLane[] = {
      {"laneid", DeviceOp::LaneId},          {"warpid", DeviceOp::WarpId},
      {"lanemask_eq", DeviceOp::LaneMaskEq}, {"lanemask_le", DeviceOp::LaneMaskLe},
      {"lanemask_lt", DeviceOp::LaneMaskLt}, {"lanemask_ge", DeviceOp::LaneMaskGe},
      {"lanemask_gt", DeviceOp::LaneMaskGt}, {"clock", DeviceOp::Clock},
      {"clock64", DeviceOp::Clock},          {"globaltimer", DeviceOp::Clock},
  };
  for (const auto& [known, op] : kLane) {
    if (known != name) continue;
    const uint32_t reg = f_.newRegisters(1);
    f_.emit(Op::LaneInfo, reg).x = static_cast<uint32_t>(op);
    return name == "clock" ? emit(Op::Trunc, 32, reg) : reg;
  }
  static const std::pair<std::string_view, uint32_t> kCoordinates[] = {
      {"tid", 0}, {"ctaid", 3}, {"ntid", 6}, {"nctaid", 9}};
  for (const auto& [known, first] : kCoordinates) {
    if (name.size() != known.size() + 2 || !name.starts_with(known) || name[known.size()] != '.') continue;
    const int axis = name.back() - 'x';
    if (axis < 0 || axis > 2) break;
    const uint32_t reg = f_.newRegisters(1);
    f_.emit(Op::Coordinate, reg).x = first + static_cast<uint32_t>(axis);
    return reg;
  }
  return unsupported();
}

}  // namespace np::kernel_port::simt
