// See the header; kept apart because three files need it.

#include "analyzer/cuda/worker/qualified_name.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

namespace np::analyzer::worker {

std::string qualifiedName(const clang::NamedDecl& decl) {
  std::string out = decl.getNameAsString();
  for (const clang::DeclContext* context = decl.getDeclContext(); context; context = context->getParent()) {
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
      if (!space->isAnonymousNamespace() && !space->isInline()) out = space->getNameAsString() + "::" + out;
    } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(context)) {
      if (!record->getNameAsString().empty()) out = record->getNameAsString() + "::" + out;
    }
  }
  return out;
}

}  // namespace np::analyzer::worker
