// No expression grammar: brackets are matched and names are followed through `.`, `->` and `::`, which is what device
// checks and guards are made of.

#include "analyzer/rules/host/expressions.h"

namespace np::analyzer::host {
namespace {

bool joins(const Token& token) { return token.is(".") || token.is("->") || token.is("::"); }

// The index of the bracket that the one at `close` closes.
std::size_t opening(const std::vector<Token>& tokens, std::size_t close) {
  std::size_t depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (tokens[i].kind != TokenKind::Punct) continue;
    const char c = tokens[i].text[0];
    if (c == ')' || c == ']' || c == '}') ++depth;
    if ((c == '(' || c == '[' || c == '{') && --depth == 0) return i;
  }
  return close;
}

}  // namespace

std::size_t expressionStart(const std::vector<Token>& tokens, std::size_t at) {
  std::size_t start = at;
  while (start > 0) {
    const Token& before = tokens[start - 1];
    const bool goes_on = start == at || joins(tokens[start]) || tokens[start].is("(") || tokens[start].is("[");
    if (goes_on && (before.is(")") || before.is("]"))) {
      start = opening(tokens, start - 1);
    } else if (joins(before)) {
      --start;
    } else if (goes_on && before.kind == TokenKind::Word && !before.is("return") && !before.is("if") &&
               !before.is("while")) {
      --start;
    } else {
      break;
    }
  }
  return start;
}

std::optional<std::size_t> callAround(const std::vector<Token>& tokens, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i-- > 0;) {
    if (tokens[i].kind != TokenKind::Punct) continue;
    const char c = tokens[i].text[0];
    if (c == ')' || c == ']' || c == '}') ++depth;
    if (c == ';' || c == '{') return std::nullopt;
    if (c != '(' && c != '[') continue;
    if (depth > 0)
      --depth;
    else if (c == '(')
      return i;
  }
  return std::nullopt;
}

std::string deviceExpression(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
  if (last < first || last >= tokens.size()) return {};
  if (last >= first + 3 && tokens[first].is("(") && tokens[first + 2].is(")") &&
      (tokens[first + 1].is("char") || tokens[first + 1].is("int")))
    first += 3;  // a cast
  if (expressionStart(tokens, last + 1) != first) return {};
  const std::string text = spelled(tokens, first, last);
  for (std::string_view tail : {".get_device()", ".device().index()"})
    if (text.size() > tail.size() && text.ends_with(tail))
      return text.substr(0, text.size() - tail.size()) + ".device()";
  return text.ends_with(".device()") ? text : "";
}

}  // namespace np::analyzer::host
