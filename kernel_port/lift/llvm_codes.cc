// Two tables. The remainder of floats and the like have no compact form and are refused where they are executed.
#include "kernel_port/lift/llvm_codes.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instruction.h"

namespace np::kernel_port::lift {

using Inst = llvm::Instruction;

std::optional<Code> binaryCode(unsigned opcode) {
  switch (opcode) {
    case Inst::Add:
      return Code::Add;
    case Inst::Sub:
      return Code::Sub;
    case Inst::Mul:
      return Code::Mul;
    case Inst::SDiv:
      return Code::SDiv;
    case Inst::UDiv:
      return Code::UDiv;
    case Inst::SRem:
      return Code::SRem;
    case Inst::URem:
      return Code::URem;
    case Inst::Shl:
      return Code::Shl;
    case Inst::LShr:
      return Code::LShr;
    case Inst::AShr:
      return Code::AShr;
    case Inst::And:
      return Code::And;
    case Inst::Or:
      return Code::Or;
    case Inst::Xor:
      return Code::Xor;
    case Inst::FAdd:
      return Code::FAdd;
    case Inst::FSub:
      return Code::FSub;
    case Inst::FMul:
      return Code::FMul;
    case Inst::FDiv:
      return Code::FDiv;
    default:
      return std::nullopt;
  }
}

std::optional<Predicate> predicateOf(unsigned predicate) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      return Predicate::Eq;
    case llvm::CmpInst::ICMP_NE:
      return Predicate::Ne;
    case llvm::CmpInst::ICMP_SLT:
      return Predicate::Slt;
    case llvm::CmpInst::ICMP_SLE:
      return Predicate::Sle;
    case llvm::CmpInst::ICMP_SGT:
      return Predicate::Sgt;
    case llvm::CmpInst::ICMP_SGE:
      return Predicate::Sge;
    case llvm::CmpInst::ICMP_ULT:
      return Predicate::Ult;
    case llvm::CmpInst::ICMP_ULE:
      return Predicate::Ule;
    case llvm::CmpInst::ICMP_UGT:
      return Predicate::Ugt;
    case llvm::CmpInst::ICMP_UGE:
      return Predicate::Uge;
    default:
      return std::nullopt;
  }
}

}  // namespace np::kernel_port::lift
