// A template kernel exists only once somebody instantiates it, and the caller knows it by the name people write:
// "scale<float, 128>". So the source is included from a small file in memory that ends in a pragma of ours. When the
// preprocessor reaches it all declarations of the source are known: we look for kernels whose qualified name ends in
// the written one and push text that takes the address of each instance, inside the kernel's own namespace so that
// short type names mean what they mean there. Sema then instantiates them; code generation keeps every instance of a
// kernel.
//
// Host function bodies are skipped when kernels are named: they need headers that device code does not. A missing
// header is an error, because a macro it would have defined may change the kernel; only frameworks that configure
// nothing are skipped.

#include "analyzer/cuda/worker/device_compiler.h"

#include <map>

#include "analyzer/cuda/worker/param_facts.h"
#include "analyzer/cuda/worker/qualified_name.h"
#include "analyzer/cuda/worker/session.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

namespace np::analyzer::worker {
namespace {

constexpr const char* kMainPath = "/neuron-port/unit.cu";
constexpr const char* kInstancesPath = "/neuron-port/instances";
constexpr const char* kVariable = "neuron_port_instance_";

// What the pragma handler and the consumer share about the request.
struct Wanted {
  const DeviceIrRequest& request;
  std::vector<SourceDiagnostic>& diagnostics;
  std::vector<std::string> text_lines_kernel;               // line n of the instances file belongs to this kernel
  std::map<std::string, const clang::FunctionDecl*> plain;  // kernels that are no templates, by written name
  std::vector<DeviceKernel> found;

  void error(const std::string& message) { diagnostics.push_back({"error", message, request.source, 0, 0, 0}); }
};

template <class Visit>
void forEachDecl(const clang::DeclContext& context, Visit&& visit) {
  for (const clang::Decl* decl : context.decls()) {
    visit(*decl);
    if (llvm::isa<clang::NamespaceDecl>(decl) || llvm::isa<clang::LinkageSpecDecl>(decl))
      forEachDecl(*llvm::cast<clang::DeclContext>(decl), visit);
    else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl);
             record && record->isThisDeclarationADefinition())
      forEachDecl(*record, visit);
  }
}

const clang::FunctionDecl* functionOf(const clang::Decl& decl) {
  if (const auto* made = llvm::dyn_cast<clang::FunctionTemplateDecl>(&decl)) return made->getTemplatedDecl();
  return llvm::dyn_cast<clang::FunctionDecl>(&decl);
}

bool isKernel(const clang::FunctionDecl& function) { return function.hasAttr<clang::CUDAGlobalAttr>(); }

std::string withoutSpaces(const std::string& text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\t') out += c;
  return out;
}

// "ns::scale<float, 128>" -> "ns::scale" and "<float, 128>".
struct WrittenName {
  std::string head, arguments;
  explicit WrittenName(const std::string& text) {
    const std::size_t angle = text.find('<');
    head = withoutSpaces(text.substr(0, angle));
    if (head.rfind("::", 0) == 0) head = head.substr(2);
    if (angle != std::string::npos) arguments = text.substr(angle);
  }
};

bool namedBy(const clang::FunctionDecl& kernel, const std::string& head) {
  const std::string full = qualifiedName(kernel);
  if (full == head) return true;
  return full.size() > head.size() + 2 && full.ends_with("::" + head);
}

// Text that opens the namespaces of `kernel` again, and closes them.
struct Reopened {
  std::string open, close;
  std::string prefix;  // "Class::" for static member kernels
  explicit Reopened(const clang::FunctionDecl& kernel) {
    for (const clang::DeclContext* context = kernel.getDeclContext(); context; context = context->getParent()) {
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
        const std::string inlined = space->isInline() ? "inline " : "";
        open = inlined + "namespace " + space->getNameAsString() + " { " + open;
        close += " }";
      } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(context)) {
        prefix = record->getNameAsString() + "::" + prefix;
      }
    }
  }
};

