// A launcher checks its tensors, computes a grid, launches and returns. Those statements are kept; what exists only
// because the device is CUDA (guards, streams, launch-error checks) is Ignored; AT_DISPATCH becomes one Dispatch with
// the body of its lambda. Macros are seen through by the AST: CHECK_INPUT(x) is the three checks that it expands to. An
// ignored statement must not hide work: a CUDA call that does more than report errors is Unknown.

#include "analyzer/cuda/worker/host_function_builder.h"

#include <algorithm>
#include <map>
#include <optional>

#include "analyzer/cuda/worker/host_expressions.h"
#include "analyzer/cuda/worker/places.h"
#include "analyzer/cuda/worker/qualified_name.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace np::analyzer::worker {
namespace {

using clang::dyn_cast;
using clang::isa;

bool isOneOf(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* other) { return name == other; });
}

bool isCheckMacro(const std::string& name) {
  return name.starts_with("TORCH_CHECK") || name.starts_with("TORCH_INTERNAL_ASSERT") ||
         isOneOf(name, {"AT_ASSERT", "AT_ASSERTM", "AT_CHECK", "assert"});
}

// Calls that report errors or wait, and change no data.
bool onlyReports(const std::string& callee) {
  return isOneOf(callee, {"cudaGetLastError", "cudaPeekAtLastError", "cudaDeviceSynchronize", "cudaStreamSynchronize",
                          "cudaFuncSetAttribute", "cudaGetErrorString", "cudaGetErrorName", "cudaSetDevice",
                          "cudaFuncSetCacheConfig"});
}

// What a statement does, in one walk.
class Inside : public clang::RecursiveASTVisitor<Inside> {
 public:
  const clang::IfStmt* first_if = nullptr;
  std::vector<std::string> callees;
  std::vector<std::string> strings;
  bool launches = false, changes = false;

  bool VisitIfStmt(clang::IfStmt* statement) {
    if (!first_if) first_if = statement;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    launches |= isa<clang::CUDAKernelCallExpr>(call);
    if (const clang::FunctionDecl* function = call->getDirectCallee())
      callees.push_back(qualifiedName(*function));
    else if (const auto* overload = dyn_cast<clang::OverloadExpr>(call->getCallee()->IgnoreParenImpCasts()))
      callees.push_back(overload->getName().getAsString());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    changes |= op->isAssignmentOp();
    return true;
  }
  bool VisitStringLiteral(clang::StringLiteral* literal) {
    if (literal->isOrdinary() || literal->isUTF8()) strings.push_back(literal->getString().str());
    return true;
  }
};

Inside look(const clang::Stmt& statement) {
  Inside inside;
  inside.TraverseStmt(const_cast<clang::Stmt*>(&statement));
  return inside;
}

// True when running the statement always ends in a throw or a call that does not return.
bool alwaysThrows(const clang::Stmt& given) {
  const clang::Stmt* statement = &given;
  if (const auto* block = dyn_cast<clang::CompoundStmt>(statement)) {
    if (block->body_empty()) return false;
    statement = block->body_back();
  }
  if (const auto* clean = dyn_cast<clang::ExprWithCleanups>(statement)) statement = clean->getSubExpr();
  if (isa<clang::CXXThrowExpr>(statement)) return true;
  const auto* call = dyn_cast<clang::CallExpr>(statement);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->isNoReturn();
}

// Locals written after their declaration, including members (`grid.x = 3`) and address-taken ones.
class Changes : public clang::RecursiveASTVisitor<Changes> {
 public:
  explicit Changes(std::set<const clang::VarDecl*>& out) : out_(out) {}
  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    if (op->isAssignmentOp()) note(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) note(op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    if (call->isAssignmentOp()) note(call->getArg(0));
    return true;
  }

 private:
  void note(const clang::Expr* expr) {
    expr = expr->IgnoreParenImpCasts();
    while (const auto* member = dyn_cast<clang::MemberExpr>(expr)) expr = member->getBase()->IgnoreParenImpCasts();
    if (const auto* reference = dyn_cast<clang::DeclRefExpr>(expr))
      if (const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl())) out_.insert(variable);
  }
  std::set<const clang::VarDecl*>& out_;
};

std::string recordName(clang::QualType type) {
  const auto* record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  return record ? qualifiedName(*record) : std::string();
}

