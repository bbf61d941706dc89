// What guarded code needs before its guard may be opened on Neuron.
#pragma once

#include <vector>

#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

// From nothing to the impossible.
enum class BranchNeed {
  Nothing,    // only calls without effect on neuron (seeds, cuDNN flags)
  Neutral,    // runs on any device
  WithFixes,  // runs on any device once the fixes of its findings are applied
  CudaOnly,   // holds code that needs CUDA
};

struct BranchReport {
  BranchNeed need = BranchNeed::Nothing;
  python::NodeId cuda_only = python::kNoNode;  // the first such place
  std::vector<const Fix*> fixes;               // of the findings inside, to be applied together with the guard's own
};

// Judges statements or expressions by the findings already made in them and by what they import and call. `condition`
// is the expression that opens them: what else it asks counts too (`x.is_cuda and has_fused_cuda_kernel()`). A branch
// too large to be judged within the file's budget counts as CudaOnly.
BranchReport branchNeed(const RuleInput& input, FileFindings& found, const std::vector<python::NodeId>& branch,
                        python::NodeId condition = python::kNoNode);

}  // namespace np::analyzer
