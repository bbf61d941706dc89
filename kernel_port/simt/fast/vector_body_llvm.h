// Whole-function vectorisation: a worker is a gang of warps, its threads are the lanes of vectors.
#pragma once

#include "kernel_port/simt/fast/code_llvm.h"

namespace np::kernel_port::fast {

struct VectorOptions {
  unsigned gang = 0;      // warps; 0: choose
  bool addresses = true;  // vector, broadcast or gather by the shape of an address; false: always gather
  bool avx512 = true;
  bool parallel = false;  // atomics must be real ones
};

// Error "unsupported" says why the kernel needs thread code.
Result<Body> makeVectorBody(const Prepared& kernel, const Specialisation& launch, const jit::HostCompiler& compiler,
                            const VectorOptions& options);

}  // namespace np::kernel_port::fast