bool isCudaBookkeeping(clang::QualType type) {
  const std::string record = recordName(type);
  const std::string name = record.substr(record.rfind(':') == std::string::npos ? 0 : record.rfind(':') + 1);
  if (name.find("Guard") != std::string::npos || name == "CUDAStream" || name == "CUstream_st") return true;
  if (name == "dim3") return true;  // spelled out at the launch
  if (type.isNull()) return false;
  const std::string text = type.getNonReferenceType().getUnqualifiedType().getAsString();
  return isOneOf(text, {"cudaStream_t", "cudaError_t", "cudaError"}) || text.find("cudaError") != std::string::npos;
}

const clang::Expr* withoutNegation(const clang::Expr* condition) {
  condition = condition->IgnoreParenImpCasts();
  const auto* unary = dyn_cast<clang::UnaryOperator>(condition);
  return unary && unary->getOpcode() == clang::UO_LNot ? unary->getSubExpr() : nullptr;
}

class Builder {
 public:
  Builder(clang::ASTContext& context, Places& places, const MacroUses& macros)
      : context_(context), places_(places), macros_(macros), expressions_(context, places) {}

  HostFunction build(const clang::FunctionDecl& function) {
    HostFunction out;
    out.name = qualifiedName(function);
    out.where = places_.token(function.getLocation());
    out.return_type = expressions_.typeName(function.getReturnType());
    for (const clang::ParmVarDecl* param : function.parameters()) {
      const std::string record = recordName(param->getType());
      out.params.push_back({param->getNameAsString(), expressions_.typeName(param->getType()),
                            record == "at::Tensor" || record == "torch::Tensor"});
    }
    Changes changes(expressions_.changed);
    changes.TraverseStmt(function.getBody());
    out.body = statements(*function.getBody());
    return out;
  }

 private:
  std::vector<HostStatement> statements(const clang::Stmt& body) {
    std::vector<HostStatement> out;
    if (const auto* block = dyn_cast<clang::CompoundStmt>(&body)) {
      for (const clang::Stmt* child : block->body()) append(*child, out);
    } else {
      append(body, out);
    }
    return out;
  }

  HostStatement start(const clang::Stmt& statement, HostStatement::Kind kind) {
    HostStatement out;
    out.kind = kind;
    out.where = places_.range(statement.getSourceRange());
    out.text = places_.text(statement.getSourceRange());
    return out;
  }

  void append(const clang::Stmt& given, std::vector<HostStatement>& out) {
    const clang::Stmt* statement = &given;
    if (const auto* clean = dyn_cast<clang::ExprWithCleanups>(statement)) statement = clean->getSubExpr();
    if (isa<clang::NullStmt>(statement)) return;
    if (isa<clang::CompoundStmt>(statement)) {
      for (HostStatement& inner : statements(*statement)) out.push_back(std::move(inner));
      return;
    }
    if (appendMacro(*statement, out)) return;
    if (const auto* declaration = dyn_cast<clang::DeclStmt>(statement)) return appendDeclarations(*declaration, out);
    if (const auto* call = dyn_cast<clang::CUDAKernelCallExpr>(statement)) return out.push_back(launch(*call));
    if (const auto* branch = dyn_cast<clang::IfStmt>(statement)) return out.push_back(branchOf(*branch));
    if (const auto* result = dyn_cast<clang::ReturnStmt>(statement)) {
      HostStatement item = start(*statement, HostStatement::Kind::Return);
      if (result->getRetValue()) item.value = expressions_.convert(*result->getRetValue());
      return out.push_back(std::move(item));
    }
    if (const auto* expr = dyn_cast<clang::Expr>(statement)) {
      if (auto assignment = assign(*expr)) return out.push_back(std::move(*assignment));
    }
    const bool harmless = reportsOnly(look(*statement));
    out.push_back(start(*statement, harmless ? HostStatement::Kind::Ignored : HostStatement::Kind::Unknown));
  }

  static bool reportsOnly(const Inside& inside) {
    if (inside.launches || inside.changes) return false;
    bool any = false;
    for (const std::string& callee : inside.callees) {
      if (onlyReports(callee))
        any = true;
      else if (callee.rfind("cuda", 0) == 0 || callee.find("::cuda") != std::string::npos)
        return false;
    }
    return any;
  }

