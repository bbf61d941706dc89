// The lines around a finding with a marker under it.
#pragma once

#include <string>

#include "analyzer/base/finding.h"
#include "cli/term/terminal.h"

namespace np::cli {

// "  12 | code\n     | ^^^^" for the first line of the range, tabs kept, long lines cut around the marker.
std::string sourceFrame(const SourceText& text, Range range, const Terminal& terminal);

}  // namespace np::cli
