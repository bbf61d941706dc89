// Small readings of token sequences that several rules need.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/rules/host/cpp_file.h"

namespace np::analyzer::host {

// The first token of the postfix expression that ends before `at` ("x.device()" before ".is_cuda").
std::size_t expressionStart(const std::vector<Token>& tokens, std::size_t at);

// The call that `at` is an argument of: the index of its "(", none when there is none.
std::optional<std::size_t> callAround(const std::vector<Token>& tokens, std::size_t at);

// "x.device()" for "x.get_device()", "x.device().index()", "(char)x.get_device()", "x.device()"; empty for anything
// else. The tokens are [first, last].
std::string deviceExpression(const std::vector<Token>& tokens, std::size_t first, std::size_t last);

}  // namespace np::analyzer::host
