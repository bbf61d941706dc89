// What the C++ type of a kernel parameter says: size, alignment, scalar names of launch files, fields of structs.
#pragma once

#include <string>

#include "analyzer/cuda/device_ir.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class ParmVarDecl;
}  // namespace clang

namespace np::analyzer::worker {

// The type must be complete and not dependent.
ParamFact paramFact(const clang::ParmVarDecl& param, clang::ASTContext& context);

// Values of __launch_bounds__, 0 when absent.
struct LaunchBounds {
  std::uint32_t max_threads = 0;
  std::uint32_t min_blocks = 0;
};
LaunchBounds launchBounds(const clang::FunctionDecl& kernel, clang::ASTContext& context);

}  // namespace np::analyzer::worker
