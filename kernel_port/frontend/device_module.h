// A CUDA source as device IR: LLVM bitcode of the asked-for kernels (nvptx64, not optimised, line tables) plus what
// their C++ types say. LLVM types are only named here; a file that looks inside includes LLVM itself.
//
//   NP_ASSIGN(DeviceModule module, DeviceModule::compile({.source = "softmax.cu", .kernels = {"softmax"}}));
//   const analyzer::DeviceKernel* kernel = module.find("softmax");
//   llvm::Function* function = module.function(*kernel);
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "analyzer/cuda/worker_client.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace np::kernel_port {

struct CompileOptions {
  std::string source;
  std::vector<std::string> kernels;  // as written in C++; empty: all
  std::vector<std::string> includes, defines;
  std::string std = "c++17";
  std::string scratch = "/tmp";  // folder for the bitcode while it passes from the worker to us
  analyzer::WorkerOptions worker;
};

class DeviceModule {
 public:
  // Runs the Clang worker and loads its bitcode. Errors: those of analyzer::compileDeviceIr, "io", "bad-bitcode".
  static Result<DeviceModule> compile(const CompileOptions& options);

  // Loads bitcode or textual IR; `kernels` describe its `__global__` functions.
  static Result<DeviceModule> fromIr(const std::string& ir, std::vector<analyzer::DeviceKernel> kernels,
                                     const std::string& source);

  DeviceModule(DeviceModule&&) noexcept;
  DeviceModule& operator=(DeviceModule&&) noexcept;
  ~DeviceModule();

  // A copy with its own LLVM context, for a pass that changes the IR (lifting).
  Result<DeviceModule> clone() const;

  const std::string& source() const;
  const std::vector<analyzer::DeviceKernel>& kernels() const;

  // The kernel of that name; spaces do not count ("scale<float,128>"). Null when there is none.
  const analyzer::DeviceKernel* find(std::string_view name) const;

  // The same, or an error (code "no-kernel") that lists the kernels there are.
  Result<const analyzer::DeviceKernel*> get(std::string_view name) const;

  llvm::Module& module() const;
  llvm::Function* function(const analyzer::DeviceKernel& kernel) const;  // null when the module lacks its body

 private:
  struct State;
  explicit DeviceModule(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace np::kernel_port