  // Checks and dispatches are known by the macro they come from.
  bool appendMacro(const clang::Stmt& statement, std::vector<HostStatement>& out) {
    const std::vector<std::string> macros = places_.spellingMacros(statement.getBeginLoc());
    if (std::any_of(macros.begin(), macros.end(), [](const auto& m) { return m.starts_with("AT_DISPATCH"); })) {
      out.push_back(dispatched(statement));
      return true;
    }
    const auto* loop = dyn_cast<clang::DoStmt>(&statement);
    if ((loop || isa<clang::IfStmt>(statement)) && std::any_of(macros.begin(), macros.end(), isCheckMacro)) {
      out.push_back(checkOf(statement));
      return true;
    }
    if (loop) {
      // `do { … } while (0)` of a macro: its statements.
      const bool once = !loop->getCond()->isValueDependent() && constantFalse(*loop->getCond());
      if (once && !reportsOnly(look(statement))) {
        for (HostStatement& inner : statements(*loop->getBody())) out.push_back(std::move(inner));
        return true;
      }
    }
    return false;
  }

  bool constantFalse(const clang::Expr& condition) {
    bool value = true;
    return condition.EvaluateAsBooleanCondition(value, context_) && !value;
  }

  HostStatement checkOf(const clang::Stmt& statement) {
    HostStatement out = start(statement, HostStatement::Kind::Check);
    const Inside inside = look(statement);
    const clang::Expr* condition = inside.first_if ? withoutNegation(inside.first_if->getCond()) : nullptr;
    if (condition)
      out.value = expressions_.convert(*condition);
    else
      out.value.text = out.text;
    if (!inside.first_if) return out;
    for (const std::string& text : look(*inside.first_if->getThen()).strings) out.message += text;
    return out;
  }

  HostStatement branchOf(const clang::IfStmt& branch) {
    if (isCudaBookkeepingCondition(*branch.getCond())) return start(branch, HostStatement::Kind::Ignored);
    if (branch.getInit() || branch.getConditionVariable()) return start(branch, HostStatement::Kind::Unknown);
    const Inside then = look(*branch.getThen());
    if (!branch.getElse() && alwaysThrows(*branch.getThen()) && !then.launches) {
      HostStatement out = start(branch, HostStatement::Kind::Check);
      if (const clang::Expr* positive = withoutNegation(branch.getCond())) {
        out.value = expressions_.convert(*positive);
      } else {
        out.value.kind = HostExpr::Kind::Unary;
        out.value.name = "!";
        out.value.type = "bool";
        out.value.args = {expressions_.convert(*branch.getCond())};
        out.value.text = "!(" + out.value.args[0].text + ")";
      }
      for (const std::string& text : then.strings) out.message += text;
      return out;
    }
    HostStatement out = start(branch, HostStatement::Kind::If);
    out.value = expressions_.convert(*branch.getCond());
    out.body = statements(*branch.getThen());
    if (branch.getElse()) out.otherwise = statements(*branch.getElse());
    return out;
  }

  // `if (err != cudaSuccess) …`
  static bool isCudaBookkeepingCondition(const clang::Expr& condition) {
    const auto* binary = dyn_cast<clang::BinaryOperator>(condition.IgnoreParenImpCasts());
    return binary && isCudaBookkeeping(binary->getLHS()->IgnoreParenImpCasts()->getType());
  }

  void appendDeclarations(const clang::DeclStmt& declaration, std::vector<HostStatement>& out) {
    for (const clang::Decl* decl : declaration.decls()) {
      const auto* variable = dyn_cast<clang::VarDecl>(decl);
      if (!variable || isa<clang::DecompositionDecl>(decl)) {
        const bool harmless = isa<clang::TypedefNameDecl>(decl) || isa<clang::UsingDecl>(decl) ||
                              isa<clang::UsingDirectiveDecl>(decl) || isa<clang::StaticAssertDecl>(decl);
        out.push_back(start(declaration, harmless ? HostStatement::Kind::Ignored : HostStatement::Kind::Unknown));
        continue;
      }
      const clang::Expr* init = variable->getInit();
      if (isCudaBookkeeping(variable->getType())) {
        const bool hides = init && !harmlessInit(*init);
        out.push_back(start(declaration, hides ? HostStatement::Kind::Unknown : HostStatement::Kind::Ignored));
        continue;
      }
      HostStatement item = start(declaration, HostStatement::Kind::Let);
      item.name = variable->getNameAsString();
      item.type = expressions_.typeName(variable->getType());
      if (init) item.value = expressions_.convert(*init);
      out.push_back(std::move(item));
    }
  }

  static bool harmlessInit(const clang::Expr& init) {
    const Inside inside = look(init);
    if (inside.launches) return false;
    for (const std::string& callee : inside.callees)
      if (callee.rfind("cuda", 0) == 0 && !onlyReports(callee)) return false;
    return true;
  }

