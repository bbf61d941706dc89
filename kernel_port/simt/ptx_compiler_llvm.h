// Compiles one asm statement; included only by compile_ptx*.cc, which include LLVM.
#pragma once

#include <map>
#include <string>

#include "kernel_port/simt/compiler_llvm.h"
#include "kernel_port/simt/ptx_text.h"

namespace np::kernel_port::simt {

// The type suffix of an instruction.
struct PtxType {
  enum class Kind { Bits, Unsigned, Signed, Float, Predicate };
  Kind kind = Kind::Bits;
  uint32_t bits = 32;                 // of one scalar
  uint32_t lanes = 1;                 // 2 for f16x2 and bf16x2
  FloatType format = FloatType::F32;  // of Float

  bool isFloat() const { return kind == Kind::Float; }
  bool isSigned() const { return kind == Kind::Signed; }
};
std::optional<PtxType> ptxType(std::string_view suffix);

class PtxCompiler {
 public:
  PtxCompiler(FunctionCompiler& function, const llvm::CallInst& call) : f_(function), call_(call) {}
  Result<void> compile();

 private:
  struct Slot {
    uint32_t reg = 0, bits = 32;
  };

  // compile_ptx.cc: operands and the choice of instruction
  Result<void> bindOperands();
  Result<void> statement(const PtxStatement& statement);
  Result<void> unguarded(const PtxStatement& statement);
  Error unsupported() const;
  Error unsupported(const std::string& what) const;
  Result<Slot> slot(const PtxOperand& operand);
  Result<uint32_t> read(const PtxOperand& operand, uint32_t bits);          // zero-extended from `bits`
  Result<uint32_t> readExtended(const PtxOperand& operand, uint32_t bits);  // sign-extended to 64 bits
  Result<void> write(const PtxOperand& operand, uint32_t from, uint32_t bits, bool is_signed = false);
  Result<uint32_t> special(const std::string& name);
  const PtxOperand& at(size_t index) const { return statement_->operands[index]; }
  bool takes(size_t count) const { return statement_->operands.size() == count; }
  uint32_t emit(Op op, uint32_t bits, uint32_t a, uint32_t b = 0, uint32_t c = 0);  // a new register
  uint32_t math(MathFunction function, uint32_t a, uint32_t b, uint32_t c);
  uint32_t math4(MathFunction function, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
  uint32_t constant(uint64_t bits) { return f_.constant(bits); }

  // compile_ptx_value.cc
  Result<bool> value();  // false: not one of these
  // Whether every part of the opcode but the first and the last `types` is one of `allowed`.
  bool only(std::initializer_list<std::string_view> allowed, size_t types = 1) const;
  char rounding() const;
  Result<void> arithmetic(const PtxType& type);
  Result<void> multiply(const PtxType& type);
  Result<void> floatArithmetic(const PtxType& type);
  Result<uint32_t> floatOperation(FloatType type, uint32_t a, uint32_t b, uint32_t c);
  Result<uint32_t> saturated(uint32_t reg, FloatType type);
  Result<void> compareAndSet();
  Result<uint32_t> comparison(const std::string& how, const PtxType& type, uint32_t a, uint32_t b);
  Result<void> convertType();
  Result<uint32_t> toFloat(uint32_t reg, FloatType from, FloatType to, char rounding);
  Result<void> moveValue();
  Result<void> shiftFunnel();

  // compile_ptx_memory.cc
  Result<bool> memory();
  Result<bool> warp();
  Result<uint32_t> address(const PtxOperand& operand, bool shared);
  Result<void> loadOrStore(bool is_load);
  Result<void> atomicOperation();
  Result<void> asyncCopy();
  Result<void> barrier();
  Result<void> shuffle();
  Result<void> voteOrMatch();
  Result<void> loadMatrix();
  Result<void> matrixMultiply();
  uint32_t warpOperation(DeviceOp op, uint32_t mask, uint32_t value, uint32_t lane, uint32_t clamp, uint32_t results,
                         uint32_t detail);

  FunctionCompiler& f_;
  const llvm::CallInst& call_;
  const PtxStatement* statement_ = nullptr;
  std::vector<Slot> operands_;
  std::map<std::string, Slot> registers_;
};

}  // namespace np::kernel_port::simt
