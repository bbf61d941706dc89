// A number token keeps its type suffix ("0.5f16"), so that the parser decides its type. Columns count bytes: Spec text
// is ASCII, anything else is an error.
#include "kernel_port/spec/lexer.h"

namespace np::kernel_port::spec {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

size_t numberEnd(std::string_view text, size_t i) {
  while (i < text.size() && isDigit(text[i])) ++i;
  if (i < text.size() && text[i] == '.') {
    ++i;
    while (i < text.size() && isDigit(text[i])) ++i;
  }
  if (i + 1 < text.size() && text[i] == 'e' && (isDigit(text[i + 1]) || text[i + 1] == '-' || text[i + 1] == '+')) {
    i += 2;
    while (i < text.size() && isDigit(text[i])) ++i;
  }
  while (i < text.size() && isWord(text[i])) ++i;
  return i;
}

}  // namespace

Result<std::vector<Token>> lexSpec(std::string_view text, std::string_view file) {
  static constexpr std::string_view kPairs[] = {"//", "<=", ">=", "==", "!="};
  static constexpr std::string_view kSingles = "()[],:=+-*/%<>";
  std::vector<Token> out;
  int line = 1;
  size_t line_start = 0, i = 0;
  const auto push = [&](Token::Kind kind, size_t length) {
    out.push_back({kind, std::string(text.substr(i, length)), line, static_cast<int>(i - line_start) + 1});
    i += length;
  };
  while (i < text.size()) {
    const char c = text[i];
    if (c == '\n') {
      push(Token::Kind::NewLine, 1);
      ++line, line_start = i;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++i;
    } else if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (isDigit(c)) {
      push(Token::Kind::Number, numberEnd(text, i) - i);
    } else if (isWord(c)) {
      size_t end = i;
      while (end < text.size() && isWord(text[end])) ++end;
      push(Token::Kind::Name, end - i);
    } else {
      size_t length = kSingles.find(c) != std::string_view::npos ? 1 : 0;
      for (std::string_view pair : kPairs) {
        if (text.substr(i, 2) == pair) length = 2;
      }
      if (length == 0) {
        return makeError("spec-syntax",
                         "character \"" + std::string(1, c) + "\" is not part of the Spec language, remove it",
                         std::string(file) + ":" + std::to_string(line) + ":" + std::to_string(i - line_start + 1));
      }
      push(Token::Kind::Symbol, length);
    }
  }
  out.push_back({Token::Kind::NewLine, "\n", line, static_cast<int>(i - line_start) + 1});
  out.push_back({Token::Kind::End, "", line, static_cast<int>(i - line_start) + 1});
  return out;
}

}  // namespace np::kernel_port::spec
