// A lexer of the part of C++ that matters for finding names and brackets. `<<<` and `>>>` are one token only where they
// open and close a launch; everywhere else `>` stays single, so that template lists nest.

#include "analyzer/rules/host/cpp_tokens.h"

namespace np::analyzer::host {
namespace {

bool isWordStart(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c); }

class Lexer {
 public:
  explicit Lexer(std::string_view bytes) : bytes_(bytes) {}

  CppTokens run(std::size_t from) {
    at_ = from;
    bool line_start = true;
    while (at_ < bytes_.size()) {
      const char c = bytes_[at_];
      if (c == '\n') line_start = true;
      if (skipBlank()) continue;
      if (c == '#' && line_start) {
        directive();
        continue;
      }
      line_start = false;
      next(out_.tokens);
    }
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < bytes_.size() ? bytes_[at_ + ahead] : '\0'; }

  bool continues() const { return peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')); }

  // White space, a line continuation or a comment.
  bool skipBlank() {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (continues()) {
      at_ += peek(1) == '\r' ? 3 : 2;
    } else if (c == '/' && peek(1) == '/') {
      while (at_ < bytes_.size() && peek() != '\n') at_ += continues() ? 2 : 1;
    } else if (c == '/' && peek(1) == '*') {
      const std::size_t end = bytes_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? bytes_.size() : end + 2;
    } else {
      return false;
    }
    return true;
  }

  void directive() {
    Directive out;
    const std::size_t start = at_++;
    out.token = out_.tokens.size();
    const std::size_t end = logicalEnd(start);
    while (at_ < end && (peek() == ' ' || peek() == '\t')) ++at_;
    const std::size_t name = at_;
    while (at_ < end && isWord(peek())) ++at_;
    out.name = std::string(bytes_.substr(name, at_ - name));
    while (at_ < end) {
      if (skipBlank()) continue;
      next(out.body);
    }
    at_ = std::max(at_, end);
    std::size_t last = end;
    if (last > start && bytes_[last - 1] == '\r') --last;
    out.range = {static_cast<Offset>(start), static_cast<Offset>(last)};
    out_.directives.push_back(std::move(out));
  }

  // Where the logical line that holds `at` ends: comments may run over lines.
  std::size_t logicalEnd(std::size_t at) const {
    for (; at < bytes_.size() && bytes_[at] != '\n'; ++at) {
      if (bytes_[at] == '\\' && at + 1 < bytes_.size() && bytes_[at + 1] == '\n') ++at;
      if (bytes_[at] == '\\' && at + 2 < bytes_.size() && bytes_[at + 1] == '\r' && bytes_[at + 2] == '\n') at += 2;
      if (bytes_.compare(at, 2, "//") == 0) continue;
      if (bytes_.compare(at, 2, "/*") == 0) {
        const std::size_t end = bytes_.find("*/", at + 2);
        at = end == std::string_view::npos ? bytes_.size() - 1 : end + 1;
      }
    }
    return at;
  }

  void next(std::vector<Token>& out) {
    const std::size_t start = at_;
    TokenKind kind = TokenKind::Punct;
    if (isRawString()) {
      rawString();
      kind = TokenKind::String;
    } else if (isWordStart(peek())) {
      while (isWord(peek())) ++at_;
      kind = TokenKind::Word;
    } else if (isDigit(peek()) || (peek() == '.' && isDigit(peek(1)))) {
      while (isWord(peek()) || peek() == '.' || peek() == '\'' ||
             ((peek() == '+' || peek() == '-') && isExponent(bytes_[at_ - 1], start)))
        ++at_;
      kind = TokenKind::Number;
    } else if (peek() == '"' || peek() == '\'') {
      quoted(peek());
      kind = TokenKind::String;
    } else {
      at_ += punctuation();
    }
    out.push_back({kind, {static_cast<Offset>(start), static_cast<Offset>(at_)}, bytes_.substr(start, at_ - start)});
  }

  bool isExponent(char before, std::size_t start) const {
    const bool hex = bytes_[start] == '0' && start + 1 < bytes_.size() && (bytes_[start + 1] | 0x20) == 'x';
    return hex ? (before | 0x20) == 'p' : (before | 0x20) == 'e';
  }

  bool isRawString() const {
    for (std::string_view prefix : {"R\"", "u8R\"", "LR\"", "uR\"", "UR\""})
      if (bytes_.compare(at_, prefix.size(), prefix) == 0) return true;
    return false;
  }

  void rawString() {
    const std::size_t quote = bytes_.find('"', at_), open = bytes_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = bytes_.size();
      return;
    }
    const std::string end = ")" + std::string(bytes_.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t found = bytes_.find(end, open);
    at_ = found == std::string_view::npos ? bytes_.size() : found + end.size();
  }

  void quoted(char quote) {
    ++at_;
    while (at_ < bytes_.size() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
    if (at_ < bytes_.size() && peek() == quote) ++at_;
    at_ = std::min(at_, bytes_.size());
  }

  std::size_t punctuation() {
    if (bytes_.compare(at_, 3, "<<<") == 0) in_launch_ = true;
    if (in_launch_ && bytes_.compare(at_, 3, ">>>") == 0) {
      in_launch_ = false;
      return 3;
    }
    for (std::string_view mark : {"<<<", "...", "->*"})
      if (bytes_.compare(at_, 3, mark) == 0) return 3;
    for (std::string_view mark : {"::", "->", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "<<", "##"})
      if (bytes_.compare(at_, 2, mark) == 0) return 2;
    return 1;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool in_launch_ = false;
  CppTokens out_;
};

}  // namespace

std::string Directive::header() const {
  if (name != "include" || body.empty()) return {};
  if (body[0].kind == TokenKind::String && body[0].text.size() >= 2)
    return std::string(body[0].text.substr(1, body[0].text.size() - 2));
  if (!body[0].is("<")) return {};
  std::string out;
  for (std::size_t i = 1; i < body.size() && !body[i].is(">"); ++i) out += body[i].text;
  return out;
}

std::string_view Directive::argument(std::string_view bytes) const {
  if (body.empty()) return {};
  return bytes.substr(body.front().range.start, body.back().range.end - body.front().range.start);
}

CppTokens tokenize(const SourceText& text) { return Lexer(text.bytes()).run(text.bomLength()); }

std::size_t closing(const std::vector<Token>& tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::Punct) continue;
    const char c = tokens[i].text[0];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i;
  }
  return tokens.size();
}

}  // namespace np::analyzer::host
