// C++ expressions as HostExpr trees; used by host_function_builder.cc alone.
#pragma once

#include <set>
#include <string>

#include "analyzer/cuda/host_function.h"
#include "clang/AST/PrettyPrinter.h"

namespace clang {
class ASTContext;
class Expr;
class QualType;
class VarDecl;
}  // namespace clang

namespace np::analyzer::worker {

class Places;

class HostExpressions {
 public:
  HostExpressions(clang::ASTContext& context, Places& places);

  HostExpr convert(const clang::Expr& expr) const;
  // Grid or block: a dim3 spelled out (through locals that are never changed), or one integer.
  std::vector<HostExpr> dimensions(const clang::Expr& expr) const;
  std::string text(const clang::Expr& expr) const;
  // The type without reference and const, as written.
  std::string typeName(clang::QualType type) const;
  HostExpr unknown(const clang::Expr& expr) const;
  // A function or variable as written, with its qualifier, without template arguments.
  std::string spelledName(const clang::Expr& expr) const;

  // Locals that are assigned after their declaration: values of a dim3 must not be moved past that.
  std::set<const clang::VarDecl*> changed;

 private:
  bool folded(const clang::Expr& expr, HostExpr& out) const;
  void convertCall(const clang::Expr& expr, HostExpr& out) const;
  bool dependsOnChanged(const clang::Expr& expr) const;

  clang::ASTContext& context_;
  Places& places_;
  clang::PrintingPolicy policy_;
};

}  // namespace np::analyzer::worker
