// Loading device IR. The worker writes bitcode to a private folder; it is read, the folder is removed, and from then on
// the module lives in memory. Each DeviceModule has an LLVM context of its own, so that modules can be used from
// different threads and a clone can be changed freely.

#include "kernel_port/frontend/device_module.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analyzer/base/nearest.h"

namespace np::kernel_port {
namespace {

std::string withoutSpaces(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ') out += c;
  return out;
}

// A folder that only we use, removed with what is in it.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& parent) : path_(parent + "/neuron-port-XXXXXX") {
    if (!mkdtemp(path_.data())) path_.clear();
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

struct DeviceModule::State {
  std::string source;
  std::vector<analyzer::DeviceKernel> kernels;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

DeviceModule::DeviceModule(std::unique_ptr<State> state) : state_(std::move(state)) {}
DeviceModule::DeviceModule(DeviceModule&&) noexcept = default;
DeviceModule& DeviceModule::operator=(DeviceModule&&) noexcept = default;
DeviceModule::~DeviceModule() = default;

Result<DeviceModule> DeviceModule::compile(const CompileOptions& options) {
  const ScratchFolder scratch(options.scratch);
  if (scratch.path().empty()) return makeError("io", "cannot create a folder in \"" + options.scratch + "\"");
  analyzer::DeviceIrRequest request;
  request.source = options.source;
  request.kernels = options.kernels;
  request.includes = options.includes;
  request.defines = options.defines;
  request.std = options.std;
  request.output = scratch.path() + "/device.bc";
  NP_ASSIGN(analyzer::DeviceIr ir, analyzer::compileDeviceIr(request, options.worker));
  std::ifstream in(ir.bitcode, std::ios::binary);
  std::stringstream bitcode;
  if (!in || !(bitcode << in.rdbuf())) return makeError("io", "cannot read \"" + ir.bitcode + "\"", options.source);
  return fromIr(bitcode.str(), std::move(ir.kernels), options.source);
}

Result<DeviceModule> DeviceModule::fromIr(const std::string& ir, std::vector<analyzer::DeviceKernel> kernels,
                                          const std::string& source) {
  auto state = std::make_unique<State>();
  state->source = source;
  state->kernels = std::move(kernels);
  llvm::SMDiagnostic diagnostic;
  const llvm::MemoryBufferRef buffer(llvm::StringRef(ir), "device");
  state->module = llvm::parseIR(buffer, diagnostic, state->context);
  if (!state->module)
    return makeError("bad-bitcode", "cannot read device IR: " + diagnostic.getMessage().str(), source);
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*state->module, &stream))
    return makeError("bad-bitcode", "device IR is not valid: " + broken, source);
  return DeviceModule(std::move(state));
}

Result<DeviceModule> DeviceModule::clone() const {
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*state_->module, stream);
  return fromIr(bitcode, state_->kernels, state_->source);
}

const std::string& DeviceModule::source() const { return state_->source; }
const std::vector<analyzer::DeviceKernel>& DeviceModule::kernels() const { return state_->kernels; }
llvm::Module& DeviceModule::module() const { return *state_->module; }

const analyzer::DeviceKernel* DeviceModule::find(std::string_view name) const {
  const std::string wanted = withoutSpaces(name);
  for (const analyzer::DeviceKernel& kernel : state_->kernels)
    if (withoutSpaces(kernel.name) == wanted || withoutSpaces(kernel.qualified_name) == wanted) return &kernel;
  return nullptr;
}

Result<const analyzer::DeviceKernel*> DeviceModule::get(std::string_view name) const {
  if (const analyzer::DeviceKernel* kernel = find(name)) return kernel;
  std::vector<std::string> names;
  for (const analyzer::DeviceKernel& kernel : state_->kernels) names.push_back(kernel.name);
  std::string message = "kernel \"" + std::string(name) + "\" does not exist";
  if (auto close = np::nearest(name, names)) message += "; did you mean \"" + *close + "\"?";
  Error error = makeError("no-kernel", std::move(message), state_->source);
  for (const std::string& existing : names) error.notes.push_back("there is \"" + existing + "\"");
  return error;
}

llvm::Function* DeviceModule::function(const analyzer::DeviceKernel& kernel) const {
  llvm::Function* function = state_->module->getFunction(kernel.symbol);
  return function && !function->isDeclaration() ? function : nullptr;
}

}  // namespace np::kernel_port
