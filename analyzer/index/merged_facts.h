// Facts of many translation units as one set: a header seen by ten units is described once.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cuda/facts.h"
#include "analyzer/cuda/syntax_facts.h"

namespace np::analyzer {

struct MergedFacts {
  std::vector<KernelFacts> kernels;
  std::vector<LaunchFacts> launches;
  std::vector<BindingFacts> bindings;
  std::vector<ApiUse> uses;
  std::vector<DeviceTrait> traits;
  std::vector<FunctionFacts> functions;
  std::vector<IncludeFacts> includes;
  std::vector<HostFunction> host_functions;
};

// Each place once, ordered by path and offset. Units later in the list add only what earlier ones did not say.
MergedFacts mergeUnits(std::vector<UnitFacts> units);

// Adds what tree-sitter saw in one file and Clang did not; returns how many kernels and launches were added.
std::size_t addSyntax(const std::string& path, const SyntaxFacts& syntax, MergedFacts& facts);

}  // namespace np::analyzer
