// IPython decides by tokens, not by lines: `%` at the start of a line inside brackets is the operator, `!` inside a
// string is text, and a comment may end in a question mark. So brackets, strings and joined lines are followed, and
// only the start of a logical line can be a magic. Whatever begins one there (`%`, `!`, `?`), or ends a line in `?`,
// cannot be Python, so nothing of Python is lost.
//
// Automagic is known for pip and conda alone: `ls -l` is a subtraction, too.

#include "analyzer/python/notebook_magics.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>

namespace np::analyzer::python {
namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }
bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Cell magics whose body is code of this notebook.
bool hasPythonBody(std::string_view magic) {
  return isOneOf(magic, {"time", "timeit", "capture", "prun", "debug", "memit", "mprun", "lprun", "snakeviz", "scalene",
                         "px", "heat", "pyinstrument"});
}

// Line magics that run the statement behind them.
bool runsStatement(std::string_view magic) { return isOneOf(magic, {"time", "timeit", "prun", "memit"}); }

bool opensBlock(std::string_view word) {
  return isOneOf(word, {"for", "if", "while", "with", "def", "class", "try", "async", "match"});
}

class CellMask {
 public:
  explicit CellMask(std::string& code) : code_(code) {}

  CellLanguage run() {
    if (!cellMagics()) {
      blank(0, code_.size());
      return CellLanguage::Other;
    }
    while (at_ < code_.size()) logicalLine();
    if (!unended_) return CellLanguage::Python;
    blank(0, code_.size());
    return CellLanguage::Unended;
  }

 private:
  std::size_t lineEnd(std::size_t from) const { return std::min(code_.find('\n', from), code_.size()); }

  std::string_view wordAt(std::size_t at) const {
    std::size_t end = at;
    while (end < code_.size() && isWordChar(code_[end])) ++end;
    return std::string_view(code_).substr(at, end - at);
  }

  std::size_t afterBlanks(std::size_t at) const {
    while (at < code_.size() && isBlank(code_[at])) ++at;
    return at;
  }

  void blank(std::size_t start, std::size_t end) {
    for (std::size_t i = start; i < end; ++i)
      if (code_[i] != '\n') code_[i] = ' ';
  }

  // The end of a magic's line: a backslash joins the next one to it.
  std::size_t magicEnd(std::size_t from) const {
    for (std::size_t end = lineEnd(from);; end = lineEnd(end + 1)) {
      std::size_t last = end;
      while (last > from && isBlank(code_[last - 1])) --last;
      if (end == code_.size() || last == from || code_[last - 1] != '\\') return end;
    }
  }

  // Steps over `%%` lines at the top; false when the body is of another language.
  bool cellMagics() {
    for (;;) {
      std::size_t first = at_;
      while (first < code_.size() && (isBlank(code_[first]) || code_[first] == '\n')) ++first;
      if (std::string_view(code_).substr(first, 2) != "%%") return true;
      if (!hasPythonBody(wordAt(first + 2))) return false;
      const std::size_t end = lineEnd(first);
      blank(first, end);
      at_ = std::min(end + 1, code_.size());
    }
  }

  // `%time x = f()`: the statement stays where it is, behind a head of the same length. False when there is none.
  bool statementMagic(std::size_t first, std::size_t end) {
    const std::string_view magic = wordAt(first + 1);
    if (code_[first] != '%' || !runsStatement(magic)) return false;
    std::size_t at = afterBlanks(first + 1 + magic.size());
    while (at < end && code_[at] == '-') {  // -n 10, -r3, -o
      const std::size_t name = at;
      while (at < end && !isBlank(code_[at])) ++at;
      const bool takes_value = at - name == 2;
      at = afterBlanks(at);
      if (!takes_value || at >= end || !std::isdigit(static_cast<unsigned char>(code_[at]))) continue;
      std::size_t value = at;
      while (value < end && std::isdigit(static_cast<unsigned char>(code_[value]))) ++value;
      if (value >= end || isBlank(code_[value])) at = afterBlanks(value);
    }
    constexpr std::string_view kHead = "if 1:";
    if (at >= end || at < first + kHead.size() + 1 || code_[at] == '@' || opensBlock(wordAt(at))) return false;
    blank(first, at);
    code_.replace(first, kHead.size(), kHead);
    at_ = at;
    return true;
  }

