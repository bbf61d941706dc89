// Device IR as text, for people.
#pragma once

#include <string>

#include "kernel_port/frontend/device_module.h"

namespace np::kernel_port {

// The module's LLVM assembly.
std::string irText(const DeviceModule& module);

}  // namespace np::kernel_port
