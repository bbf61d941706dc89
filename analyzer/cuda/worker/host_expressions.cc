// Constants are folded (constexpr locals, sizeof, enumerators, macros), because a launch formula must hold without the
// C++ that named them; scoped enumerators such as torch::kFloat keep their name. Everything without a form of its own
// is Unknown with its text: the reader refuses and can quote it.

#include "analyzer/cuda/worker/host_expressions.h"

#include "analyzer/cuda/worker/places.h"
#include "analyzer/cuda/worker/qualified_name.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace np::analyzer::worker {
namespace {

using clang::dyn_cast;
using clang::isa;

// Expressions in templates can be without a type: `dim3 grid(n / kWidth)`.
bool isDim3(clang::QualType type) {
  if (type.isNull()) return false;
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getName() == "dim3";
}

template <class Range>
void appendWritten(const HostExpressions& expressions, const Range& args, std::vector<HostExpr>& out) {
  for (const clang::Expr* arg : args)
    if (!isa<clang::CXXDefaultArgExpr>(arg)) out.push_back(expressions.convert(*arg));
}

class UsesAny : public clang::RecursiveASTVisitor<UsesAny> {
 public:
  explicit UsesAny(const std::set<const clang::VarDecl*>& variables) : variables_(variables) {}
  bool found = false;
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
    found = found || (variable && variables_.count(variable));
    return !found;
  }

 private:
  const std::set<const clang::VarDecl*>& variables_;
};

const clang::Expr& spelled(const clang::Expr& expr) {
  const clang::Expr* out = expr.IgnoreUnlessSpelledInSource()->IgnoreParens();
  if (const auto* list = dyn_cast<clang::CXXStdInitializerListExpr>(out)) out = list->getSubExpr()->IgnoreImplicit();
  return *out;
}

}  // namespace

HostExpressions::HostExpressions(clang::ASTContext& context, Places& places)
    : context_(context), places_(places), policy_(context.getLangOpts()) {
  policy_.SuppressTagKeyword = true;
  policy_.Bool = true;
}

std::string HostExpressions::text(const clang::Expr& expr) const {
  // Code from a macro body has no text of its own in the file.
  if (places_.spellingMacros(expr.getBeginLoc()).empty() && places_.spellingMacros(expr.getEndLoc()).empty())
    return places_.text(expr.getSourceRange());
  std::string out;
  llvm::raw_string_ostream stream(out);
  expr.printPretty(stream, nullptr, policy_);
  return out;
}

std::string HostExpressions::spelledName(const clang::Expr& expr) const {
  std::string out;
  llvm::raw_string_ostream stream(out);
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(&expr)) {
    if (const auto* qualifier = reference->getQualifier()) qualifier->print(stream, policy_);
    out += reference->getNameInfo().getAsString();
  } else if (const auto* overload = dyn_cast<clang::OverloadExpr>(&expr)) {
    if (const auto* qualifier = overload->getQualifier()) qualifier->print(stream, policy_);
    out += overload->getName().getAsString();
  } else if (const auto* dependent = dyn_cast<clang::DependentScopeDeclRefExpr>(&expr)) {
    if (const auto* qualifier = dependent->getQualifier()) qualifier->print(stream, policy_);
    out += dependent->getDeclName().getAsString();
  } else {
    out = text(expr);
  }
  return out;
}

std::string HostExpressions::typeName(clang::QualType type) const {
  if (type.isNull()) return {};
  return type.getNonReferenceType().getUnqualifiedType().getAsString(policy_);
}

HostExpr HostExpressions::unknown(const clang::Expr& expr) const {
  HostExpr out;
  out.text = text(expr);
  return out;
}

