#include "kernel_port/simt/fast/vector_body_llvm.h"

namespace np::kernel_port::fast {
Result<Body> makeVectorBody(const Prepared& kernel, const Specialisation&, const jit::HostCompiler&,
                            const VectorOptions&) {
  return makeError("unsupported", "no vector code yet");
}
}  // namespace np::kernel_port::fast
