// Small scanners of tokens. C++: a line comment goes on behind a backslash; R"x( … )x" holds anything; the ' of a digit
// separator opens nothing. A string that its line does not close ends there.

#include "analyzer/project/comments.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace np::analyzer {
namespace {

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class CppScanner {
 public:
  explicit CppScanner(std::string_view bytes) : s_(bytes) {}

  std::vector<Range> run() {
    while (at_ < s_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = s_[at_];
    if (s_.substr(at_, 2) == "//") return lineComment();
    if (s_.substr(at_, 2) == "/*") return add(find("*/", at_ + 2));
    if (c == '"') return endsInRawPrefix() ? rawString() : string('"');
    if (c == '\'') {
      const bool separates = at_ > 0 && isWordChar(s_[at_ - 1]) && at_ + 1 < s_.size() && isWordChar(s_[at_ + 1]);
      return separates && startsWithDigit() ? void(++at_) : string('\'');
    }
    ++at_;
  }

  // Behind the next `text`, or the end.
  std::size_t find(std::string_view text, std::size_t from) const {
    const std::size_t found = s_.find(text, from);
    return found == std::string_view::npos ? s_.size() : found + text.size();
  }

  void add(std::size_t end) {
    out_.push_back({static_cast<Offset>(at_), static_cast<Offset>(end)});
    at_ = end;
  }

  void lineComment() {
    std::size_t end = at_;
    for (;; ++end) {
      end = std::min(s_.find_first_of("\r\n", end), s_.size());
      if (end == s_.size() || s_[end - 1] != '\\') break;
      end += s_.substr(end, 2) == "\r\n" ? 1 : 0;
    }
    add(end);
  }

  std::size_t wordStart() const {
    std::size_t start = at_;
    while (start > 0 && (isWordChar(s_[start - 1]) || s_[start - 1] == '\'')) --start;
    return start;
  }
  bool startsWithDigit() const { return std::isdigit(static_cast<unsigned char>(s_[wordStart()])); }
  bool endsInRawPrefix() const {
    const std::string_view word = s_.substr(wordStart(), at_ - wordStart());
    return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
  }

  void rawString() {
    const std::size_t open = std::min(s_.find('(', at_), s_.size());
    const std::string_view mark = s_.substr(at_ + 1, open - at_ - 1);
    at_ = find(")" + std::string(mark) + "\"", open);
  }

  void string(char quote) {
    for (++at_; at_ < s_.size() && s_[at_] != quote && s_[at_] != '\n'; ++at_)
      if (s_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, s_.size());
  }

  std::string_view s_;
  std::size_t at_ = 0;
  std::vector<Range> out_;
};

}  // namespace

std::vector<Range> cppComments(std::string_view bytes) { return CppScanner(bytes).run(); }

std::vector<Range> hashComments(std::string_view bytes) {
  std::vector<Range> out;
  char quote = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '\n' || c == '\r') {
      quote = 0;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && (i == 0 || std::string_view(" \t\r\n").find(bytes[i - 1]) != std::string_view::npos)) {
      const std::size_t end = std::min(bytes.find_first_of("\r\n", i), bytes.size());
      out.push_back({static_cast<Offset>(i), static_cast<Offset>(end)});
      i = end - 1;
    }
  }
  return out;
}

}  // namespace np::analyzer
