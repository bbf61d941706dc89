#pragma once
// Explains a host access to device memory before the process dies of it.

#include "runtime/device/address_space.h"

namespace np::device {

// Installs a SIGSEGV handler that prints one sentence for addresses of `space` (kept by address) and then lets the
// previous handler act.
void installFaultHandler(const AddressSpace* space);

}  // namespace np::device
