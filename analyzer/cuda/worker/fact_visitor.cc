// One walk over the declarations that lie in the project. Templates are visited as written, never as instantiated: a
// fact has one place, and AT_DISPATCH repeats its lambda for every type, so facts of the same range are kept once. In a
// template a launch or a call may be unresolved: then the name as written stands for it and the index resolves it.

#include "analyzer/cuda/worker/fact_visitor.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analyzer/cuda/worker/host_function_builder.h"
#include "analyzer/cuda/worker/param_facts.h"
#include "analyzer/cuda/worker/places.h"
#include "analyzer/cuda/worker/qualified_name.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace np::analyzer::worker {
namespace {

using clang::dyn_cast;
using clang::isa;

bool isBindingHelper(const std::string& name) {
  return name.starts_with("pybind11::") || name.starts_with("torch::") || name.starts_with("c10::");
}

// The first function or lambda that an expression such as `&f`, `TORCH_FN(f)` or `[](…) {…}` hands over.
class HandedFunction : public clang::RecursiveASTVisitor<HandedFunction> {
 public:
  const clang::FunctionDecl* function = nullptr;
  const clang::OverloadExpr* overload = nullptr;
  const clang::LambdaExpr* lambda = nullptr;

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    function = dyn_cast<clang::FunctionDecl>(reference->getDecl());
    // `py::overload_cast<…>(&f)` and `torch::dispatch(key, f)` hand over f, not themselves.
    if (function && isBindingHelper(qualifiedName(*function))) function = nullptr;
    return !function;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* expr) {
    overload = expr;
    return false;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* expr) {
    lambda = expr;
    return false;
  }
};

class FirstString : public clang::RecursiveASTVisitor<FirstString> {
 public:
  std::optional<std::string> text;
  bool VisitStringLiteral(clang::StringLiteral* literal) {
    if (literal->isOrdinary() || literal->isUTF8()) text = literal->getString().str();
    return !text;
  }
};

class Callees : public clang::RecursiveASTVisitor<Callees> {
 public:
  std::vector<std::string> names;
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* function = dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      names.push_back(qualifiedName(*function));
    return true;
  }
};

// Kernels whose address an expression takes.
class KernelsNamed : public clang::RecursiveASTVisitor<KernelsNamed> {
 public:
  std::vector<const clang::FunctionDecl*> found;
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    add(reference->getDecl());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* expr) {
    if (expr->decls_begin() != expr->decls_end()) add(*expr->decls_begin());
    return true;
  }
  // `auto kernel = pick(wide);`: what `pick` names.
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = nullptr;
    if (!callee || !callee->isDefined(definition) || !callee->getReturnType()->isFunctionPointerType()) return true;
    if (followed_.insert(definition).second) TraverseStmt(definition->getBody());
    return true;
  }

 private:
  std::set<const clang::FunctionDecl*> followed_;

  void add(const clang::NamedDecl* decl) {
    const clang::FunctionDecl* function = decl->getAsFunction();
    if (function && function->hasAttr<clang::CUDAGlobalAttr>()) found.push_back(function);
  }
};

// The template that a function is an instance of, else itself.
const clang::FunctionDecl* pattern(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* made = function.getTemplateInstantiationPattern();
  return (made ? made : &function)->getCanonicalDecl();
}

std::string spelledName(const clang::OverloadExpr& expr) {
  std::string out = expr.getName().getAsString();
  if (expr.decls_begin() != expr.decls_end()) return qualifiedName(**expr.decls_begin());
  return out;
}

