// fix: writes the fixes that were asked for, says what stays and why, and takes fixes back.
#pragma once

#include "analyzer/api/analyze.h"
#include "cli/invocation.h"

namespace np::cli {

// The exit code. Errors: "dirty", "no-project", and those of applyTexts; nothing was written then.
Result<int> fixProject(const analyzer::AnalyzeRequest& request, analyzer::Analysis analysis,
                       const Invocation& invocation, const analyzer::RuleRegistry& rules);

// fix --undo. The exit code.
int undoFix(const Invocation& invocation);

}  // namespace np::cli
