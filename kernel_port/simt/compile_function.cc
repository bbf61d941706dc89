// Function level of the compiler: registers, blocks, jumps and the moves that phis stand for.

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include "kernel_port/simt/compiler_llvm.h"

namespace np::kernel_port::simt {

using namespace llvm;

Result<simt::Function> FunctionCompiler::compile() {
  out_.name = source_.getName().str();
  slots_ = findLocalSlots(source_);
  index_arithmetic_ = findIndexArithmetic(source_, slots_);
  NP_TRY(layOutParameters());
  NP_TRY(assignRegisters());
  // Definitions come before uses in this order (phis aside), which same() relies on; dead blocks are left out.
  const ReversePostOrderTraversal<const llvm::Function*> blocks(&source_);
  for (const BasicBlock* block : blocks) NP_TRY(this->block(*block));
  NP_TRY(patchEdges());
  finish();
  return std::move(out_);
}

Result<uint32_t> FunctionCompiler::leafCount(Type* type) {
  NP_ASSIGN(auto leaves, module_.leaves(type));
  return static_cast<uint32_t>(leaves.size());
}

Result<void> FunctionCompiler::layOutParameters() {
  out_.local_bytes = 16;
  for (const Argument& argument : source_.args()) {
    NP_ASSIGN(uint32_t count, leafCount(argument.getType()));
    const uint32_t reg = newRegisters(count);
    registers_of_[&argument] = reg;
    const uint64_t bits = module_.layout().getTypeSizeInBits(argument.getType()).getFixedValue();
    out_.parameters.push_back({reg, count, static_cast<uint32_t>(bits)});
    if (!argument.hasByValAttr()) continue;
    const auto size =
        static_cast<uint32_t>(module_.layout().getTypeAllocSize(argument.getParamByValType()).getFixedValue());
    const auto align = static_cast<uint32_t>(argument.getParamAlign().valueOrOne().value());
    const uint32_t offset = (out_.local_bytes + std::max(align, 8u) - 1) / std::max(align, 8u) * std::max(align, 8u);
    out_.by_value.push_back({argument.getArgNo(), offset, size});
    out_.locals.push_back({offset, size});
    out_.local_bytes = offset + size + 16;
  }
  return {};
}

// Every value gets registers before any code is made, because phis refer forwards.
Result<void> FunctionCompiler::assignRegisters() {
  for (const AllocaInst* alloca : slots_.in_register) {
    const uint32_t reg = newRegisters(1);
    variable_register_[alloca] = reg;
    mutable_registers_.insert(reg);
    if (slots_.checked.contains(alloca)) variable_flag_[alloca] = imageSlot(0);
  }
  for (const BasicBlock& block : source_) {
    for (const llvm::Instruction& instruction : block) {
      if (instruction.getType()->isVoidTy()) continue;
      if (const auto* alloca = dyn_cast<AllocaInst>(&instruction); alloca && slots_.in_register.contains(alloca))
        continue;
      if (const auto* load = dyn_cast<LoadInst>(&instruction); load && slots_.read_in_place.contains(load)) {
        registers_of_[load] = variable_register_[cast<AllocaInst>(load->getPointerOperand())];
        continue;
      }
      if (auto found = slots_.written_in_place.find(&instruction); found != slots_.written_in_place.end()) {
        registers_of_[&instruction] = variable_register_[found->second];
        continue;
      }
      auto count = leafCount(instruction.getType());
      if (!count.ok()) {
        Error error = count.error();
        error.location = module_.unsupported("", &instruction).location;
        return error;
      }
      registers_of_[&instruction] = newRegisters(*count);
    }
  }
  return {};
}

uint32_t FunctionCompiler::imageSlot(uint64_t bits) {
  out_.image.push_back(bits);
  return kConstant | static_cast<uint32_t>(out_.image.size() - 1);
}

uint32_t FunctionCompiler::constant(uint64_t bits) {
  auto [found, added] = constants_.try_emplace(bits, 0);
  if (added) found->second = imageSlot(bits);
  return found->second;
}

Result<uint32_t> FunctionCompiler::operand(const Value& value) {
  if (auto found = registers_of_.find(&value); found != registers_of_.end()) return found->second;
  const auto* constant = dyn_cast<Constant>(&value);
  if (!constant) return module_.unsupported("an operand of an unknown kind", nullptr);
  std::vector<uint64_t> bits;
  NP_TRY(module_.flatten(*constant, bits));
  if (bits.size() == 1) return this->constant(bits[0]);
  const uint32_t first = kConstant | static_cast<uint32_t>(out_.image.size());
  for (uint64_t each : bits) imageSlot(each);
  return first;
}

simt::Instruction& FunctionCompiler::emit(Op op, uint32_t dst, uint32_t a, uint32_t b, uint32_t c) {
  simt::Instruction& out = out_.code.emplace_back();
  out.op = op;
  out.dst = dst;
  out.a = a;
  out.b = b;
  out.c = c;
  out_.locations.push_back(location_);
  return out;
}

Result<void> FunctionCompiler::same(const llvm::Instruction& instruction, uint32_t from) {
  NP_ASSIGN(uint32_t count, leafCount(instruction.getType()));
  if (!mutable_registers_.contains(from) && !slots_.written_in_place.contains(&instruction)) {
    // A phi in a block already compiled was given the register assigned before.
    bool used_by_phi = false;
    for (const User* user : instruction.users()) used_by_phi |= isa<PHINode>(user);
    if (!used_by_phi) {
      registers_of_[&instruction] = from;
      return {};
    }
  }
  for (uint32_t k = 0; k < count; ++k) move(result(instruction) + k, from + k);
  return {};
}

Result<void> FunctionCompiler::block(const BasicBlock& block) {
  starts_[&block] = static_cast<uint32_t>(out_.code.size());
  uint32_t steps = 0;
  location_ = 0;
  for (const llvm::Instruction& instruction : block) {
    if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd() || isa<PHINode>(instruction)) continue;
    ++steps;
    if (location_ == 0 && instruction.getDebugLoc() && instruction.getDebugLoc().getLine() != 0)
      location_ = module_.locationOf(instruction.getDebugLoc());
  }
  simt::Instruction& enter = emit(Op::Enter, 0);
  enter.x = static_cast<uint32_t>(out_.blocks.size());
  enter.imm = steps;
  out_.blocks.push_back({location_, steps});
  for (const llvm::Instruction& instruction : block) {
    if (instruction.isDebugOrPseudoInst() || isa<PHINode>(instruction)) continue;
    if (instruction.getDebugLoc()) location_ = module_.locationOf(instruction.getDebugLoc());
    auto done = instruction.isTerminator() ? terminator(instruction) : this->instruction(instruction);
    if (done.ok()) continue;
    if (done.error().location.empty()) {
      Error error = done.error();
      error.location = module_.unsupported("", &instruction).location;
      return error;
    }
    return done;
  }
  return {};
}

