// Names as people write them: namespaces and classes, without anonymous and inline namespaces.
#pragma once

#include <string>

namespace clang {
class NamedDecl;
}

namespace np::analyzer::worker {

std::string qualifiedName(const clang::NamedDecl& decl);

}  // namespace np::analyzer::worker