bool HostExpressions::folded(const clang::Expr& expr, HostExpr& out) const {
  const clang::QualType type = expr.getType();
  if (expr.isValueDependent() || expr.isTypeDependent() || expr.containsErrors() || type.isNull()) return false;
  clang::Expr::EvalResult result;
  if ((type->isIntegerType() || type->isBooleanType()) && !type->isScopedEnumeralType()) {
    if (!expr.EvaluateAsInt(result, context_, clang::Expr::SE_NoSideEffects)) return false;
    if (result.Val.getInt().getSignificantBits() > 64) return false;
    out.kind = HostExpr::Kind::Integer;
    out.integer_value = result.Val.getInt().getExtValue();
    return true;
  }
  if (!type->isRealFloatingType()) return false;
  llvm::APFloat value(0.0);
  if (!expr.EvaluateAsFloat(value, context_, clang::Expr::SE_NoSideEffects)) return false;
  bool lossy = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lossy);
  out.kind = HostExpr::Kind::Float;
  out.float_value = value.convertToDouble();
  return true;
}

HostExpr HostExpressions::convert(const clang::Expr& given) const {
  const clang::Expr& expr = spelled(given);
  HostExpr out;
  out.text = text(expr);
  if (!expr.isTypeDependent()) out.type = typeName(expr.getType());
  if (expr.containsErrors()) return out;
  if (folded(expr, out)) return out;

  if (const auto* literal = dyn_cast<clang::StringLiteral>(&expr)) {
    out.kind = HostExpr::Kind::String;
    out.name = literal->isOrdinary() || literal->isUTF8() ? literal->getString().str() : std::string();
  } else if (const auto* reference = dyn_cast<clang::DeclRefExpr>(&expr)) {
    out.kind = HostExpr::Kind::Name;
    out.name = spelledName(*reference);
  } else if (const auto* binary = dyn_cast<clang::BinaryOperator>(&expr); binary && !binary->isAssignmentOp()) {
    out.kind = HostExpr::Kind::Binary;
    out.name = binary->getOpcodeStr().str();
    out.args = {convert(*binary->getLHS()), convert(*binary->getRHS())};
  } else if (const auto* unary = dyn_cast<clang::UnaryOperator>(&expr); unary && !unary->isIncrementDecrementOp()) {
    out.kind = HostExpr::Kind::Unary;
    out.name = clang::UnaryOperator::getOpcodeStr(unary->getOpcode()).str();
    out.args = {convert(*unary->getSubExpr())};
  } else if (const auto* choice = dyn_cast<clang::ConditionalOperator>(&expr)) {
    out.kind = HostExpr::Kind::Conditional;
    out.args = {convert(*choice->getCond()), convert(*choice->getTrueExpr()), convert(*choice->getFalseExpr())};
  } else if (const auto* list = dyn_cast<clang::InitListExpr>(&expr)) {
    out.kind = HostExpr::Kind::List;
    appendWritten(*this, list->inits(), out.args);
  } else if (const auto* cast = dyn_cast<clang::ExplicitCastExpr>(&expr)) {
    out.kind = HostExpr::Kind::Cast;
    out.name = cast->getTypeAsWritten().getAsString(policy_);
    out.args = {convert(*cast->getSubExprAsWritten())};
  } else {
    convertCall(expr, out);
  }
  return out;
}