void addOnce(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

bool isDeviceOnly(const clang::FunctionDecl& function) {
  if (function.hasAttr<clang::CUDAGlobalAttr>()) return true;
  return function.hasAttr<clang::CUDADeviceAttr>() && !function.hasAttr<clang::CUDAHostAttr>();
}

std::string recordOf(const clang::Expr& object) {
  clang::QualType type = object.getType();
  if (type->isPointerType()) type = type->getPointeeType();
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record ? qualifiedName(*record) : std::string();
}

class FactVisitor : public clang::RecursiveASTVisitor<FactVisitor> {
  using Base = clang::RecursiveASTVisitor<FactVisitor>;

 public:
  FactVisitor(clang::ASTContext& context, Places& places, const MacroUses& macros, UnitFacts& unit)
      : context_(context), places_(places), macros_(macros), unit_(unit), policy_(context.getLangOpts()) {
    policy_.SuppressTagKeyword = true;
    policy_.Bool = true;
  }

  bool shouldVisitTemplateInstantiations() const { return false; }

  bool TraverseDecl(clang::Decl* decl) {
    const auto* function = decl ? dyn_cast<clang::FunctionDecl>(decl) : nullptr;
    if (!function) return Base::TraverseDecl(decl);
    if (function->isTemplateInstantiation()) return true;
    if (!function->doesThisDeclarationHaveABody()) {
      if (isKernelHere(*function)) addKernel(*function);
      return Base::TraverseDecl(decl);
    }
    scopes_.push_back(openScope(*function));
    const bool go_on = Base::TraverseDecl(decl);
    closeScope(*function);
    return go_on;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    const auto* call = lambda->getCallOperator();
    // Every lambda is implicitly host and device.
    const auto* attribute = call ? call->getAttr<clang::CUDADeviceAttr>() : nullptr;
    const bool device = attribute && !attribute->isImplicit();
    device_lambdas_ += device;
    const bool go_on = Base::TraverseLambdaExpr(lambda);
    device_lambdas_ -= device;
    return go_on;
  }

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* call) {
    LaunchFacts out = launchAt(call->getSourceRange());
    out.launch.via = "<<<>>>";
    if (out.in_macro) out.launch.via = places_.spellingMacros(call->getEndLoc()).back();
    nameKernel(*call->getCallee(), out);
    const clang::CallExpr& config = *call->getConfig();
    std::string* parts[] = {&out.launch.grid, &out.launch.block, &out.launch.shared, &out.launch.stream};
    for (unsigned i = 0; i < config.getNumArgs() && i < 4; ++i) *parts[i] = written(*config.getArg(i));
    if (out.launch.shared.empty()) out.launch.shared = "0";
    for (const clang::Expr* arg : call->arguments()) out.launch.args.push_back(written(*arg));
    addLaunch(std::move(out));
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    call_of_[callee] = call;
    std::string name;
    if (const clang::FunctionDecl* function = call->getDirectCallee())
      name = qualifiedName(*function);
    else if (const auto* overload = dyn_cast<clang::OverloadExpr>(callee))
      name = spelledName(*overload);
    const std::string last = name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
    const bool ours = last.starts_with("np_") || last.starts_with("operator") || last.starts_with("__cuda");
    if (!scopes_.empty() && !ours && !isa<clang::CUDAKernelCallExpr>(call)) addOnce(scopes_.back().calls, name);
    if (last == "apply") addAutograd(*callee);
    if (last == "cudaLaunchKernel" || last == "cudaLaunchCooperativeKernel") addRuntimeLaunch(*call, last);
    if (last == "cudaLaunchKernelEx") addLaunchEx(*call);
    return true;
  }

  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const auto* method = call->getMethodDecl();
    if (!method || !method->getDeclName().isIdentifier() || call->getNumArgs() == 0) return true;
    const llvm::StringRef name = method->getName();
    if (name != "def" && name != "impl" && name != "op" && name != "def_static") return true;
    const std::string record = recordOf(*call->getImplicitObjectArgument());
    if (record == "pybind11::module_" || record == "pybind11::module" || record == "pybind11::class_")
      addPybind(*call);
    else if (record.find("Library") != std::string::npos || record.find("RegisterOperators") != std::string::npos)
      addLibrary(*call, name.str());
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const clang::ValueDecl* decl = reference->getDecl();
    const char* kind = isa<clang::FunctionDecl>(decl)       ? "function"
                       : isa<clang::EnumConstantDecl>(decl) ? "constant"
                                                            : "variable";
    addUse(*decl, kind, reference->getLocation(), reference);
    return true;
  }

  bool VisitOverloadExpr(clang::OverloadExpr* expr) {
    if (expr->decls_begin() != expr->decls_end()) addUse(**expr->decls_begin(), "function", expr->getNameLoc(), expr);
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) {
    if (isa<clang::CXXMethodDecl>(member->getMemberDecl()))
      addUse(*member->getMemberDecl(), "function", member->getMemberLoc(), member);
    return true;
  }

  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) {
    addUse(*type.getTypedefNameDecl(), "type", type.getNameLoc(), nullptr);
    return true;
  }

  bool VisitTagTypeLoc(clang::TagTypeLoc type) {
    addUse(*type.getDecl(), "type", type.getNameLoc(), nullptr);
    return true;
  }

  bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc type) {
    if (const clang::TemplateDecl* made = type.getTypePtr()->getTemplateName().getAsTemplateDecl())
      addUse(*made, "type", type.getTemplateNameLoc(), nullptr);
    return true;
  }

  bool VisitGCCAsmStmt(clang::GCCAsmStmt* statement) {
    if (inDevice()) addTrait("inline-ptx", statement->getAsmString()->getString().str(), statement->getSourceRange());
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    const std::string text = variable->getNameAsString();
    if (variable->hasAttr<clang::CUDASharedAttr>())
      addTrait(variable->hasExternalStorage() ? "shared-dynamic" : "shared-static", text, variable->getSourceRange());
    else if (variable->hasAttr<clang::CUDAConstantAttr>())
      addTrait("constant-memory", text, variable->getSourceRange());
    else if (variable->hasAttr<clang::CUDADeviceAttr>() && variable->hasGlobalStorage() && !variable->isConstexpr())
      addTrait("device-global", text, variable->getSourceRange());
    return true;
  }

  bool VisitCXXNewExpr(clang::CXXNewExpr* expr) {
    if (inDevice()) addTrait("device-allocation", "new", expr->getSourceRange());
    return true;
  }

 private:
  struct Scope {
    std::string name;
    bool device = false;
    std::size_t launches = 0;  // how many the unit had when the function began
    std::vector<std::string> calls;
  };

  bool inDevice() const { return device_lambdas_ > 0 || (!scopes_.empty() && scopes_.back().device); }
  std::string here() const { return scopes_.empty() ? std::string() : scopes_.back().name; }

  std::string written(const clang::Expr& expr) {
    if (isa<clang::CXXDefaultArgExpr>(expr)) return {};
    return places_.text(expr.getSourceRange());
  }

  bool isKernelHere(const clang::FunctionDecl& function) {
    return function.hasAttr<clang::CUDAGlobalAttr>() && places_.origin(function.getLocation()) == Origin::Project;
  }

  Scope openScope(const clang::FunctionDecl& function) {
    return {qualifiedName(function), isDeviceOnly(function), unit_.launches.size(), {}};
  }

  void closeScope(const clang::FunctionDecl& function) {
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    if (places_.origin(function.getLocation()) != Origin::Project) return;
    if (isKernelHere(function)) {
      addKernel(function);
      unit_.kernels.back().device_calls = scope.calls;
    } else if (unit_.launches.size() > scope.launches && !scope.device) {
      unit_.host_functions.push_back(buildHostFunction(function, context_, places_, macros_));
    }
    // Nested functions (local classes) belong to the function around them as well.
    if (!scopes_.empty())
      for (const std::string& name : scope.calls) addOnce(scopes_.back().calls, name);
    unit_.functions.push_back(
        {scope.name, places_.token(function.getLocation()), scope.device, std::move(scope.calls)});
  }

  // `Scatter::apply(…)` runs Scatter::forward now and Scatter::backward later.
  void addAutograd(const clang::Expr& callee) {
    const auto* reference = dyn_cast<clang::DeclRefExpr>(&callee);
    const auto* qualifier = reference ? reference->getQualifier() : nullptr;
    const auto* record = qualifier && qualifier->getAsType() ? qualifier->getAsType()->getAsCXXRecordDecl() : nullptr;
    if (!record || scopes_.empty()) return;
    addOnce(scopes_.back().calls, qualifiedName(*record) + "::forward");
    addOnce(scopes_.back().calls, qualifiedName(*record) + "::backward");
  }

  void addKernel(const clang::FunctionDecl& function) {
    KernelFacts out;
    out.kernel.name = function.getNameAsString();
    out.kernel.where = places_.token(function.getLocation());
    out.qualified_name = qualifiedName(function);
    out.extent = places_.range(function.getSourceRange());
    out.is_definition = function.doesThisDeclarationHaveABody();
    out.is_static = !function.isExternallyVisible();
    for (const clang::ParmVarDecl* param : function.parameters())
      out.kernel.params.push_back({param->getNameAsString(), param->getType().getAsString(policy_)});
    const LaunchBounds bounds = launchBounds(function, context_);
    out.max_threads = bounds.max_threads, out.min_blocks = bounds.min_blocks;
    if (clang::FunctionTemplateDecl* made = function.getDescribedFunctionTemplate()) {
      out.extent = places_.range(made->getSourceRange());
      for (const clang::NamedDecl* param : *made->getTemplateParameters())
        out.kernel.template_params.push_back(places_.text(param->getSourceRange()));
      for (const clang::FunctionDecl* instance : made->specializations()) addInstance(*instance, out.kernel);
    }
    unit_.kernels.push_back(std::move(out));
  }

  void addInstance(const clang::FunctionDecl& instance, Kernel& kernel) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    instance.getNameForDiagnostic(stream, policy_, /*Qualified=*/false);
    addOnce(kernel.instantiations, text);
  }

  LaunchFacts launchAt(clang::SourceRange tokens) {
    LaunchFacts out;
    out.launch.where = places_.range(tokens);
    out.function = out.launch.function = scopes_.empty() ? "" : scopes_.front().name;
    out.in_device_code = inDevice();
    // The callee may be an argument of the macro; the closing parenthesis is always its own.
    out.in_macro = !places_.spellingMacros(tokens.getEnd()).empty();
    return out;
  }

  void nameKernel(const clang::Expr& callee, LaunchFacts& out) {
    out.launch.kernel = written(callee);
    const clang::Expr* inner = callee.IgnoreParenCasts();
    if (const auto* unary = dyn_cast<clang::UnaryOperator>(inner)) inner = unary->getSubExpr()->IgnoreParenCasts();
    const clang::NamedDecl* decl = nullptr;
    if (const auto* reference = dyn_cast<clang::DeclRefExpr>(inner)) decl = reference->getDecl();
    if (const auto* overload = dyn_cast<clang::OverloadExpr>(inner);
        overload && overload->decls_begin() != overload->decls_end())
      decl = *overload->decls_begin();
    if (const auto* variable = decl ? dyn_cast<clang::VarDecl>(decl) : nullptr; variable && variable->getInit()) {
      // `auto kernel = wide ? &scale<float, true> : &scale<float, false>; kernel<<<…>>>(…)`: one kernel, several
      // instances.
      KernelsNamed named;
      named.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      const clang::FunctionDecl* first = named.found.empty() ? nullptr : pattern(*named.found[0]);
      for (const clang::FunctionDecl* other : named.found)
        if (pattern(*other) != first) first = nullptr;
      if (first) decl = first;
    }
    const clang::FunctionDecl* function = decl ? decl->getAsFunction() : nullptr;
    if (!function) {
      out.kernel_name = out.launch.kernel.substr(0, out.launch.kernel.find('<'));
      return;
    }
    function = pattern(*function);
    out.kernel_name = qualifiedName(*function);
    const clang::FunctionDecl* definition = nullptr;
    if (function->isDefined(definition)) function = definition;
    const SourceRange where = places_.token(function->getLocation());
    out.kernel_path = where.path, out.kernel_offset = where.range.start;
    out.resolved = true;
  }

  void addLaunch(LaunchFacts launch) {
    if (launch.launch.where.path.empty()) return;
    if (!seen_launches_.insert({launch.launch.where.path, launch.launch.where.range}).second) return;
    if (launch.in_device_code) addTraitAt("dynamic-parallelism", launch.launch.kernel, launch.launch.where);
    unit_.launches.push_back(std::move(launch));
  }

  void addRuntimeLaunch(const clang::CallExpr& call, const std::string& name) {
    if (call.getNumArgs() < 4) return;
    LaunchFacts out = launchAt(call.getSourceRange());
    out.launch.via = name;
    nameKernel(*call.getArg(0), out);
    if (out.launch.kernel.starts_with("(")) out.launch.kernel = out.kernel_name;
    if (out.launch.kernel.starts_with("&")) out.launch.kernel.erase(0, 1);
    out.launch.grid = written(*call.getArg(1));
    out.launch.block = written(*call.getArg(2));
    out.launch.args = argumentArray(*call.getArg(3));
    if (call.getNumArgs() > 4) out.launch.shared = written(*call.getArg(4));
    if (call.getNumArgs() > 5) out.launch.stream = written(*call.getArg(5));
    if (out.launch.shared.empty()) out.launch.shared = "0";
    addLaunch(std::move(out));
  }

  void addLaunchEx(const clang::CallExpr& call) {
    if (call.getNumArgs() < 2) return;
    LaunchFacts out = launchAt(call.getSourceRange());
    out.launch.via = "cudaLaunchKernelEx";
    nameKernel(*call.getArg(1), out);
    for (unsigned i = 2; i < call.getNumArgs(); ++i) out.launch.args.push_back(written(*call.getArg(i)));
    addLaunch(std::move(out));
  }

  // The elements of `void* args[] = {&x, &y}`, without the ampersands.
  std::vector<std::string> argumentArray(const clang::Expr& expr) {
    std::vector<std::string> out;
    const auto* reference = dyn_cast<clang::DeclRefExpr>(expr.IgnoreParenCasts());
    const auto* variable = reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    const auto* list = variable && variable->getInit() ? dyn_cast<clang::InitListExpr>(variable->getInit()) : nullptr;
    if (!list) return out;
    for (const clang::Expr* item : list->inits()) {
      const clang::Expr* inner = item->IgnoreParenCasts();
      if (const auto* unary = dyn_cast<clang::UnaryOperator>(inner); unary && unary->getOpcode() == clang::UO_AddrOf)
        inner = unary->getSubExpr();
      out.push_back(written(*inner));
    }
    return out;
  }

  // The macro named `prefix…` whose use is where the enclosing function begins.
  const MacroUse* definingMacro(const char* prefix, const clang::Stmt& inside) {
    const clang::SourceLocation at = scope_start_.isValid() ? scope_start_ : inside.getBeginLoc();
    const auto [first, last] = macros_.equal_range(places_.useOf(at).getRawEncoding());
    for (auto it = first; it != last; ++it)
      if (it->second.name.starts_with(prefix)) return &it->second;
    return nullptr;
  }

  void handOver(const clang::Expr& expr, BindingFacts& out) {
    HandedFunction handed;
    handed.TraverseStmt(const_cast<clang::Expr*>(&expr));
    if (handed.function) out.binding.function = qualifiedName(*handed.function);
    if (handed.overload) out.binding.function = spelledName(*handed.overload);
    if (!handed.lambda) return;
    Callees callees;
    callees.TraverseStmt(handed.lambda->getBody());
    out.callees = std::move(callees.names);
    out.binding.function = "(lambda)";
  }

  void addPybind(const clang::CXXMemberCallExpr& call) {
    if (call.getNumArgs() < 2) return;
    FirstString name;
    name.TraverseStmt(const_cast<clang::Expr*>(call.getArg(0)));
    if (!name.text) return;
    BindingFacts out;
    out.binding.kind = "pybind11";
    const MacroUse* macro = definingMacro("PYBIND11_MODULE", call);
    const std::string module = macro && !macro->args.empty() ? macro->args[0] : "";
    out.binding.name = module.empty() ? *name.text : module + "." + *name.text;
    handOver(*call.getArg(1), out);
    addBinding(std::move(out), call);
  }

  void addLibrary(const clang::CXXMemberCallExpr& call, const std::string& method) {
    FirstString text;
    text.TraverseStmt(const_cast<clang::Expr*>(call.getArg(0)));
    if (!text.text) return;
    BindingFacts out;
    out.binding.kind = "torch-library";
    std::string name = text.text->substr(0, text.text->find('('));
    if (text.text->find('(') != std::string::npos) out.binding.schema = *text.text;
    const MacroUse* macro = definingMacro("TORCH_LIBRARY", call);
    if (name.find("::") == std::string::npos && macro && !macro->args.empty()) name = macro->args[0] + "::" + name;
    if (macro && macro->name == "TORCH_LIBRARY_IMPL" && macro->args.size() > 1) out.dispatch_key = macro->args[1];
    out.binding.name = name;
    for (unsigned i = 1; i < call.getNumArgs(); ++i)
      if (out.binding.function.empty()) handOver(*call.getArg(i), out);
    if (out.binding.function.empty() && method != "def") return;
    addBinding(std::move(out), call);
  }

  void addBinding(BindingFacts out, const clang::CXXMemberCallExpr& call) {
    // A chained call begins where the chain begins; the binding begins at its own method name.
    const auto* member = dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParens());
    out.binding.where = places_.range({member ? member->getMemberLoc() : call.getBeginLoc(), call.getEndLoc()});
    if (!out.binding.where.path.empty()) unit_.bindings.push_back(std::move(out));
  }

  void addUse(const clang::NamedDecl& decl, const char* kind, clang::SourceLocation where, const clang::Expr* callee) {
    if (where.isInvalid() || places_.origin(where) != Origin::Project) return;
    // What our own macros expand to is reported as the macro; the project's own macros where they are defined.
    const bool in_macro = !places_.spellingMacros(where).empty();
    if (in_macro) where = context_.getSourceManager().getSpellingLoc(where);
    if (places_.origin(where) != Origin::Project) return;
    const Origin from = places_.origin(decl.getLocation());
    if (from != Origin::CudaShim && from != Origin::TorchShim) return;
    const std::string name = qualifiedName(decl);
    if (!isCudaName(name, from == Origin::CudaShim)) return;
    ApiUse out;
    out.name = name;
    out.kind = kind;
    out.where = places_.token(where);
    out.in_macro = in_macro;
    out.function = in_macro ? std::string() : here();
    out.in_device_code = inDevice();
    if (out.where.path.empty() || !seen_uses_.insert({out.where.path, out.where.range, name}).second) return;
    if (const auto call = callee ? call_of_.find(callee) : call_of_.end(); call != call_of_.end()) {
      out.call = places_.range(call->second->getSourceRange());
      for (const clang::Expr* arg : call->second->arguments())
        if (!isa<clang::CXXDefaultArgExpr>(arg)) out.args.push_back(written(*arg));
    }
    unit_.uses.push_back(std::move(out));
  }

  void addTrait(const char* kind, std::string text, clang::SourceRange tokens) {
    addTraitAt(kind, std::move(text), places_.range(tokens));
  }

  void addTraitAt(const char* kind, std::string text, const SourceRange& where) {
    if (where.path.empty() || !seen_traits_.insert({where.path, where.range, kind}).second) return;
    unit_.traits.push_back({kind, std::move(text), where, here()});
  }

 public:
  // Where the top-level declaration being visited begins: bindings find their macro by it.
  clang::SourceLocation scope_start_;

 private:
  clang::ASTContext& context_;
  Places& places_;
  const MacroUses& macros_;
  UnitFacts& unit_;
  clang::PrintingPolicy policy_;
  std::vector<Scope> scopes_;
  int device_lambdas_ = 0;
  std::map<const clang::Expr*, const clang::CallExpr*> call_of_;
  std::set<std::pair<std::string, Range>> seen_launches_;
  std::set<std::tuple<std::string, Range, std::string>> seen_uses_, seen_traits_;
};

