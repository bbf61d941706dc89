// Emission of vector code, one block of the kernel after another in a linear order.
//
// Every block that only some lanes may run has a mask, an i1 vector in memory. Edges set masks, a block takes and clears
// its own on entry, and is passed over when no lane wants it. Uniform branches stay branches where every block they pass
// over could only have been reached from here. A divergent loop goes round while any lane wants its header. Values that
// cross blocks go through memory as well; SROA turns all of it into registers again, so nothing here places phis.
//
// Everything is defined: lanes that do not run hold zeros or leftovers, never poison.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <map>

#include "kernel_port/simt/fast/shape_analysis_llvm.h"
#include "kernel_port/simt/fast/vector_body_llvm.h"

namespace np::kernel_port::fast {

class VectorEmitter {
 public:
  VectorEmitter(llvm::Function& source, llvm::Function& body, ShapeAnalysis& shapes, const Specialisation& launch,
                const VectorOptions& options);

  Result<void> emit();
  bool waits() const { return waits_; }

 private:
  using Value = llvm::Value;

  // vector_control.cc
  void layOut(llvm::Loop* loop);
  void createSlots();
  void createBlocks();
  bool needsCheck(const llvm::BasicBlock& block) const;
  llvm::BasicBlock* resetPlace(const llvm::BasicBlock* join);
  void emitBlockEntry(llvm::BasicBlock& block);
  void emitTerminator(llvm::BasicBlock& block);
  void emitEdge(llvm::BasicBlock& from, llvm::BasicBlock& to, Value* mask);
  bool jumpsDirectly(llvm::BasicBlock& from, llvm::BasicBlock& to);
  llvm::BasicBlock* nextOf(const llvm::BasicBlock& block);

  // vector_values.cc
  Result<void> emitInstruction(llvm::Instruction& instruction);
  Value* compute(llvm::Instruction& instruction);
  void guardExtension(llvm::Instruction& extension);
  Value* extensionWraps(llvm::Instruction& extension);
  Value* scalarOf(Value* value);  // of a value with a base: lane 0's
  Value* vectorOf(Value* value);
  void define(llvm::Instruction& instruction, Value* value);
  llvm::Type* vectorType(llvm::Type* type) const;
  Value* lanes(const std::function<int64_t(int)>& value, llvm::Type* type);  // a constant vector
  Value* any(Value* mask);
  bool allActive() const;
  Value* slice(Value* vector, int first, int count);
  Value* concatenate(std::vector<Value*> parts);
  llvm::AllocaInst* local(llvm::Type* type);  // in the entry block
  void leaveIf(Value* condition, int outcome);

  // vector_memory.cc
  Value* load(llvm::LoadInst& load);
  void store(llvm::StoreInst& store);
  Value* lanePointer(Value* pointer, const Shape& shape, int lane);
  int unitLevel(const Shape& shape, int64_t size) const;
  int equalLevel(const Shape& shape) const;
  Value* atomic(llvm::AtomicRMWInst& atomic);
  // Runs `each` for every active lane in order; it gets the lane's elements of `vectors` and may give a value, of which
  // the vector is returned.
  Value* perLane(const std::vector<Value*>& vectors, llvm::Type* type,
                 const std::function<Value*(const std::vector<Value*>&)>& each);

  // vector_calls.cc
  Result<void> call(llvm::CallInst& call);
  Result<void> deviceCall(llvm::CallInst& call, const DeviceCall& device);
  Value* threadIndex(llvm::CallInst& call, int axis);
  void barrier(llvm::CallInst& call, DeviceOp op);
  Value* shuffle(llvm::CallInst& call, DeviceOp op);
  Value* vote(llvm::CallInst& call, DeviceOp op);
  void requireLanes(Value* masks);  // leaves when a live lane that is named is not active
  Value* warpBits(Value* mask);     // each lane's warp's bits
  Value* permute(Value* vector, Value* source);
  Value* live();

  llvm::Function& source_;
  llvm::Function& body_;
  ShapeAnalysis& shapes_;
  const Specialisation& launch_;
  const VectorOptions& options_;
  const llvm::DataLayout& layout_;
  int width_;          // lanes
  uint32_t gangs_;     // per block
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock *entry_ = nullptr, *end_ = nullptr;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, int> place_;
  llvm::DenseMap<const Value*, llvm::AllocaInst*> slots_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::AllocaInst*> masks_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> check_, code_;
  std::map<const llvm::BasicBlock*, std::vector<llvm::BasicBlock*>> resets_;
  llvm::DenseMap<const Value*, Value*> here_, here_vector_;  // of the current block
  llvm::AllocaInst* exited_ = nullptr;
  Value *entry_mask_ = nullptr, *mask_ = nullptr;
  llvm::BasicBlock* current_ = nullptr;
  uint32_t sites_ = 0;
  bool waits_ = false;
};

}  // namespace np::kernel_port::fast
