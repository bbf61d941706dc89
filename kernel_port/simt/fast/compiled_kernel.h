// A kernel as machine code for one block size.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "analyzer/base/result.h"
#include "kernel_port/frontend/device_module.h"
#include "kernel_port/simt/fast/fast_executor.h"
#include "kernel_port/simt/fast/runtime.h"
#include "runtime/jit/native_code.h"

namespace np::kernel_port::fast {

struct CompiledKernel {
  jit::NativeCode code;
  RunFunction run = nullptr;
  bool waits = false, from_cache = false;
  uint32_t workers = 1, warp = 1;
  uint64_t static_shared = 0;
};

struct KernelRequest {
  std::string symbol;
  std::array<uint32_t, 3> block{1, 1, 1};
};

// `bitcode`: the module with its device functions inlined.
Result<CompiledKernel> compileKernel(const std::string& bitcode, const KernelRequest& request,
                                     const FastOptions& options);

}  // namespace np::kernel_port::fast