Result<void> FunctionCompiler::terminator(const llvm::Instruction& instruction) {
  const BasicBlock* from = instruction.getParent();
  if (const auto* ret = dyn_cast<ReturnInst>(&instruction)) {
    uint32_t reg = 0, count = 0;
    if (const Value* value = ret->getReturnValue()) {
      NP_ASSIGN(reg, operand(*value));
      NP_ASSIGN(count, leafCount(value->getType()));
    }
    emit(Op::Return, 0, reg).x = count;
    return {};
  }
  if (isa<UnreachableInst>(instruction)) {
    emit(Op::Unreachable, 0);
    return {};
  }
  if (const auto* branch = dyn_cast<BranchInst>(&instruction)) {
    if (branch->isUnconditional()) {
      NP_TRY(edgeMoves(*from, *branch->getSuccessor(0)));
      emit(Op::Jump, 0);
      fixups_.push_back({out_.code.size() - 1, false, nullptr, branch->getSuccessor(0)});
      return {};
    }
    NP_ASSIGN(uint32_t condition, operand(*branch->getCondition()));
    emit(Op::Branch, 0, condition);
    fixups_.push_back({out_.code.size() - 1, true, from, branch->getSuccessor(0)});
    fixups_.push_back({out_.code.size() - 1, false, from, branch->getSuccessor(1)});
    return {};
  }
  if (const auto* choice = dyn_cast<SwitchInst>(&instruction)) {
    NP_ASSIGN(uint32_t value, operand(*choice->getCondition()));
    const uint32_t equal = newRegisters(1);
    for (const auto& each : choice->cases()) {
      NP_ASSIGN(uint32_t label, operand(*each.getCaseValue()));
      emit(Op::Eq, equal, value, label);
      emit(Op::Branch, 0, equal);
      const size_t at = out_.code.size() - 1;
      out_.code[at].imm = at + 1;
      fixups_.push_back({at, true, from, each.getCaseSuccessor()});
    }
    emit(Op::Jump, 0);
    fixups_.push_back({out_.code.size() - 1, false, from, choice->getDefaultDest()});
    return {};
  }
  return module_.unsupported(std::string("the instruction \"") + instruction.getOpcodeName() + "\"", &instruction);
}

