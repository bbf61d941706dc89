// Shapes of all values of a prepared kernel, and where the lanes of a gang part: an optimistic fixpoint over both.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include "kernel_port/simt/fast/prepare_llvm.h"
#include "kernel_port/simt/fast/shape.h"

namespace np::kernel_port::fast {

class ShapeAnalysis {
 public:
  ShapeAnalysis(llvm::Function& function, const Specialisation& launch, int lanes);
  bool run();  // false: no fixpoint was reached

  Shape get(const llvm::Value* value) const;
  int lanes() const { return lanes_; }
  // Whether only some lanes of a gang may run a block; whether lanes that parted meet at its start; whether they part at
  // its end; whether they may leave a loop at different times.
  bool isDivergent(const llvm::BasicBlock* block) const { return divergent_.contains(block); }
  bool isJoin(const llvm::BasicBlock* block) const { return joins_.contains(block); }
  bool parts(const llvm::BasicBlock* block) const { return parting_.contains(block); }
  bool isDivergent(const llvm::Loop* loop) const { return loops_.contains(loop); }

  llvm::DominatorTree& dominators() { return dominators_; }
  llvm::LoopInfo& loops() { return loop_info_; }

 private:
  Shape transfer(const llvm::Instruction& instruction) const;
  Shape thread(int axis) const;
  Shape phi(const llvm::PHINode& phi) const;
  Shape callResult(const llvm::CallInst& call) const;
  Shape same(const llvm::Instruction& instruction) const;
  void part(const llvm::BasicBlock* block);

  llvm::Function& function_;
  const Specialisation& launch_;
  int lanes_;
  const llvm::DataLayout& layout_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  llvm::LoopInfo loop_info_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  llvm::DenseSet<const llvm::BasicBlock*> divergent_, joins_, parting_;
  llvm::DenseSet<const llvm::Loop*> loops_;
};

}  // namespace np::kernel_port::fast
