// One translation unit set up the way every verb needs it: our headers, no CUDA toolkit, diagnostics collected as data.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/cuda/device_ir.h"

namespace clang {
class CompilerInstance;
}

namespace np::analyzer::worker {

enum class Side {
  Host,      // CUDA, the host pass: kernels, launches and host code are all in the AST
  Device,    // CUDA, the device pass: code for the GPU
  PlainCpp,  // C++ without device code: as nvcc hands it to the host compiler, without __CUDACC__
};

struct SessionOptions {
  Side side = Side::Host;
  std::string main_path;                     // the file Clang starts from
  std::string main_text;                     // its content when it exists in memory only; empty: read from disk
  std::map<std::string, std::string> texts;  // what other files hold instead of what is on disk, by full path
  std::vector<std::string> includes;
  std::vector<std::string> late_includes;  // searched after ours and the system's
  std::vector<std::string> defines;
  std::string std = "c++17";
};

// A compiler ready to execute one action; its diagnostics go to `diagnostics`, which must outlive it. Error
// "clang-setup".
Result<std::shared_ptr<clang::CompilerInstance>> makeCompiler(const SessionOptions& options,
                                                              std::vector<SourceDiagnostic>& diagnostics);

// The command line after the driver's name, for tests and error reports.
std::vector<std::string> commandLine(const SessionOptions& options);

}  // namespace np::analyzer::worker