class InstancePragma : public clang::PragmaHandler {
 public:
  InstancePragma(clang::CompilerInstance& compiler, Wanted& wanted)
      : PragmaHandler("neuron_port_instances"), compiler_(compiler), wanted_(wanted) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer, clang::Token& token) override {
    const clang::SourceLocation where = token.getLocation();
    preprocessor.DiscardUntilEndOfDirective();
    std::string text;
    for (const std::string& name : wanted_.request.kernels) text += instance(name);
    if (text.empty()) return;
    const clang::FileID file = preprocessor.getSourceManager().createFileID(
        llvm::MemoryBuffer::getMemBufferCopy(text, kInstancesPath), clang::SrcMgr::C_User, 0, 0, where);
    preprocessor.EnterSourceFile(file, nullptr, where);
  }

 private:
  // One line that instantiates the kernel called `name`; nothing for a kernel that is no template, or on an error.
  std::string instance(const std::string& name) {
    const WrittenName written(name);
    const bool want_template = !written.arguments.empty();
    std::vector<const clang::FunctionDecl*> plain, templates;
    std::string near;
    forEachDecl(*compiler_.getASTContext().getTranslationUnitDecl(), [&](const clang::Decl& decl) {
      const clang::FunctionDecl* function = functionOf(decl);
      if (!function || !isKernel(*function)) return;
      near += (near.empty() ? "\"" : ", \"") + qualifiedName(*function) + "\"";
      if (!namedBy(*function, written.head)) return;
      auto& into = llvm::isa<clang::FunctionTemplateDecl>(decl) ? templates : plain;
      for (const clang::FunctionDecl*& other : into)
        if (other->getCanonicalDecl() == function->getCanonicalDecl()) return;
      into.push_back(function);
    });

    const auto& matches = want_template || plain.empty() ? templates : plain;
    if (matches.empty()) {
      wanted_.error("kernel \"" + name + "\" not found, the file has " + (near.empty() ? "no kernel" : near));
      return {};
    }
    for (const clang::FunctionDecl* match : matches) {
      if (qualifiedName(*match) == qualifiedName(*matches[0])) continue;
      wanted_.error("kernel \"" + name + "\" is ambiguous: \"" + qualifiedName(*matches[0]) + "\" and \"" +
                    qualifiedName(*match) + "\", write the namespace");
      return {};
    }
    if (&matches == &plain) {
      if (plain.size() > 1) {
        wanted_.error("kernel \"" + name + "\" has " + std::to_string(plain.size()) + " overloads, rename one");
        return {};
      }
      wanted_.plain[name] = plain[0];
      return {};
    }
    const Reopened reopened(*matches[0]);
    const std::string variable = kVariable + std::to_string(wanted_.text_lines_kernel.size());
    wanted_.text_lines_kernel.push_back(name);
    const std::string arguments = want_template ? written.arguments : "<>";
    return reopened.open + "[[maybe_unused]] static auto* " + variable + " = &" + reopened.prefix +
           matches[0]->getNameAsString() + arguments + ";" + reopened.close + "\n";
  }

  clang::CompilerInstance& compiler_;
  Wanted& wanted_;
};

// Frameworks whose headers configure nothing that a kernel could depend on.
bool mayBeSkipped(llvm::StringRef header) {
  for (const char* prefix : {"torch/", "ATen/", "c10/", "caffe2/", "THC/", "pybind11/", "cub/", "thrust/"})
    if (header.starts_with(prefix)) return true;
  return header == "Python.h" || header == "nccl.h" || header == "mpi.h";
}

class MissingHeaders : public clang::PPCallbacks {
 public:
  explicit MissingHeaders(Wanted& wanted) : wanted_(wanted) {}

  bool FileNotFound(llvm::StringRef header) override {
    if (!mayBeSkipped(header)) return false;
    wanted_.diagnostics.push_back(
        {"warning", "header \"" + header.str() + "\" not found, skipped", wanted_.request.source, 0, 0, 0});
    return true;
  }