// Phis of `to` take their values at once: through temporaries when one reads what another writes.
Result<void> FunctionCompiler::edgeMoves(const BasicBlock& from, const BasicBlock& to) {
  std::vector<std::pair<uint32_t, uint32_t>> moves;
  DenseSet<uint32_t> written;
  for (const PHINode& phi : to.phis()) {
    const Value* incoming = phi.getIncomingValueForBlock(&from);
    NP_ASSIGN(uint32_t source, operand(*incoming));
    NP_ASSIGN(uint32_t count, leafCount(phi.getType()));
    for (uint32_t k = 0; k < count; ++k) {
      moves.push_back({registers_of_[&phi] + k, source + k});
      written.insert(registers_of_[&phi] + k);
    }
  }
  const bool overlap = std::any_of(moves.begin(), moves.end(), [&](auto m) { return written.contains(m.second); });
  if (overlap) {
    for (auto& [target, source] : moves) {
      const uint32_t temporary = newRegisters(1);
      move(temporary, source);
      source = temporary;
    }
  }
  for (const auto& [target, source] : moves) move(target, source);
  return {};
}

Result<void> FunctionCompiler::patchEdges() {
  for (const Fixup& fixup : fixups_) {
    uint32_t target = starts_[fixup.to];
    if (fixup.from && !fixup.to->phis().empty()) {
      target = static_cast<uint32_t>(out_.code.size());
      location_ = out_.locations[fixup.instruction];
      NP_TRY(edgeMoves(*fixup.from, *fixup.to));
      emit(Op::Jump, 0).imm = starts_[fixup.to];
    }
    if (fixup.in_x) {
      out_.code[fixup.instruction].x = target;
    } else {
      out_.code[fixup.instruction].imm = target;
    }
  }
  return {};
}

void FunctionCompiler::finish() {
  const auto constants = static_cast<uint32_t>(out_.image.size());
  const auto place = [&](uint32_t reg) { return reg & kConstant ? reg & ~kConstant : reg + constants; };
  for (simt::Instruction& instruction : out_.code) {
    instruction.dst = place(instruction.dst);
    instruction.a = place(instruction.a);
    instruction.b = place(instruction.b);
    instruction.c = place(instruction.c);
  }
  for (uint32_t& reg : out_.operands) reg = place(reg);
  for (Parameter& parameter : out_.parameters) parameter.reg = place(parameter.reg);
  // Unused operand fields are read by nobody but must lie in the frame: Math passes all four.
  out_.registers = constants + std::max(registers_, 1u);
}

}  // namespace np::kernel_port::simt
