// Reads facts off the AST of one translation unit.
#pragma once

#include "analyzer/cuda/facts.h"
#include "analyzer/cuda/worker/macro_uses.h"

namespace clang {
class ASTContext;
}

namespace np::analyzer::worker {

class Places;

// Adds kernels, launches, bindings, uses, traits, functions and host functions of every file under the root to `unit`.
void collectFacts(clang::ASTContext& context, Places& places, const MacroUses& macros, UnitFacts& unit);

// True for names that CUDA, its libraries or torch's CUDA layer provide and that a port has to deal with.
bool isCudaName(const std::string& qualified_name, bool from_cuda_header);

}  // namespace np::analyzer::worker