  bool isAutomagic(std::size_t first) const {
    const std::string_view word = wordAt(first);
    if (!isOneOf(word, {"pip", "conda"})) return false;
    const std::size_t next = afterBlanks(first + word.size());
    return next > first + word.size() && !wordAt(next).empty() &&
           !isOneOf(wordAt(next), {"in", "is", "and", "or", "if", "not", "else"});
  }

  // A magic takes its whole line; true when it did.
  bool magic(std::size_t first) {
    const bool by_sign = code_[first] == '%' || code_[first] == '!' || code_[first] == '?';
    if (!by_sign && !isAutomagic(first)) return false;
    const std::size_t end = magicEnd(first);
    if (statementMagic(first, end)) return false;  // go on with the statement
    dropLine(first, end);
    return true;
  }

  void dropLine(std::size_t first, std::size_t end) {
    const bool indented = first > 0 && code_[first - 1] != '\n';
    blank(first, end);
    if (indented) code_[first] = '_';  // it may be all there is of a block
    at_ = std::min(end + 1, code_.size());
  }

  void logicalLine() {
    const std::size_t first = afterBlanks(at_);
    if (first >= code_.size() || code_[first] == '\n') {
      at_ = std::min(first + 1, code_.size());
      return;
    }
    if (magic(first)) return;
    at_ = std::max(at_, first);
    std::size_t last = first, depth = 0;  // last: of the line's tokens
    while (at_ < code_.size()) {
      const char c = code_[at_];
      if (c == '\n') {
        if (depth == 0) break;
      } else if (c == '#') {
        at_ = lineEnd(at_);
        continue;
      } else if (c == '"' || c == '\'') {
        string(c);
        last = at_ - 1;
        continue;
      } else if (c == '\\') {
        at_ += std::string_view(code_).substr(at_ + 1, 2) == "\r\n" ? 2 : 1;  // joins the next line
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (c == ')' || c == ']' || c == '}') {
        depth -= depth > 0;
      } else if (c == '=' && depth == 0 && assignedMagic()) {
        return;
      }
      if (!isBlank(c)) last = at_;
      ++at_;
    }
    at_ = std::min(at_, code_.size());
    if (depth > 0) unended_ = true;
    if (last < code_.size() && code_[last] == '?' && depth == 0) return dropLine(first, at_);
    at_ = std::min(at_ + 1, code_.size());
  }

  // `files = !ls` at the `=`: true when the rest of the line was one.
  bool assignedMagic() {
    const std::size_t value = afterBlanks(at_ + 1);
    const bool alone = at_ > 0 && std::string_view("=!<>:+-*/%&|^@~").find(code_[at_ - 1]) == std::string_view::npos;
    if (!alone || value >= code_.size() || (code_[value] != '!' && code_[value] != '%')) return false;
    const std::size_t end = magicEnd(value);
    blank(value, end);
    code_[value] = '_';  // a name that nothing is known of
    at_ = std::min(end + 1, code_.size());
    return true;
  }

  // From the opening quote to behind the closing one; one of a single line ends with it.
  void string(char quote) {
    const bool triple = code_.compare(at_, 3, std::string(3, quote)) == 0;
    at_ += triple ? 3 : 1;
    while (at_ < code_.size()) {
      if (code_[at_] == '\\') {
        at_ += 2;
      } else if (triple ? code_.compare(at_, 3, std::string(3, quote)) == 0 : code_[at_] == quote) {
        at_ += triple ? 3 : 1;
        return;
      } else if (!triple && code_[at_] == '\n') {
        return;
      } else {
        ++at_;
      }
    }
    at_ = code_.size();
    unended_ |= triple;
  }

  std::string& code_;
  std::size_t at_ = 0;
  bool unended_ = false;
};

}  // namespace

CellLanguage maskMagics(std::string& code) { return CellMask(code).run(); }

}  // namespace np::analyzer::python
