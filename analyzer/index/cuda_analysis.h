// The CUDA side of a project: which kernels there are, where they are launched and which Python-visible op reaches
// them, joined over all files.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "analyzer/build/extensions.h"
#include "analyzer/cuda/facts.h"
#include "analyzer/cuda/worker_client.h"

namespace np::analyzer {

struct CudaOptions {
  WorkerOptions worker;
  std::vector<BuildFile> build_files;  // include folders, macros and extension names come from them
  std::vector<std::string> includes;   // further include folders, relative to the root
  std::vector<std::string> defines;
  std::map<std::string, std::string> texts;  // what files hold instead of what is on disk: fixes that are only planned
  std::string std = "c++17";
  unsigned jobs = 2;  // Clang processes at a time
};

enum class FileStatus { Analysed, Partial, Skipped };

struct CudaFile {
  std::string path;
  FileStatus status = FileStatus::Analysed;
  std::string reason;    // why it is not Analysed
  FactsRequest command;  // what Clang was asked; no files when it was not
  std::string seen_by;   // a header: the source that it was analysed with
};

struct CudaAnalysis {
  std::vector<CudaFile> files;               // one for each file asked for, in that order
  std::vector<Kernel> kernels;               // with launches and bindings; ordered by path and place
  std::vector<HostFunction> host_functions;  // functions that launch kernels
  std::vector<Launch> loose_launches;        // launches whose kernel is not in the project, or not known
  std::vector<BindingFacts> bindings;        // all of them, definitions and implementations of one op joined
  std::vector<Extension> extensions;
  // Facts for rules, each place once.
  std::vector<KernelFacts> kernel_facts;
  std::vector<LaunchFacts> launch_facts;
  std::vector<ApiUse> uses;
  std::vector<DeviceTrait> traits;
  std::vector<FunctionFacts> functions;
  std::vector<IncludeFacts> includes;
};

// Analyses the given files (relative to `root`): .cu, .cuh, and C++ sources and headers. Files without any CUDA or
// torch name are read and not parsed. A crash or a time-out of Clang makes its file Partial; a file is Skipped only
// when it cannot be read. Error "not-found" when the root does not exist.
Result<CudaAnalysis> analyzeCuda(const std::string& root, const std::vector<std::string>& files,
                                 const CudaOptions& options = {});

// Python modules that are compiled from CUDA sources: names of the extensions, and of pybind modules.
std::set<std::string> cudaModules(const CudaAnalysis& analysis);

// The kernels that a Python-visible name ("fused_block::bias_gelu_forward", "_C.f", "f") reaches; empty when none.
std::vector<const Kernel*> kernelsReachedBy(const CudaAnalysis& analysis, const std::string& python_name);

}  // namespace np::analyzer
