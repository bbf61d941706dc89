// Whether a rewritten file parses as well as it did.
#pragma once

#include <string_view>

namespace np::rewriter {

// Python files: no parse error where there was none, and none that comes earlier otherwise. Other files: always true.
bool stillParses(std::string_view path, std::string_view before, std::string_view after);

}  // namespace np::rewriter
