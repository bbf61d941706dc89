// A bare checkout misses headers: generated ones, other packages', the toolkit's. A missing #include is fatal for a
// compiler; here it is skipped and named, fatal errors count as errors, and the AST that is left is read. A file with
// any error, or without one of its headers, is `partial`: the index then asks tree-sitter for what Clang dropped. C++
// sources without device code are parsed as C++, because torch's headers behave differently under __CUDACC__.

#include "analyzer/cuda/worker/host_facts.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "analyzer/cuda/worker/fact_visitor.h"
#include "analyzer/cuda/worker/macro_uses.h"
#include "analyzer/cuda/worker/places.h"
#include "analyzer/cuda/worker/session.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

namespace np::analyzer::worker {
namespace {

namespace fs = std::filesystem;

bool carriesMeaning(llvm::StringRef name) {
  return name.starts_with("AT_DISPATCH") || name.starts_with("TORCH_LIBRARY") || name == "PYBIND11_MODULE" ||
         name == "STABLE_TORCH_LIBRARY";
}

class MacroRecorder : public clang::PPCallbacks {
 public:
  MacroRecorder(clang::Preprocessor& preprocessor, Places& places, MacroUses& macros, UnitFacts& unit)
      : preprocessor_(preprocessor), places_(places), macros_(macros), unit_(unit) {}

  bool FileNotFound(llvm::StringRef header) override {
    const std::string name = header.str();
    if (std::find(unit_.missing_headers.begin(), unit_.missing_headers.end(), name) == unit_.missing_headers.end())
      unit_.missing_headers.push_back(name);
    return true;
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool angled,
                          clang::CharSourceRange range, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
    if (places_.origin(hash) != Origin::Project) return;
    const SourceRange where = places_.range({hash, range.getBegin()});
    unit_.includes.push_back({name.str(), angled, file.has_value(), where});
  }

  void FileChanged(clang::SourceLocation where, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    if (reason == EnterFile && places_.origin(where) == Origin::Project) files_.insert(places_.path(where));
  }

  void MacroExpands(const clang::Token& token, const clang::MacroDefinition& definition, clang::SourceRange,
                    const clang::MacroArgs* args) override {
    const llvm::StringRef name = token.getIdentifierInfo()->getName();
    const clang::SourceLocation use = places_.useOf(token.getLocation());
    if (places_.origin(use) != Origin::Project) return;
    const clang::MacroInfo* info = definition.getMacroInfo();
    if (!info) return;
    const Origin origin = places_.origin(info->getDefinitionLoc());
    if (carriesMeaning(name))
      macros_.emplace(use.getRawEncoding(), MacroUse{name.str(), texts(args, definition), origin == Origin::Project});
    if (token.getLocation().isMacroID()) return;
    if (origin != Origin::CudaShim && origin != Origin::TorchShim) return;
    if (!isCudaName(name.str(), origin == Origin::CudaShim)) return;
    ApiUse out;
    out.name = name.str();
    out.kind = "macro";
    out.where = places_.token(token.getLocation());
    out.args = texts(args, definition);
    unit_.uses.push_back(std::move(out));
  }

  void EndOfMainFile() override {
    unit_.files.assign(files_.begin(), files_.end());
    std::stable_partition(unit_.files.begin(), unit_.files.end(),
                          [&](const std::string& f) { return f == unit_.path; });
  }

 private:
  std::vector<std::string> texts(const clang::MacroArgs* args, const clang::MacroDefinition& definition) {
    std::vector<std::string> out;
    if (!args || !definition.getMacroInfo()) return out;
    for (unsigned i = 0; i < definition.getMacroInfo()->getNumParams(); ++i) {
      std::string text;
      for (const clang::Token* t = args->getUnexpArgument(i); t->isNot(clang::tok::eof); ++t) {
        if (t->hasLeadingSpace() && !text.empty()) text += ' ';
        text += preprocessor_.getSpelling(*t);
      }
      out.push_back(std::move(text));
    }
    return out;
  }

  clang::Preprocessor& preprocessor_;
  Places& places_;
  MacroUses& macros_;
  UnitFacts& unit_;
  std::set<std::string> files_;
};

class FactsConsumer : public clang::ASTConsumer {
 public:
  FactsConsumer(Places& places, const MacroUses& macros, UnitFacts& unit)
      : places_(places), macros_(macros), unit_(unit) {}
  void HandleTranslationUnit(clang::ASTContext& context) override { collectFacts(context, places_, macros_, unit_); }

 private:
  Places& places_;
  const MacroUses& macros_;
  UnitFacts& unit_;
};

// A pass for its diagnostics and missing headers alone.
class DeviceCheck : public clang::ASTFrontendAction {
 public:
  DeviceCheck(std::string root, UnitFacts& unit) : root_(std::move(root)), unit_(unit) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    places_ = std::make_unique<Places>(compiler.getSourceManager(), compiler.getLangOpts(), root_);
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<MacroRecorder>(compiler.getPreprocessor(), *places_, macros_, discarded_));
    return std::make_unique<clang::ASTConsumer>();
  }
  void EndSourceFileAction() override { unit_.missing_headers = discarded_.missing_headers; }

 private:
  std::string root_;
  UnitFacts& unit_;
  UnitFacts discarded_;
  std::unique_ptr<Places> places_;
  MacroUses macros_;
};

