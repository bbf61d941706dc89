// Compiles device IR to the interpreter's form (program.h); included only by compile*.cc, which include LLVM.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel_port/frontend/device_call.h"
#include "kernel_port/frontend/device_module.h"
#include "kernel_port/simt/local_slots_llvm.h"
#include "kernel_port/simt/math_library.h"
#include "kernel_port/simt/program.h"

namespace np::kernel_port::simt {

// A scalar inside a type: where it lies and what it is.
struct Leaf {
  llvm::Type* type = nullptr;
  uint64_t offset = 0;
};

std::optional<FloatType> floatType(const llvm::Type* type);

// Everything that belongs to the module: functions reached so far, global variables, places.
class ModuleCompiler {
 public:
  ModuleCompiler(const DeviceModule& module, Program& program);

  // Compiles the kernels and whatever they call.
  Result<void> compile(const std::vector<const analyzer::DeviceKernel*>& kernels);

  const llvm::DataLayout& layout() const { return layout_; }
  Program& program() { return program_; }

  // The function's index; it is compiled later if it is new.
  uint32_t functionIndex(const llvm::Function& function);

  // The scalars of a type in order; an error for what registers cannot hold.
  Result<std::vector<Leaf>> leaves(llvm::Type* type) const;

  // The bits of a scalar constant, addresses included; the scalars of any constant in order.
  Result<uint64_t> constantBits(const llvm::Constant& constant);
  Result<void> flatten(const llvm::Constant& constant, std::vector<uint64_t>& out);

  uint32_t locationOf(const llvm::DILocation* location);
  uint32_t nameIndex(llvm::StringRef name);
  Error unsupported(const std::string& what, const llvm::Instruction* where);

 private:
  Result<void> addGlobals();
  Result<void> writeInitialiser(const llvm::Constant& constant, uint64_t offset, std::vector<uint8_t>& bytes);
  uint32_t pathIndex(const llvm::DIFile* file);

  const DeviceModule& module_;
  Program& program_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::GlobalVariable*, uint32_t> globals_;
  llvm::DenseMap<const llvm::Function*, uint32_t> functions_;
  std::vector<const llvm::Function*> pending_;
  llvm::DenseMap<const llvm::DILocation*, uint32_t> locations_;
};

// One function.
class FunctionCompiler {
 public:
  FunctionCompiler(ModuleCompiler& module, const llvm::Function& function) : module_(module), source_(function) {}
  Result<Function> compile();

 private:
  friend class PtxCompiler;
  // Registers are numbered from 0; constants from kConstant. finish() lays constants first.
  static constexpr uint32_t kConstant = uint32_t{1} << 31;
  struct Fixup {
    size_t instruction = 0;
    bool in_x = false;  // else in imm
    const llvm::BasicBlock *from = nullptr, *to = nullptr;
  };

  // compile_function.cc
  Result<void> layOutParameters();
  Result<void> assignRegisters();
  Result<void> block(const llvm::BasicBlock& block);
  Result<void> terminator(const llvm::Instruction& instruction);
  Result<void> edgeMoves(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  Result<void> patchEdges();
  void finish();

  // compile_value.cc: arithmetic, casts, vectors and aggregates
  Result<void> instruction(const llvm::Instruction& instruction);
  Result<void> binary(const llvm::BinaryOperator& instruction);
  Result<void> integerCompare(const llvm::ICmpInst& instruction);
  Result<void> floatCompare(const llvm::FCmpInst& instruction);
  Result<void> cast(const llvm::CastInst& instruction);
  Result<void> bitCast(const llvm::CastInst& instruction);
  Result<void> select(const llvm::SelectInst& instruction);
  Result<void> vectorElement(const llvm::Instruction& instruction);
  Result<void> shuffleVector(const llvm::ShuffleVectorInst& instruction);
  Result<void> aggregateElement(const llvm::Instruction& instruction);
  Result<uint32_t> asFloat(uint32_t reg, const llvm::Type* type);  // halves become F32
  void fromFloat(uint32_t dst, uint32_t reg, const llvm::Type* type);

  // compile_memory.cc
  Result<void> alloca(const llvm::AllocaInst& instruction);
  Result<void> load(const llvm::LoadInst& instruction);
  Result<void> store(const llvm::StoreInst& instruction);
  Result<void> elementPointer(const llvm::GetElementPtrInst& instruction);
  Result<void> atomicRmw(const llvm::AtomicRMWInst& instruction);
  Result<void> compareExchange(const llvm::AtomicCmpXchgInst& instruction);
  Result<void> lifetimeStart(const llvm::CallInst& call);

  // compile_call.cc
  Result<void> call(const llvm::CallInst& call);
  Result<void> callFunction(const llvm::CallInst& call, const llvm::Function* callee);
  Result<void> deviceCall(const llvm::CallInst& call, const DeviceCall& device, llvm::StringRef name);
  Result<uint32_t> packPrintfArguments(const llvm::CallInst& call);
  Result<void> math(const llvm::CallInst& call, const DeviceCall& device);
  Result<void> pointerMath(const llvm::CallInst& call, const DeviceCall& device);
  Result<void> conversion(const llvm::CallInst& call, const DeviceCall& device);
  Result<void> integerIntrinsic(const llvm::CallInst& call, const DeviceCall& device);
  Result<void> warpOperation(const llvm::CallInst& call, const DeviceCall& device);

  // Small tools.
  uint32_t newRegisters(uint32_t count) { return std::exchange(registers_, registers_ + count); }
  uint32_t constant(uint64_t bits);
  uint32_t imageSlot(uint64_t bits);
  Result<uint32_t> operand(const llvm::Value& value);  // its first register
  Result<uint32_t> leafCount(llvm::Type* type);
  uint32_t result(const llvm::Instruction& instruction) const { return registers_of_.lookup(&instruction); }
  Instruction& emit(Op op, uint32_t dst, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0);
  void move(uint32_t dst, uint32_t from) {
    if (dst != from) emit(Op::Mov, dst, from);
  }
  // Makes `instruction` stand for the registers from `from` on, by name if they never change, else by a copy.
  Result<void> same(const llvm::Instruction& instruction, uint32_t from);

  ModuleCompiler& module_;
  const llvm::Function& source_;
  Function out_;
  LocalSlots slots_;
  llvm::DenseMap<const llvm::BinaryOperator*, const llvm::Instruction*> index_arithmetic_;
  llvm::DenseMap<const llvm::Value*, uint32_t> registers_of_;
  llvm::DenseMap<const llvm::AllocaInst*, uint32_t> variable_register_, variable_flag_;
  llvm::DenseMap<const llvm::AllocaInst*, std::pair<uint32_t, uint32_t>> local_objects_;  // offset, size
  llvm::DenseSet<uint32_t> mutable_registers_;
  std::unordered_map<uint64_t, uint32_t> constants_;  // DenseMap reserves two keys that constants may have
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> starts_;
  std::vector<Fixup> fixups_;
  uint32_t registers_ = 0;
  uint32_t location_ = 0;
};

inline uint64_t maskOf(uint64_t bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

}  // namespace np::kernel_port::simt
