// IR preparation shared by the interpreter and the lifter.
#pragma once

#include "kernel_port/frontend/device_module.h"

namespace np::kernel_port {

// Inlines every device function that is not recursive. Memory accesses, barriers and calls stay as written: the checked
// interpreter runs this form, because any folding could hide a race or an uninitialised read.
void inlineDeviceFunctions(DeviceModule& module);

// inlineDeviceFunctions, then scalar form for symbolic execution: SROA, early CSE, vectors to scalars, simple CFG
// without switches, one exit. Loops are left alone.
void prepareForLifting(DeviceModule& module);

}  // namespace np::kernel_port
