// Whether a rewritten file parses as well as it did.
#pragma once

#include <string_view>

namespace np::rewriter {

// Python files: no parse error where there was none, and no more of them otherwise. Notebooks: strict JSON, the same
// number of code cells, and each of them as a Python file. JSON and TOML: whole when it was. Other files: always true.
bool stillParses(std::string_view path, std::string_view before, std::string_view after);

// Whether a file of one of these kinds has no syntax error at all; other files: true.
bool parsesWhole(std::string_view path, std::string_view text);

// Strict JSON, as RFC 8259 has it.
bool isJson(std::string_view text);

}  // namespace np::rewriter
