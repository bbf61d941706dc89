// Joins merged facts: which launch starts which kernel, and which binding reaches which launch.
#pragma once

#include "analyzer/build/extensions.h"
#include "analyzer/index/cuda_analysis.h"
#include "analyzer/index/merged_facts.h"

namespace np::analyzer {

// Fills kernels, loose_launches and bindings of `analysis` from the facts.
void joinFacts(const MergedFacts& facts, CudaAnalysis& analysis);

}  // namespace np::analyzer
