// Puts missing import lines into a Python file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace np::rewriter {

// The text with each of `lines` ("import torch") standing once at module level: before the first import, else after the
// docstring and `from __future__` imports, else after leading comments. Line ends follow the neighbouring line. A line
// that is there already is not added. None when the text cannot be parsed at all.
std::optional<std::string> insertImports(std::string_view text, const std::vector<std::string>& lines);

}  // namespace np::rewriter
