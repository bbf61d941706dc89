// Code generation of the fast engine: a prepared kernel becomes
//   void body(kernel parameters..., ptr arena, ptr state, i32 block x, y, z, i32 worker)
// and is run once for each worker.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "kernel_port/simt/fast/prepare_llvm.h"

namespace np::kernel_port::fast {

struct Body {
  llvm::Function* function = nullptr;
  uint32_t workers = 1;  // per block
  uint32_t warp = 1;     // workers that form a warp
  bool waits = false;    // has barriers or warp operations: a fiber per worker
};

// One worker is one thread.
Result<Body> makeThreadBody(const Prepared& kernel, const Specialisation& launch);

// The function `np.run` (see RunFunction) around a body: loops over blocks and, unless it waits, over workers.
void makeRunFunction(const Body& body, size_t parameters);

// Values that a body reads, by position behind the kernel's own parameters.
enum class Extra : unsigned { Arena, State, BlockX, BlockY, BlockZ, Worker, Count };
llvm::Argument* extra(llvm::Function& body, Extra which);

// An empty function with a body's signature; parameters keep the prepared kernel's attributes.
llvm::Function* createBody(const Prepared& kernel, llvm::StringRef name);

// The grid's extent along an axis, from the state.
llvm::Value* gridExtent(llvm::IRBuilderBase& builder, llvm::Function& body, int axis);

}  // namespace np::kernel_port::fast
