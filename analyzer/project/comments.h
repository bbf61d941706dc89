// Where the comments of a file are, for languages that this project has no full parser of.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/base/source_text.h"

namespace np::analyzer {

// `//` and `/* */` of C, C++ and CUDA, without those in strings and raw strings; ordered.
std::vector<Range> cppComments(std::string_view bytes);

// From `#` to the end of the line in shell, YAML, TOML and requirement files: where `#` begins a line or follows a
// blank, outside of quotes that open in the same line; ordered.
std::vector<Range> hashComments(std::string_view bytes);

}  // namespace np::analyzer
