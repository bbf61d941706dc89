// Fixing in rounds: the files are analysed again after each, because one fix may show the place of another.
#pragma once

#include "analyzer/api/analyze.h"
#include "rewriter/merge/plan.h"

namespace np::cli {

struct FixResult {
  std::vector<rewriter::FileChange> files;  // before the first round → after the last
  std::vector<rewriter::AppliedFix> applied;
  std::vector<rewriter::LeftOver> left;  // of the last round
  std::string min_torch;
  analyzer::Analysis after;  // analysis of the changed texts
};

// Works on texts only; nothing is written. At most `max_rounds`.
Result<FixResult> fixInRounds(const analyzer::AnalyzeRequest& request, analyzer::Analysis first,
                              const analyzer::RuleRegistry& rules, const rewriter::PlanOptions& options,
                              int max_rounds = 8);

}  // namespace np::cli
