// Puts missing import lines into a Python file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace np::rewriter {

// The text with each of `lines` ("import torch") standing once at module level: before the first import, else after the
// docstring and `from __future__` imports, else after leading comments. Line ends follow the file's own. A line that is
// there already is not added; text that does not parse is returned unchanged.
std::string insertImports(std::string_view text, const std::vector<std::string>& lines);

}  // namespace np::rewriter
