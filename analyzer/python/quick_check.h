// A fast look at a Python file that nobody needs parsed: could it have a syntax error?
#pragma once

#include <optional>
#include <string_view>

#include "analyzer/base/source_text.h"

namespace np::analyzer::python {

// False when tokens, brackets, indentation or neighbouring tokens are not those of valid Python 3, or when that cannot
// be told without a parser (nested quotes in f-strings). True is no proof: only a parser sees the rest.
bool looksWellFormed(std::string_view bytes);

// Where a line is indented as no Python reads it, when everything before it is beyond doubt. The grammar forgives that.
std::optional<Offset> indentationFault(std::string_view bytes);

}  // namespace np::analyzer::python
