// Helpers shared by the writers: where a finding is, which findings matter most, what can be done about each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/report/report.h"

namespace np::cli {

// "path:line:column".
std::string place(const Finding& finding);
// Best fix on offer; Display when there is none.
FixSafety bestFix(const Finding& finding);
// The most important findings first: severity, then effort, then place; at most `count`, one a rule and file.
std::vector<const Finding*> mostImportant(const Report& report, std::size_t count);
// "1 file", "3 files".
std::string counted(std::size_t n, const std::string& noun);

// The text with control characters, which could command a terminal, shown as U+FFFD; tabs and line ends stay.
std::string printable(std::string_view text);

}  // namespace np::cli
