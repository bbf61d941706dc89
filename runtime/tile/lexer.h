// Tokens of Tile IR text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np::tile {

struct Token {
  enum class Kind { kWord, kBuffer, kKernel, kInteger, kReal, kSymbol, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;  // of kBuffer and kKernel without the sigil
  int line = 1;

  bool is(std::string_view symbol_or_word) const {
    return (kind == Kind::kSymbol || kind == Kind::kWord) && text == symbol_or_word;
  }
};

// The last token is kEnd. Errors (code "tile-parse") name the line and the character.
Result<std::vector<Token>> lex(std::string_view text);

}  // namespace np::tile