 private:
  Wanted& wanted_;
};

// Finds the declarations asked for and writes down their facts.
class Facts : public clang::ASTConsumer {
 public:
  explicit Facts(Wanted& wanted) : wanted_(wanted) {}

  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    if (wanted_.request.kernels.empty()) return false;
    const clang::FunctionDecl* function = functionOf(*decl);
    return function && !function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAGlobalAttr>();
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    if (wanted_.request.kernels.empty()) return addAll(context);
    std::map<std::string, const clang::FunctionDecl*> kernels = wanted_.plain;
    forEachDecl(*context.getTranslationUnitDecl(), [&](const clang::Decl& decl) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl);
      if (!variable || !variable->getDeclName().isIdentifier() || !variable->getName().starts_with(kVariable)) return;
      unsigned index = 0;
      if (variable->getName().substr(std::string(kVariable).size()).getAsInteger(10, index)) return;
      if (const clang::FunctionDecl* kernel = addressed(variable->getInit()))
        kernels[wanted_.text_lines_kernel.at(index)] = kernel;
    });
    for (const std::string& name : wanted_.request.kernels) {
      const auto found = kernels.find(name);
      if (found == kernels.end()) continue;
      add(*found->second, name, context);
    }
  }

 private:
  static const clang::FunctionDecl* addressed(const clang::Expr* init) {
    if (!init) return nullptr;
    const clang::Expr* inner = init->IgnoreParenImpCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner))
      inner = unary->getSubExpr()->IgnoreParenImpCasts();
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(inner);
    return reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
  }

  void addAll(clang::ASTContext& context) {
    forEachDecl(*context.getTranslationUnitDecl(), [&](const clang::Decl& decl) {
      if (const auto* made = llvm::dyn_cast<clang::FunctionTemplateDecl>(&decl)) {
        if (made->getCanonicalDecl() != made) return;
        for (const clang::FunctionDecl* instance : made->specializations())
          if (isKernel(*instance) && instance->isDefined()) add(*instance, diagnosticName(*instance, false), context);
      } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
        const bool plain = function->getTemplatedKind() == clang::FunctionDecl::TK_NonTemplate;
        if (plain && isKernel(*function) && function->isThisDeclarationADefinition())
          add(*function, function->getNameAsString(), context);
      }
    });
  }

  static std::string diagnosticName(const clang::FunctionDecl& kernel, bool qualified) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    kernel.getNameForDiagnostic(stream, clang::PrintingPolicy(kernel.getASTContext().getLangOpts()), qualified);
    return text;
  }

  void add(const clang::FunctionDecl& referenced, const std::string& name, clang::ASTContext& context) {
    const clang::FunctionDecl* definition = nullptr;
    if (!referenced.isDefined(definition))
      return wanted_.error("kernel \"" + name + "\" is declared but has no body here");
    DeviceKernel out;
    out.name = name;
    out.qualified_name = diagnosticName(*definition, true);
    out.symbol = clang::ASTNameGenerator(context).getName(definition);
    for (const clang::ParmVarDecl* param : definition->parameters()) out.params.push_back(paramFact(*param, context));
    const LaunchBounds bounds = launchBounds(*definition, context);
    out.max_threads = bounds.max_threads, out.min_blocks = bounds.min_blocks;
    const clang::SourceManager& sources = context.getSourceManager();
    const clang::SourceLocation where = sources.getFileLoc(definition->getLocation());
    out.path = sources.getFilename(where).str();
    out.line = sources.getSpellingLineNumber(where);
    wanted_.found.push_back(std::move(out));
  }

  Wanted& wanted_;
};

class DeviceAction : public clang::EmitLLVMOnlyAction {
 public:
  DeviceAction(llvm::LLVMContext& context, Wanted& wanted) : EmitLLVMOnlyAction(&context), wanted_(wanted) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.AddPragmaHandler(new InstancePragma(compiler, wanted_));  // owned by the preprocessor
    preprocessor.addPPCallbacks(std::make_unique<MissingHeaders>(wanted_));
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<Facts>(wanted_));
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

 private:
  Wanted& wanted_;
};

