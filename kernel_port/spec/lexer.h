// Tokens of Spec text, each with its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np::kernel_port::spec {

struct Token {
  enum class Kind { Name, Number, Symbol, NewLine, End };
  Kind kind = Kind::End;
  std::string text;
  int line = 0;
  int column = 0;
};

// Splits text; "#" starts a comment, line ends are tokens, the last token is End.
Result<std::vector<Token>> lexSpec(std::string_view text, std::string_view file);

}  // namespace np::kernel_port::spec