  std::optional<HostStatement> assign(const clang::Expr& expr) {
    const clang::Expr* left = nullptr;
    const clang::Expr* right = nullptr;
    std::string compound;
    if (const auto* binary = dyn_cast<clang::BinaryOperator>(&expr); binary && binary->isAssignmentOp()) {
      left = binary->getLHS(), right = binary->getRHS();
      if (binary->isCompoundAssignmentOp()) compound = binary->getOpcodeStr().drop_back().str();
    } else if (const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(&expr);
               call && call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2) {
      left = call->getArg(0), right = call->getArg(1);
    }
    const auto* target = left ? dyn_cast<clang::DeclRefExpr>(left->IgnoreParenImpCasts()) : nullptr;
    if (!target) return std::nullopt;
    if (isCudaBookkeeping(target->getType())) {
      return start(expr, harmlessInit(*right) ? HostStatement::Kind::Ignored : HostStatement::Kind::Unknown);
    }
    HostStatement out = start(expr, HostStatement::Kind::Assign);
    out.name = target->getDecl()->getNameAsString();
    out.type = expressions_.typeName(target->getType());
    out.value = expressions_.convert(*right);
    if (compound.empty()) return out;
    HostExpr whole;
    whole.kind = HostExpr::Kind::Binary;
    whole.name = compound;
    whole.text = out.name + " " + compound + " (" + out.value.text + ")";
    whole.type = out.type;
    whole.args = {expressions_.convert(*left), std::move(out.value)};
    out.value = std::move(whole);
    return out;
  }

  HostStatement launch(const clang::CUDAKernelCallExpr& call) {
    HostStatement out = start(call, HostStatement::Kind::Launch);
    out.kernel = places_.text(call.getCallee()->getSourceRange());
    const clang::CallExpr& config = *call.getConfig();
    if (config.getNumArgs() > 0) out.grid = expressions_.dimensions(*config.getArg(0));
    if (config.getNumArgs() > 1) out.block = expressions_.dimensions(*config.getArg(1));
    out.shared.kind = HostExpr::Kind::Integer;
    out.shared.text = "0";
    if (config.getNumArgs() > 2 && !isa<clang::CXXDefaultArgExpr>(config.getArg(2)))
      out.shared = expressions_.convert(*config.getArg(2));
    for (const clang::Expr* arg : call.arguments()) out.args.push_back(expressions_.convert(*arg));
    return out;
  }

  const MacroUse* dispatchAt(const clang::Stmt& statement) {
    const auto [first, last] = macros_.equal_range(places_.useOf(statement.getBeginLoc()).getRawEncoding());
    for (auto it = first; it != last; ++it)
      if (it->second.name.starts_with("AT_DISPATCH")) return &it->second;
    return nullptr;
  }

  HostStatement dispatched(const clang::Stmt& statement);

  clang::ASTContext& context_;
  Places& places_;
  const MacroUses& macros_;
  HostExpressions expressions_;
};

class ByText : public clang::RecursiveASTVisitor<ByText> {
 public:
  ByText(Places& places, std::string wanted) : places_(places), wanted_(std::move(wanted)) {}
  const clang::Expr* found = nullptr;
  bool VisitExpr(clang::Expr* expr) {
    if (!found && places_.text(expr->getSourceRange()) == wanted_) found = expr;
    return !found;
  }

 private:
  Places& places_;
  std::string wanted_;
};

// The lambdas that the user wrote into a dispatch macro; the macro repeats each for every type.
class WrittenLambdas : public clang::RecursiveASTVisitor<WrittenLambdas> {
  using Base = clang::RecursiveASTVisitor<WrittenLambdas>;

 public:
  explicit WrittenLambdas(Places& places) : places_(places) {}
  std::map<Range, std::vector<const clang::LambdaExpr*>> found;
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    if (!places_.spellingMacros(lambda->getBeginLoc()).empty()) return Base::TraverseLambdaExpr(lambda);
    found[places_.range(lambda->getSourceRange()).range].push_back(lambda);
    return true;
  }

 private:
  Places& places_;
};

// How many arguments an AT_DISPATCH macro takes before the scalar type: _AND3(a, b, c, TYPE, …) takes three.
unsigned extraTypes(const std::string& macro) {
  const std::size_t at = macro.rfind("_AND");
  if (at == std::string::npos) return 0;
  const std::string tail = macro.substr(at + 4);
  if (tail.empty()) return 1;
  return tail.size() == 1 && tail[0] >= '2' && tail[0] <= '9' ? static_cast<unsigned>(tail[0] - '0') : 0;
}

