// analyze: one project in, one Report out.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "analyzer/build/extensions.h"
#include "analyzer/config/selection.h"
#include "analyzer/index/cuda_analysis.h"
#include "analyzer/index/host_function.h"
#include "analyzer/project/walk.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer {

struct AnalyzeRequest {
  std::string root;
  WalkOptions walk;
  SelectionRequest selection;
  bool neuron_target = false;  // rewrite to "neuron" instead of torch.accelerator
  std::string min_torch;       // promised oldest torch; empty: read from the project's requirements
  int jobs = 0;                // 0: one a processor
  bool with_cuda = true;       // start the Clang worker for C++ sources
  bool strict = false;         // gaps in coverage become findings
  // Texts that stand in for files on disk (path relative to the root): standard input, rounds of fixing.
  std::map<std::string, std::string> overlay;
  // The C++ side of an earlier analysis of the same files, used instead of asking Clang again. Only right while no C++
  // or build file is overlaid.
  std::shared_ptr<const CudaAnalysis> known_cuda;
};

struct Analysis {
  std::string root;
  Report report;
  std::map<std::string, SourceText> texts;  // of every analysed file
  std::vector<HostFunction> host_functions;
  std::vector<Binding> bindings;             // how Python reaches C++, all of them
  std::vector<Extension> extensions;         // what the build files compile
  std::shared_ptr<const CudaAnalysis> cuda;  // null when there are no C++ sources
};

// Errors: a path that does not exist, a folder without sources, an unknown rule. Faults of single files are coverage.
Result<Analysis> analyze(const AnalyzeRequest& request, const RuleRegistry& rules);

}  // namespace np::analyzer
