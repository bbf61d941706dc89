// Whether a rewritten file parses as well as it did.
#pragma once

#include <string_view>

namespace np::rewriter {

// Python files: no parse error where there was none, and no more of them otherwise. Notebooks: strict JSON, the same
// number of code cells, and each of them as a Python file. Other files: always true.
bool stillParses(std::string_view path, std::string_view before, std::string_view after);

// Whether a Python file or notebook has no parse error at all; other files: true.
bool parsesWhole(std::string_view path, std::string_view text);

// Strict JSON, as RFC 8259 has it.
bool isJson(std::string_view text);

}  // namespace np::rewriter
