// The rules over CUDA C++ and over build files: the entry points for analyzer/api.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/base/source_text.h"
#include "analyzer/index/cuda_analysis.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer {

// Pages of all rules of this room.
std::span<const std::string_view> cudaRulePages();

// Findings of the CUDA side of a project, ordered; positions are filled, suppressions are not applied. Error: our own
// table is at fault.
Result<std::vector<Finding>> checkCuda(const CudaAnalysis& analysis, const RuleRegistry& registry);

// Findings of one Python build file (setup.py, or a module that calls torch.utils.cpp_extension.load). Errors as of
// parsing Python.
Result<std::vector<Finding>> checkBuildFile(const SourceText& text, const RuleRegistry& registry);

}  // namespace np::analyzer
