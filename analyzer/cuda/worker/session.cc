// A bare checkout has no CUDA toolkit, and an installed one must not be read. So: our clean-room headers are mounted at
// /neuron-port/shims in front of everything, the driver is told that there is no CUDA, include folders that hold a
// toolkit are dropped, and the usual toolkit folders are hidden from the file system. Clang's CUDA wrapper headers
// would be found through its resource folder even so; -nobuiltininc removes it and -idirafter puts it last. Device code
// is compiled for nvptx64: it accepts PTX constraints and tells address spaces apart (design/kernels.md). Nothing is
// optimised here: later stages must see races and uninitialised reads that SROA would remove. -fno-builtin keeps
// `expf(x)` a call, so that the executor and the lifter see which function was meant.

#include "analyzer/cuda/worker/session.h"

#include <filesystem>

#include "analyzer/cuda/worker/embedded_shims.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/Utils.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace np::analyzer::worker {
namespace {

constexpr const char* kShims = "/neuron-port/shims";
constexpr unsigned kErrorLimit = 50;

// Answers "not found" for installed CUDA toolkits, whatever an include path or an #include with a full path says, and
// for the folder that exists in memory only.
class WithoutToolkits : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (hidden(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    if (hidden(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine& path, std::error_code& error) override {
    if (hidden(path)) {
      error = std::make_error_code(std::errc::no_such_file_or_directory);
      return {};
    }
    return ProxyFileSystem::dir_begin(path, error);
  }

 private:
  static bool hidden(const llvm::Twine& path) {
    const std::string text = path.str();
    for (const char* prefix : {"/neuron-port/", "/usr/local/cuda", "/opt/cuda", "/opt/nvidia", "/usr/lib/cuda"})
      if (text.rfind(prefix, 0) == 0) return true;
    return false;
  }
};

bool holdsToolkit(const std::string& folder) {
  std::error_code ignored;
  const std::filesystem::path path(folder);
  return std::filesystem::exists(path / "cuda_runtime_api.h", ignored) &&
         std::filesystem::exists(path / "crt" / "host_config.h", ignored);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(const SessionOptions& options) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const EmbeddedFile& file : embeddedShims())
    memory->addFile(std::string(kShims) + "/" + std::string(file.path), 0,
                    llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(file.text), file.path, false));
  if (!options.main_text.empty())
    memory->addFile(options.main_path, 0, llvm::MemoryBuffer::getMemBufferCopy(options.main_text, options.main_path));
  for (const auto& [path, text] : options.texts)
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::makeIntrusiveRefCnt<WithoutToolkits>(llvm::vfs::getRealFileSystem()));
  overlay->pushOverlay(memory);
  return overlay;
}

class Collector : public clang::DiagnosticConsumer {
 public:
  explicit Collector(std::vector<SourceDiagnostic>& out) : out_(out) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    SourceDiagnostic diagnostic;
    switch (level) {
      case clang::DiagnosticsEngine::Ignored:
      case clang::DiagnosticsEngine::Remark:
        return;
      case clang::DiagnosticsEngine::Note:
        diagnostic.severity = "note";
        break;
      case clang::DiagnosticsEngine::Warning:
        diagnostic.severity = "warning";
        break;
      default:
        diagnostic.severity = "error";
    }
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    diagnostic.message = std::string(text);
    if (info.hasSourceManager() && info.getLocation().isValid()) place(info, diagnostic);
    out_.push_back(std::move(diagnostic));
  }

 private:
  static void place(const clang::Diagnostic& info, SourceDiagnostic& diagnostic) {
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation where = sources.getFileLoc(info.getLocation());
    diagnostic.path = sources.getFilename(where).str();
    if (diagnostic.path.empty())  // text in memory has a name, but is no file
      diagnostic.path = sources.getBufferOrFake(sources.getFileID(where)).getBufferIdentifier().str();
    diagnostic.line = sources.getSpellingLineNumber(where);
    diagnostic.column = sources.getSpellingColumnNumber(where);
    diagnostic.offset = sources.getFileOffset(where);
  }

  std::vector<SourceDiagnostic>& out_;
};

