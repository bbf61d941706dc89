// What check, fix and port ask of the analysis, from command line and configuration.
#pragma once

#include "analyzer/api/analyze.h"
#include "cli/invocation.h"

namespace np::cli {

// Reads the configuration, lets the command line override it (also in `invocation`: fail_on, target) and finds the
// root. Errors: "not-found", configuration errors, a revision that git does not know.
Result<analyzer::AnalyzeRequest> projectRequest(Invocation& invocation);

}  // namespace np::cli