class FactsAction : public clang::ASTFrontendAction {
 public:
  FactsAction(std::string root, UnitFacts& unit) : root_(std::move(root)), unit_(unit) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    places_ = std::make_unique<Places>(compiler.getSourceManager(), compiler.getLangOpts(), root_);
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<MacroRecorder>(compiler.getPreprocessor(), *places_, macros_, unit_));
    return std::make_unique<FactsConsumer>(*places_, macros_, unit_);
  }

 private:
  std::string root_;
  UnitFacts& unit_;
  std::unique_ptr<Places> places_;
  MacroUses macros_;
};

bool hasDeviceCode(const fs::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".cu" || extension == ".cuh") return true;
  const auto text = llvm::MemoryBuffer::getFile(file.string());
  if (!text) return false;
  const llvm::StringRef bytes = (*text)->getBuffer();
  return bytes.contains("__global__") || bytes.contains("__device__") || bytes.contains("<<<");
}

std::vector<std::string> absolute(const std::vector<std::string>& folders, const fs::path& root) {
  std::vector<std::string> out;
  for (const std::string& folder : folders) out.push_back((root / folder).lexically_normal().string());
  return out;
}

// Our headers declare templates without bodies; one that is given a lambda has no linkage and would need a body here.
bool isOurOmission(const SourceDiagnostic& diagnostic) {
  return diagnostic.path.rfind("/neuron-port/shims/", 0) == 0 &&
         diagnostic.message.find("is used but not defined in this translation unit") != std::string::npos;
}

// Published code that nvcc compiles names a local variable like a template parameter. Clang reports it and goes on with
// the variable, which is what was meant.
bool isAllowedByNvcc(const SourceDiagnostic& diagnostic) {
  return diagnostic.message.starts_with("declaration of '") &&
         diagnostic.message.ends_with("' shadows template parameter");
}

void summarize(UnitFacts& unit, std::vector<SourceDiagnostic> diagnostics, const std::string& root) {
  for (SourceDiagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != "error" || isOurOmission(diagnostic) || isAllowedByNvcc(diagnostic)) continue;
    if (diagnostic.path.rfind(root + "/", 0) == 0) diagnostic.path.erase(0, root.size() + 1);
    unit.diagnostics.push_back(std::move(diagnostic));
  }
  if (!unit.diagnostics.empty()) {
    const SourceDiagnostic& first = unit.diagnostics.front();
    unit.status = UnitStatus::Partial;
    unit.reason = first.path + ":" + std::to_string(first.line) + ": " + first.message;
    if (unit.diagnostics.size() > 1) unit.reason += " (and " + std::to_string(unit.diagnostics.size() - 1) + " more)";
  }
  if (!unit.missing_headers.empty()) {
    std::string names;
    for (const std::string& header : unit.missing_headers) names += (names.empty() ? "\"" : ", \"") + header + "\"";
    const std::string missing =
        (unit.missing_headers.size() == 1 ? "header not found: " : "headers not found: ") + names;
    unit.reason = unit.status == UnitStatus::Partial ? missing + "; " + unit.reason : missing;
    unit.status = UnitStatus::Partial;  // what the header declares is not known
  }
  constexpr std::size_t kMaxDiagnostics = 20;
  if (unit.diagnostics.size() > kMaxDiagnostics) unit.diagnostics.resize(kMaxDiagnostics);
}

UnitFacts factsOf(const std::string& file, const fs::path& root, const FactsRequest& request) {
  UnitFacts unit;
  unit.path = file;
  const fs::path absolute_file = root / file;
  std::error_code ignored;
  if (!fs::is_regular_file(absolute_file, ignored)) {
    unit.status = UnitStatus::Failed;
    unit.reason = "\"" + file + "\" does not exist";
    return unit;
  }
  std::vector<SourceDiagnostic> diagnostics;
  SessionOptions options;
  options.side = request.device_side ? Side::Device : hasDeviceCode(absolute_file) ? Side::Host : Side::PlainCpp;
  options.main_path = absolute_file.string();
  options.includes = absolute(request.includes, root);
  options.late_includes = absolute(request.late_includes, root);
  options.defines = request.defines;
  options.std = request.std;
  for (const auto& [path, text] : request.texts) options.texts.emplace((root / path).string(), text);
  auto compiler = makeCompiler(options, diagnostics);
  if (!compiler) {
    unit.status = UnitStatus::Failed;
    unit.reason = compiler.error().message;
    return unit;
  }
  std::unique_ptr<clang::FrontendAction> action;
  if (request.device_side)
    action = std::make_unique<DeviceCheck>(root.string(), unit);
  else
    action = std::make_unique<FactsAction>(root.string(), unit);
  if (!(*compiler)->ExecuteAction(*action) && diagnostics.empty()) {
    unit.status = UnitStatus::Failed;
    unit.reason = "clang stopped without a message";
  }
  summarize(unit, std::move(diagnostics), root.string());
  return unit;
}

}  // namespace

FactsReply collectHostFacts(const FactsRequest& request) {
  std::error_code failed;
  const fs::path root = fs::canonical(request.root, failed);
  FactsReply reply;
  for (const std::string& file : request.files) {
    if (failed) {
      UnitFacts unit;
      unit.path = file;
      unit.status = UnitStatus::Failed;
      unit.reason = "\"" + request.root + "\" does not exist";
      reply.units.push_back(std::move(unit));
    } else {
      reply.units.push_back(factsOf(file, root, request));
    }
  }
  return reply;
}

}  // namespace np::analyzer::worker
