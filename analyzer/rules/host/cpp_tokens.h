// Tokens of a C++ file as it is written: nothing is preprocessed, so a macro's body, both branches of an #if and a file
// whose headers are missing are all seen, each once and at its own place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/source_text.h"

namespace np::analyzer::host {

enum class TokenKind { Word, Number, String, Punct };

struct Token {
  TokenKind kind = TokenKind::Punct;
  Range range;
  std::string_view text;  // into the SourceText

  bool is(std::string_view wanted) const { return text == wanted; }
};

// One logical line that starts with '#'.
struct Directive {
  std::string name;         // "include", "ifdef", "define"
  Range range;              // from '#' to the end of the line, the terminator left out
  std::size_t token = 0;    // how many tokens of the file come before it
  std::vector<Token> body;  // what follows the name; of a #define the macro's name is the first

  // The header of an #include, empty when it is computed.
  std::string header() const;
  // The text after the name.
  std::string_view argument(std::string_view bytes) const;
};

struct CppTokens {
  std::vector<Token> tokens;
  std::vector<Directive> directives;
};

// Never fails: what is not C++ becomes single characters.
CppTokens tokenize(const SourceText& text);

// The index of the bracket that closes the one at `open` ("(", "[", "{"); tokens.size() when there is none.
std::size_t closing(const std::vector<Token>& tokens, std::size_t open);

}  // namespace np::analyzer::host