std::vector<std::string> dispatchedTypes(const MacroUse& macro) {
  std::vector<std::string> out;
  const auto add = [&](std::initializer_list<const char*> names) { out.insert(out.end(), names.begin(), names.end()); };
  const auto has = [&](const char* part) { return macro.name.find(part) != std::string::npos; };
  if (has("FLOATING_TYPES") || has("ALL_TYPES") || has("FLOATING_AND")) add({"double", "float"});
  if (has("INTEGRAL_TYPES") || has("ALL_TYPES")) add({"uint8_t", "int8_t", "int", "int64_t", "int16_t"});
  if (has("REDUCED_FLOATING")) out = {"at::Half", "at::BFloat16"};
  if (has("INDEX_TYPES")) add({"int", "int64_t"});
  if (has("_AND_HALF")) add({"at::Half"});
  if (has("COMPLEX")) add({"c10::complex<double>", "c10::complex<float>"});
  for (unsigned i = 0; i < extraTypes(macro.name) && i < macro.args.size(); ++i) out.push_back(macro.args[i]);
  return out;
}

// The body is the same text for every type but may mean different things: `sizeof(scalar_t)` is folded, a variable has
// another type. What differs is not known.
void keepCommon(HostExpr& expr, const HostExpr& other) {
  if (expr.type != other.type) expr.type.clear();
  const bool same = expr.kind == other.kind && expr.name == other.name && expr.args.size() == other.args.size() &&
                    expr.integer_value == other.integer_value && expr.float_value == other.float_value;
  if (!same) {
    HostExpr unknown;
    unknown.text = expr.text;
    expr = std::move(unknown);
    return;
  }
  for (std::size_t i = 0; i < expr.args.size(); ++i) keepCommon(expr.args[i], other.args[i]);
}

void keepCommon(std::vector<HostExpr>& list, const std::vector<HostExpr>& other) {
  if (list.size() != other.size()) {
    list.assign(1, HostExpr{});
    return;
  }
  for (std::size_t i = 0; i < list.size(); ++i) keepCommon(list[i], other[i]);
}

void keepCommon(std::vector<HostStatement>& list, const std::vector<HostStatement>& other) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    HostStatement& statement = list[i];
    if (list.size() != other.size() || statement.kind != other[i].kind || statement.name != other[i].name) {
      statement.kind = HostStatement::Kind::Unknown;
      continue;
    }
    if (statement.type != other[i].type) statement.type.clear();
    keepCommon(statement.value, other[i].value);
    keepCommon(statement.body, other[i].body);
    keepCommon(statement.otherwise, other[i].otherwise);
    keepCommon(statement.grid, other[i].grid);
    keepCommon(statement.block, other[i].block);
    keepCommon(statement.shared, other[i].shared);
    keepCommon(statement.args, other[i].args);
  }
}

HostStatement Builder::dispatched(const clang::Stmt& statement) {
  HostStatement out = start(statement, HostStatement::Kind::Dispatch);
  const MacroUse* macro = dispatchAt(statement);
  WrittenLambdas lambdas(places_);
  lambdas.TraverseStmt(const_cast<clang::Stmt*>(&statement));
  // AT_DISPATCH_SWITCH with a lambda of its own for each type says more than one body can, and a macro of the project
  // may bind anything.
  if (!macro || macro->from_project || lambdas.found.size() != 1) {
    out.kind = HostStatement::Kind::Unknown;
    return out;
  }
  const unsigned at = macro->name == "AT_DISPATCH_SWITCH" ? 0 : extraTypes(macro->name);
  if (at < macro->args.size()) {
    ByText search(places_, macro->args[at]);
    search.TraverseStmt(const_cast<clang::Stmt*>(&statement));
    if (search.found)
      out.value = expressions_.convert(*search.found);
    else
      out.value.text = macro->args[at];
  }
  out.names = dispatchedTypes(*macro);
  out.name = macro->name;
  const auto& instances = lambdas.found.begin()->second;
  out.body = statements(*instances[0]->getBody());
  for (std::size_t i = 1; i < instances.size(); ++i) keepCommon(out.body, statements(*instances[i]->getBody()));
  return out;
}

}  // namespace

HostFunction buildHostFunction(const clang::FunctionDecl& function, clang::ASTContext& context, Places& places,
                               const MacroUses& macros) {
  return Builder(context, places, macros).build(function);
}

}  // namespace np::analyzer::worker