bool hasError(const std::vector<SourceDiagnostic>& diagnostics) {
  for (const SourceDiagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == "error") return true;
  return false;
}

// Errors in our own text are about the kernel name that made it.
void nameInstanceErrors(Wanted& wanted) {
  for (SourceDiagnostic& diagnostic : wanted.diagnostics) {
    if (diagnostic.path != kInstancesPath) continue;
    const std::string name =
        diagnostic.line - 1 < wanted.text_lines_kernel.size() ? wanted.text_lines_kernel[diagnostic.line - 1] : "";
    if (diagnostic.severity == "error" && name.find('<') == std::string::npos)
      diagnostic.message = "kernel \"" + name + "\" is a template, write its arguments: \"" + name + "<float>\"";
    else if (diagnostic.severity == "error")
      diagnostic.message = "kernel \"" + name + "\" cannot be instantiated: " + diagnostic.message;
    diagnostic.path = wanted.request.source;
    diagnostic.line = diagnostic.column = diagnostic.offset = 0;
  }
}

void writeBitcode(const llvm::Module& module, Wanted& wanted) {
  for (const DeviceKernel& kernel : wanted.found) {
    const llvm::Function* function = module.getFunction(kernel.symbol);
    if (!function || function->isDeclaration())
      wanted.error("no code was generated for kernel \"" + kernel.name + "\"");
  }
  if (hasError(wanted.diagnostics)) return;
  const std::string temporary = wanted.request.output + ".tmp";
  std::error_code failed;
  llvm::raw_fd_ostream out(temporary, failed, llvm::sys::fs::OF_None);
  if (!failed) {
    llvm::WriteBitcodeToFile(module, out);
    out.close();
    failed = out.error();
    out.clear_error();
  }
  if (!failed) failed = llvm::sys::fs::rename(temporary, wanted.request.output);
  if (failed) wanted.error("cannot write \"" + wanted.request.output + "\": " + failed.message());
}

void compile(Wanted& wanted) {
  llvm::SmallString<256> source(wanted.request.source);
  llvm::sys::fs::make_absolute(source);
  if (!llvm::sys::fs::exists(source)) return wanted.error("\"" + wanted.request.source + "\" does not exist");

  SessionOptions options;
  options.side = Side::Device;
  options.main_path = kMainPath;
  options.main_text = "#include \"" + std::string(source) + "\"\n;\n#pragma neuron_port_instances\n";
  options.includes = wanted.request.includes;
  options.defines = wanted.request.defines;
  options.std = wanted.request.std;
  auto compiler = makeCompiler(options, wanted.diagnostics);
  if (!compiler) return wanted.error(compiler.error().message);
  (*compiler)->getFrontendOpts().SkipFunctionBodies = !wanted.request.kernels.empty();

  llvm::LLVMContext context;
  DeviceAction action(context, wanted);
  const bool done = (*compiler)->ExecuteAction(action);
  nameInstanceErrors(wanted);
  const std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!hasError(wanted.diagnostics) && (!done || !module)) return wanted.error("clang stopped without a message");
  if (!hasError(wanted.diagnostics) && wanted.found.empty()) return wanted.error("no kernel found");
  if (module && !hasError(wanted.diagnostics)) writeBitcode(*module, wanted);
}

}  // namespace

DeviceIrReply compileDevice(const DeviceIrRequest& request) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeX86TargetInfo();

  DeviceIrReply reply;
  Wanted wanted{request, reply.ir.diagnostics, {}, {}, {}};
  compile(wanted);
  reply.ok = !hasError(reply.ir.diagnostics);
  reply.ir.kernels = std::move(wanted.found);
  reply.ir.bitcode = reply.ok ? request.output : "";
  return reply;
}

}  // namespace np::analyzer::worker
