// Simplification of device IR before translation.
#pragma once

#include "kernel_port/lift/translate.h"

namespace np::kernel_port::lift {

// Fixes launch dimensions in `module`, inlines everything into `kernel`, promotes locals to registers and drops dead
// code. Nothing here reorders or contracts floating point.
void prepareKernel(DeviceModule& module, const analyzer::DeviceKernel& kernel, const FixedLaunch& fixed);

}  // namespace np::kernel_port::lift
