// The graph of a project's compiled side as text: Python-visible ops, host functions, launches, kernels.
#pragma once

#include <string>

#include "analyzer/index/cuda_analysis.h"

namespace np::cli {

// For people: each op with the kernels that it reaches and where they are launched, or with the reason why none.
std::string graphText(const analyzer::CudaAnalysis& cuda);

// All facts, "version": 1; compile commands included, so that other tools can parse the files as we do.
std::string graphJson(const analyzer::CudaAnalysis& cuda);

// Three columns (op, host function, kernel) with a line for every way from one to the other.
std::string graphSvg(const analyzer::CudaAnalysis& cuda);

}  // namespace np::cli