bool startsWithAny(const std::string& text, std::initializer_list<const char*> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* p) { return text.rfind(p, 0) == 0; });
}

// Visits declarations of the project at namespace level one by one, so that each binding block knows where it begins.
void visit(const clang::DeclContext& context, Places& places, FactVisitor& visitor) {
  for (clang::Decl* decl : context.decls()) {
    if (auto* inner = dyn_cast<clang::DeclContext>(decl);
        inner && (isa<clang::NamespaceDecl>(decl) || isa<clang::LinkageSpecDecl>(decl))) {
      if (places.origin(decl->getLocation()) == Origin::Project || isa<clang::LinkageSpecDecl>(decl))
        visit(*inner, places, visitor);
      continue;
    }
    if (places.origin(decl->getLocation()) != Origin::Project) continue;
    visitor.scope_start_ = decl->getBeginLoc();
    visitor.TraverseDecl(decl);
  }
}

}  // namespace

bool isCudaName(const std::string& qualified_name, bool from_cuda_header) {
  const std::size_t colon = qualified_name.rfind("::");
  const std::string last = colon == std::string::npos ? qualified_name : qualified_name.substr(colon + 2);
  if (!from_cuda_header)
    return qualified_name.find("cuda") != std::string::npos || qualified_name.find("CUDA") != std::string::npos ||
           startsWithAny(last, {"AT_DISPATCH", "TORCH_LIBRARY", "PYBIND11_MODULE", "gpuAtomic"});
  if (startsWithAny(qualified_name, {"cooperative_groups::", "thrust::", "cub::", "nvcuda::", "cuda::"})) return true;
  if (startsWithAny(last, {"cuda", "CUDA", "cublas", "CUBLAS", "cudnn", "CUDNN", "curand", "CURAND", "cufft", "CUFFT",
                           "cusparse", "CUSPARSE", "cusolver", "CUSOLVER", "nccl", "nvtx", "nvml", "nvrtc"}))
    return true;
  if (last.size() > 2 && last.rfind("cu", 0) == 0 && last[2] >= 'A' && last[2] <= 'Z') return true;
  if (startsWithAny(last, {"__shfl",     "__syncthreads", "__syncwarp",    "__ballot",    "__any", "__all",  "__match",
                           "__reduce_",  "__activemask",  "__threadfence", "__nanosleep", "__ldg", "__ldc",  "__stc",
                           "__pipeline", "atomic",        "tex1D",         "tex2D",       "tex3D", "surf1D", "surf2D",
                           "surf3D",     "__trap",        "__prof",        "__cvta"}))
    return true;
  return last == "warpSize" || last == "clock" || last == "clock64" || last == "__globaltimer" || last == "printf" ||
         last == "malloc" || last == "free";
}

void collectFacts(clang::ASTContext& context, Places& places, const MacroUses& macros, UnitFacts& unit) {
  FactVisitor visitor(context, places, macros, unit);
  visit(*context.getTranslationUnitDecl(), places, visitor);
}

}  // namespace np::analyzer::worker