void HostExpressions::convertCall(const clang::Expr& expr, HostExpr& out) const {
  if (const auto* construction = dyn_cast<clang::CXXConstructExpr>(&expr)) {
    const bool braces = construction->isListInitialization() && !isa<clang::CXXTemporaryObjectExpr>(construction);
    out.kind = braces ? HostExpr::Kind::List : HostExpr::Kind::Call;
    if (!braces) out.name = typeName(construction->getType());
    const auto args = llvm::ArrayRef(construction->getArgs(), construction->getNumArgs());
    if (args.size() == 1 && braces) {
      HostExpr inner = convert(*args[0]);
      if (inner.kind == HostExpr::Kind::List)
        inner.text = out.text, inner.type = out.type, out = inner;
      else
        out.args = {inner};
      return;
    }
    return appendWritten(*this, args, out.args);
  }
  if (const auto* construction = dyn_cast<clang::CXXUnresolvedConstructExpr>(&expr)) {
    out.kind = HostExpr::Kind::Call;
    out.name = construction->getTypeAsWritten().getAsString(policy_);
    return appendWritten(*this, construction->arguments(), out.args);
  }
  if (const auto* operation = dyn_cast<clang::CXXOperatorCallExpr>(&expr)) {
    if (operation->isAssignmentOp()) return;
    const bool plain = operation->getNumArgs() <= 2 && operation->getOperator() != clang::OO_Subscript &&
                       operation->getOperator() != clang::OO_Call;
    out.name = clang::getOperatorSpelling(operation->getOperator());
    out.kind = !plain                         ? HostExpr::Kind::Method
               : operation->getNumArgs() == 2 ? HostExpr::Kind::Binary
                                              : HostExpr::Kind::Unary;
    if (!plain) out.name = "operator" + out.name;
    return appendWritten(*this, operation->arguments(), out.args);
  }
  const auto* call = dyn_cast<clang::CallExpr>(&expr);
  if (!call || isa<clang::CUDAKernelCallExpr>(call)) return;
  const clang::Expr& callee = *call->getCallee()->IgnoreParenImpCasts();
  const clang::Expr* object = nullptr;
  if (const auto* member = dyn_cast<clang::MemberExpr>(&callee)) {
    object = member->getBase();
    out.name = member->getMemberDecl()->getNameAsString();
  } else if (const auto* dependent = dyn_cast<clang::CXXDependentScopeMemberExpr>(&callee)) {
    object = dependent->isImplicitAccess() ? nullptr : dependent->getBase();
    out.name = dependent->getMember().getAsString();
  } else if (const auto* unresolved = dyn_cast<clang::UnresolvedMemberExpr>(&callee)) {
    object = unresolved->isImplicitAccess() ? nullptr : unresolved->getBase();
    out.name = unresolved->getMemberName().getAsString();
  } else {
    out.name = spelledName(callee);
  }
  out.kind = object ? HostExpr::Kind::Method : HostExpr::Kind::Call;
  if (object) out.args.push_back(convert(*object));
  appendWritten(*this, call->arguments(), out.args);
}

bool HostExpressions::dependsOnChanged(const clang::Expr& expr) const {
  UsesAny uses(changed);
  uses.TraverseStmt(const_cast<clang::Expr*>(&expr));
  return uses.found;
}

std::vector<HostExpr> HostExpressions::dimensions(const clang::Expr& given) const {
  const clang::Expr* expr = &spelled(given);
  if (!isDim3(expr->getType())) return {convert(*expr)};
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || !variable->getInit() || changed.count(variable) || dependsOnChanged(*variable->getInit()))
      return {unknown(*expr)};
    expr = variable->getInit()->IgnoreImplicit();
    if (const auto* inner = dyn_cast<clang::DeclRefExpr>(&spelled(*expr))) return dimensions(*inner);
  }
  const clang::Expr* inner = expr->IgnoreImplicit()->IgnoreParens();
  if (const auto* cast = dyn_cast<clang::CXXFunctionalCastExpr>(inner)) inner = cast->getSubExpr()->IgnoreImplicit();
  const auto* construction = dyn_cast<clang::CXXConstructExpr>(inner);
  while (construction && construction->getNumArgs() == 1 && isDim3(construction->getArg(0)->getType())) {
    inner = construction->getArg(0)->IgnoreImplicit()->IgnoreParens();
    if (const auto* cast = dyn_cast<clang::CXXFunctionalCastExpr>(inner)) inner = cast->getSubExpr()->IgnoreImplicit();
    construction = dyn_cast<clang::CXXConstructExpr>(inner);
  }
  std::vector<HostExpr> out;
  if (construction) {
    appendWritten(*this, llvm::ArrayRef(construction->getArgs(), construction->getNumArgs()), out);
  } else if (const auto* list = dyn_cast<clang::InitListExpr>(inner)) {
    appendWritten(*this, list->inits(), out);
  } else if (const auto* several = dyn_cast<clang::ParenListExpr>(inner)) {
    appendWritten(*this, llvm::ArrayRef(const_cast<clang::ParenListExpr*>(several)->getExprs(), several->getNumExprs()),
                  out);
  } else {
    const clang::Expr& last = spelled(*inner);
    out.push_back(isDim3(last.getType()) ? unknown(last) : convert(last));
  }
  if (out.empty() || out.size() > 3) return {unknown(given)};
  return out;
}

}  // namespace np::analyzer::worker
