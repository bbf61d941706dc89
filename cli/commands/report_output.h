// Writes a report in every format the user asked for.
#pragma once

#include "analyzer/api/analyze.h"
#include "cli/invocation.h"

namespace np::cli {

// To standard output or to the files named; error "io" names a file that cannot be written.
Result<void> writeReport(const analyzer::Analysis& analysis, const Invocation& invocation,
                         const analyzer::RuleRegistry& rules);

// Writes a file whole or not at all; error "io".
Result<void> writeWhole(const std::string& path, const std::string& text);

// 1 when a finding is at or above the level the user fails on, else 0.
int exitCodeFor(const Report& report, const Invocation& invocation);

// Severity named by --fail-on; Warning when not given.
Severity failLevel(const std::string& name);

}  // namespace np::cli
