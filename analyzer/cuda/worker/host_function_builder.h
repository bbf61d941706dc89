// Turns the body of a C++ function that launches kernels into the small language of analyzer/cuda/host_function.h.
#pragma once

#include "analyzer/cuda/host_function.h"
#include "analyzer/cuda/worker/macro_uses.h"

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace np::analyzer::worker {

class Places;

// `function` must have a body. What the language cannot say becomes an Unknown node that holds the source text.
HostFunction buildHostFunction(const clang::FunctionDecl& function, clang::ASTContext& context, Places& places,
                               const MacroUses& macros);

}  // namespace np::analyzer::worker
