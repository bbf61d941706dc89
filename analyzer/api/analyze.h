// analyze: one project in, one Report out.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "analyzer/build/extensions.h"
#include "analyzer/config/config.h"
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
  // When set, configuration files below the root are honoured too: the nearest one at or above a file decides alone
  // which rules are on there and what is excluded. `selection` is what the root's says with the command line;
  // `command_line` is the latter alone.
  std::optional<Config> root_config;
  SelectionRequest command_line;
  bool neuron_target = false;  // rewrite to "neuron" instead of torch.accelerator
  std::string min_torch;       // promised oldest torch; empty: read from the project's requirements
  int jobs = 0;                // 0: one a processor
  bool with_cuda = true;       // start the Clang worker for C++ sources
  bool strict = false;         // gaps in coverage become findings
  // Texts that stand in for files on disk (path relative to the root): standard input, rounds of fixing.
  std::map<std::string, std::string> overlay;
  // Where results of unchanged files are kept from run to run, and what they depend on beside the project: the build of
  // the tool, the paths asked for. Empty: nowhere. The folder must not lie inside the project.
  std::string cache_folder, cache_key;
  // The C++ side of an earlier analysis of the same files, used instead of asking Clang again. Only right while no C++
  // or build file is overlaid.
  std::shared_ptr<const CudaAnalysis> known_cuda;
};

struct Analysis {
  std::string root;
  Report report;
  // Of every analysed file; of a file whose kept result says that there is nothing to show, none.
  std::map<std::string, SourceText> texts;
  std::vector<HostFunction> host_functions;
  std::vector<Binding> bindings;             // how Python reaches C++, all of them
  std::vector<Extension> extensions;         // what the build files compile
  std::shared_ptr<const CudaAnalysis> cuda;  // null when there are no C++ sources
};

// Errors: a path that does not exist, a folder without sources, an unknown rule. Faults of single files are coverage.
Result<Analysis> analyze(const AnalyzeRequest& request, const RuleRegistry& rules);

}  // namespace np::analyzer