void append(std::vector<std::string>& out, std::initializer_list<const char*> more) {
  out.insert(out.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string> commandLine(const SessionOptions& options) {
  std::vector<std::string> out = {"-fsyntax-only", "-resource-dir", NP_CLANG_RESOURCE_DIR};
  append(out, {"-nobuiltininc", "-idirafter", NP_CLANG_RESOURCE_DIR "/include", "-ferror-limit=0",
               "-ftemplate-backtrace-limit=4", "-fdeclspec", "-w", "-DNEURON_PORT_ANALYSIS=1", "-DWITH_CUDA"});
  append(out, {"-x", "cuda", "--cuda-gpu-arch=sm_80", "--cuda-feature=+ptx83", "--cuda-path=/neuron-port/no-toolkit",
               "-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=12.5", "-Xclang",
               "-fcuda-allow-variadic-functions"});
  const bool nvcc = options.side != Side::PlainCpp;
  if (nvcc)
    append(out, {"-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=5",
                 "-D__CUDACC_VER_BUILD__=0", "-D__CUDACC_EXTENDED_LAMBDA__", "-D__CUDACC_RELAXED_CONSTEXPR__"});
  if (options.side != Side::Device) append(out, {"--cuda-host-only"});
  if (options.side == Side::Device)
    append(out, {"--cuda-device-only", "-O2", "-Xclang", "-disable-llvm-passes", "-ffp-contract=off", "-fno-builtin",
                 "-fno-discard-value-names"});
  out.push_back("-std=" + options.std);
  for (const std::string& define : options.defines) out.push_back("-D" + define);
  for (const std::string& folder : options.includes)
    if (!holdsToolkit(folder)) out.push_back("-I" + folder);
  append(out, {"-isystem", "/neuron-port/shims/cuda", "-isystem", "/neuron-port/shims/torch"});
  for (const std::string& folder : options.late_includes)
    if (!holdsToolkit(folder)) append(out, {"-idirafter", folder.c_str()});
  if (nvcc) append(out, {"-include", "cuda_runtime.h"});
  out.push_back("--");
  out.push_back(options.main_path);
  return out;
}

Result<std::shared_ptr<clang::CompilerInstance>> makeCompiler(const SessionOptions& options,
                                                              std::vector<SourceDiagnostic>& diagnostics) {
  auto files = makeFileSystem(options);
  auto compiler = std::make_shared<clang::CompilerInstance>();
  compiler->createDiagnostics(new Collector(diagnostics), /*ShouldOwnClient=*/true);

  std::vector<std::string> arguments = commandLine(options);
  std::vector<const char*> pointers = {NP_CLANG_DRIVER};
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());

  clang::CreateInvocationOptions creation;
  creation.Diags = &compiler->getDiagnostics();
  creation.VFS = files;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(pointers, creation);
  if (!invocation || compiler->getDiagnostics().hasErrorOccurred()) {
    const std::string why = diagnostics.empty() ? "no compiler job" : diagnostics.back().message;
    return makeError("clang-setup", "clang does not accept the command line: " + why);
  }
  // The driver drops line tables for optimised device code; defects and refusals need them to name source lines.
  invocation->getCodeGenOpts().setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  invocation->getDiagnosticOpts().ErrorLimit = options.side == Side::Device ? kErrorLimit : 0;
  if (options.side != Side::Device) compiler->getDiagnostics().setFatalsAsError(true);
  invocation->getDiagnosticOpts().ShowCarets = false;  // also silences "3 errors generated" on standard error
  invocation->getFrontendOpts().DisableFree = false;
  compiler->setInvocation(invocation);
  compiler->createFileManager(files);
  return compiler;
}

}  // namespace np::analyzer::worker
