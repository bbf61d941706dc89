// LLVM IR of a kernel to the compact form. The only users of LLVM in this room are translate.cc and prepare.cc.
#pragma once

#include <array>
#include <string>

#include "analyzer/base/result.h"
#include "kernel_port/frontend/device_module.h"
#include "kernel_port/lift/compact_ir.h"

namespace np::kernel_port::lift {

// Launch dimensions that are the same at every size; 0 where they are not. Branches on them are decided at compile
// time, so that a variant for another block size does not count as code that was never executed.
struct FixedLaunch {
  std::array<int64_t, 3> block{0, 0, 0}, grid{0, 0, 0};
};

// Inlines and simplifies a copy of the module and translates `kernel`, written as in the launch file.
// Errors: NPT2902 where the module has no such kernel or no body for it.
Result<CompactFunction> translateKernel(const DeviceModule& module, const std::string& kernel,
                                        const FixedLaunch& fixed);

}  // namespace np::kernel_port::lift
