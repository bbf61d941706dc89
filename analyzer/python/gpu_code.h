// Functions that a compiler for GPUs takes: Triton, Numba, TileLang and their like.
#pragma once

#include <string_view>

#include "analyzer/python/module.h"

namespace np::analyzer::python {

// True for decorators and calls that compile a function for a GPU: "triton.jit", "numba.cuda.jit".
bool compilesForGpu(std::string_view qualified_name);

// Judges a function definition by its decorators and by parameters that only such a compiler knows
// (`BLOCK: tl.constexpr`).
bool isGpuFunction(const Module& module, NodeId function);

}  // namespace np::analyzer::python
