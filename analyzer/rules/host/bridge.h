// The bridge: what a function of the CUDA side does in a build for Neuron. It looks its op up in the dispatcher, where
// the ported kernels are registered, and calls it; without them it fails with the op's name.
#pragma once

#include "analyzer/base/result.h"
#include "analyzer/rules/host/cpp_file.h"

namespace np::analyzer::host {

// The statements of the body, each line ending in '\n'. Error "bridge": a parameter or result that the dispatcher
// cannot carry; the message names it.
Result<std::string> bridgeBody(const Item& function, const std::string& op);

}  // namespace np::analyzer::host
