// Runs a ported project's own tests on the bundled neuron device.
#pragma once

#include <string>

#include "analyzer/base/report/report.h"

namespace np::cli {

// Runs `command` (words separated by spaces; "python" is the interpreter with torch) in `folder`; empty: python -m
// pytest. Counts are read from pytest's closing line. Errors: "spawn", "validate" when no test result was printed (the
// output's end is in the notes).
Result<Validation> validatePort(const std::string& folder, const std::string& command);

// Counts of a pytest closing line, "3 failed, 31 passed, 2 skipped in 4.5s"; false when the text has none.
bool readPytestCounts(const std::string& output, Validation& into);

}  // namespace np::cli
