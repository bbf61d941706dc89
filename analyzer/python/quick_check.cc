// Tokens, brackets, indentation, and which token may follow which. A parser costs 0.2 s a megabyte; this costs 5 ms, so
// it can be asked about every file in which no rule has anything to look for. What it doubts is parsed.
//
// It catches what breaks in practice: truncated files, merge conflict marks, Python 2, binary data, lost quotes,
// brackets and colons. It does not know the grammar: `x = yield from = 3` passes.

#include "analyzer/python/quick_check.h"

#include <array>
#include <cstdint>
#include <vector>

namespace np::analyzer::python {
namespace {

enum Class : std::uint8_t { kBad, kSpace, kLine, kWord, kDigit, kQuote, kOpen, kClose, kOperator, kHash, kBackslash };

constexpr std::array<Class, 256> makeClasses() {
  std::array<Class, 256> out{};
  for (int c = 0; c < 256; ++c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 128)
      out[c] = kWord;
    else if (c >= '0' && c <= '9')
      out[c] = kDigit;
    else if (c == ' ' || c == '\t' || c == '\f')
      out[c] = kSpace;
    else if (c == '\n' || c == '\r')
      out[c] = kLine;
    else if (c == '\'' || c == '"')
      out[c] = kQuote;
    else if (c == '(' || c == '[' || c == '{')
      out[c] = kOpen;
    else if (c == ')' || c == ']' || c == '}')
      out[c] = kClose;
    else if (c == '#')
      out[c] = kHash;
    else if (c == '\\')
      out[c] = kBackslash;
    else
      for (char op : std::string_view("+-*/%@&|^~<>=!.,:;"))
        if (c == op) out[c] = kOperator;
  }
  return out;
}
constexpr std::array<Class, 256> kClasses = makeClasses();

// What the last token leaves behind.
enum class After : std::uint8_t { Start, Operand, String, Operator, Prefix, Dot, Comma, Open, Keyword, Colon, Marker };

// Keywords by what may stand around them; a soft keyword is a name that may be followed by an operand at the start of a
// line.
enum class Word : std::uint8_t { Name, Constant, Keyword, Compound, Soft };

Word wordOf(std::string_view w) {
  const auto is = [&](std::string_view k) { return w == k; };
  switch (w[0]) {
    case 'a':
      if (is("and") || is("as") || is("assert") || is("await")) return Word::Keyword;
      return is("async") ? Word::Compound : Word::Name;
    case 'b':
      return is("break") ? Word::Constant : Word::Name;
    case 'c':
      if (is("class")) return Word::Compound;
      return is("continue") ? Word::Constant : is("case") ? Word::Soft : Word::Name;
    case 'd':
      return is("def") ? Word::Compound : is("del") ? Word::Keyword : Word::Name;
    case 'e':
      return is("elif") || is("else") || is("except") ? Word::Compound : Word::Name;
    case 'f':
      if (is("for") || is("finally")) return Word::Compound;
      return is("from") ? Word::Keyword : Word::Name;
    case 'g':
      return is("global") ? Word::Keyword : Word::Name;
    case 'i':
      if (is("if")) return Word::Compound;
      return is("in") || is("is") || is("import") ? Word::Keyword : Word::Name;
    case 'l':
      return is("lambda") ? Word::Keyword : Word::Name;
    case 'm':
      return is("match") ? Word::Soft : Word::Name;
    case 'n':
      return is("not") || is("nonlocal") ? Word::Keyword : Word::Name;
    case 'o':
      return is("or") ? Word::Keyword : Word::Name;
    case 'p':
      return is("pass") ? Word::Constant : Word::Name;
    case 'r':
      return is("return") || is("raise") ? Word::Keyword : Word::Name;
    case 't':
      return is("try") ? Word::Compound : is("type") ? Word::Soft : Word::Name;
    case 'w':
      return is("while") || is("with") ? Word::Compound : Word::Name;
    case 'y':
      return is("yield") ? Word::Keyword : Word::Name;
    default:
      return Word::Name;
  }
}

class Checker {
 public:
  explicit Checker(std::string_view bytes) : s_(bytes) {
    if (s_.starts_with("\xEF\xBB\xBF")) i_ = 3;
  }

  bool run() {
    while (i_ < s_.size()) {
      if (at_line_start_ && open_.empty() && !indentation()) {
        bad_indentation_ = i_;
        return false;
      }
      if (i_ >= s_.size()) break;
      if (!token()) return false;
    }
    return open_.empty() && endLine() && !expects_block_;
  }

  std::optional<Offset> badIndentation() const {
    return bad_indentation_ == 0 ? std::nullopt : std::optional(static_cast<Offset>(bad_indentation_));
  }

 private:
  static Class classOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }
  char at(std::size_t k) const { return k < s_.size() ? s_[k] : '\0'; }

  // Blank and comment lines have no indentation.
  bool indentation() {
    std::uint32_t column = 0;
    std::size_t k = i_;
    for (;; ++k) {
      const char c = at(k);
      if (c == ' ')
        ++column;
      else if (c == '\t')
        column = (column / 8 + 1) * 8;
      else if (c == '\f')
        column = 0;
      else
        break;
    }
    i_ = k;
    if (i_ >= s_.size() || classOf(s_[i_]) == kLine || s_[i_] == '#') return true;
    at_line_start_ = false;
    const std::uint32_t current = indents_.back();
    if (expects_block_) {
      expects_block_ = false;
      if (column <= current) return false;
      indents_.push_back(column);
      return true;
    }
    if (column > current) return false;
    while (indents_.back() > column) indents_.pop_back();
    return indents_.back() == column;
  }

  bool token() {
    const char c = s_[i_];
    switch (classOf(c)) {
      case kSpace:
        ++i_;
        return true;
      case kLine:
        i_ += c == '\r' && at(i_ + 1) == '\n' ? 2 : 1;
        if (!open_.empty()) return true;
        at_line_start_ = true;
        return endLine();
      case kHash:
        while (i_ < s_.size() && classOf(s_[i_]) != kLine) ++i_;
        return true;
      case kBackslash:
        if (classOf(at(i_ + 1)) != kLine || i_ + 1 >= s_.size()) return false;
        i_ += at(i_ + 1) == '\r' && at(i_ + 2) == '\n' ? 3 : 2;
        return true;
      case kWord:
        return word();
      case kDigit:
        return number();
      case kQuote:
        return string();
      case kOpen:
        if (c == '{' && endsOperand()) return false;
        if (after_ == After::Dot) return false;
        // `def f((a, b))`
        if (is_def_ && open_.size() == 1 && c == '(' && (after_ == After::Open || after_ == After::Comma)) return false;
        open_.push_back(c);
        after_ = After::Open;
        ++i_;
        return true;
      case kClose: {
        if (open_.empty() || after_ == After::Operator || after_ == After::Dot) return false;
        const char expected = open_.back() == '(' ? ')' : open_.back() == '[' ? ']' : '}';
        if (c != expected) return false;
        open_.pop_back();
        after_ = After::Operand;
        ++i_;
        return true;
      }
      case kOperator:
        return op();
      default:
        return false;
    }
  }

  bool endsOperand() const { return after_ == After::Operand || after_ == After::String; }

  bool word() {
    const std::size_t start = i_;
    while (i_ < s_.size() && (classOf(s_[i_]) == kWord || classOf(s_[i_]) == kDigit)) ++i_;
    if (i_ < s_.size() && classOf(s_[i_]) == kQuote && i_ - start <= 2 && isPrefix(s_.substr(start, i_ - start)))
      return string();
    const std::string_view text = s_.substr(start, i_ - start);
    const Word kind = after_ == After::Dot && !in_from_ ? Word::Name : wordOf(text);
    const bool starts_line = after_ == After::Start;
    if (kind == Word::Keyword || kind == Word::Compound) {
      if (starts_line && open_.empty()) {
        line_ = kind == Word::Compound ? Line::Compound : Line::Simple;
        if (text == "except") line_ = Line::Except;
        if (text == "raise") line_ = Line::Raise;
        in_from_ = text == "from";
        is_from_ = in_from_;
        is_def_ = text == "def";
      } else if (after_ == After::Keyword ? !mayFollow(keyword_, text) : !mayStandHere(text)) {
        return false;
      }
      if (text == "import") in_from_ = is_from_ = false;
      if (text == "def") is_def_ = true;
      keyword_ = text;
      after_ = After::Keyword;
      return true;
    }
    if (endsOperand() && !soft_) return false;
    soft_ = kind == Word::Soft && starts_line && open_.empty();
    if (soft_) line_ = Line::Soft;
    if (starts_line && !soft_) line_ = Line::Other;
    after_ = After::Operand;
    return true;
  }

  // A keyword right after another one.
  static bool mayFollow(std::string_view first, std::string_view second) {
    if (second == "not" || second == "lambda" || second == "await")
      return first != "import" && first != "def" && first != "class" && first != "try" && first != "lambda";
    if (first == "async") return second == "def" || second == "for" || second == "with";
    if (second == "in") return first == "not";
    if (second == "from") return first == "yield";
    if (second == "import") return first == "from";  // `from ... import`: the dots leave the keyword
    return second == "yield" && (first == "await" || first == "return");
  }

  // A keyword inside a line, not after another one.
  bool mayStandHere(std::string_view text) const {
    if (text == "and" || text == "or" || text == "is" || text == "if" || text == "else" || text == "for" ||
        text == "as")
      return endsOperand() || after_ == After::Marker ||
             (after_ == After::Colon && open_.empty() && (text == "if" || text == "for"));
    if (text == "in") return endsOperand() || after_ == After::Comma;
    if (text == "import") return in_from_ || after_ == After::Colon;
    if (text == "from") return endsOperand() || after_ == After::Colon;
    if (text == "not" || text == "lambda" || text == "await" || text == "yield" || text == "async") return true;
    return after_ == After::Colon;  // a simple statement after `if x:`
  }

  static bool isPrefix(std::string_view p) {
    const auto low = [](char c) { return static_cast<char>(c | 0x20); };
    const char a = low(p[0]), b = p.size() > 1 ? low(p[1]) : '\0';
    if (b == '\0') return a == 'r' || a == 'b' || a == 'f' || a == 'u' || a == 't';
    return (a == 'r' && (b == 'b' || b == 'f' || b == 't')) || ((a == 'b' || a == 'f' || a == 't') && b == 'r');
  }

  bool number() {
    if (endsOperand() && !soft_) return false;
    const std::size_t start = i_;
    while (i_ < s_.size()) {
      const char c = s_[i_];
      const bool exponent = (c == '+' || c == '-') && (s_[i_ - 1] | 0x20) == 'e' && i_ > start &&
                            at(start + 1) != 'x' && at(start + 1) != 'X';
      if (classOf(c) != kWord && classOf(c) != kDigit && c != '.' && !exponent) break;
      ++i_;
    }
    const std::string_view text = s_.substr(start, i_ - start);
    const char last = static_cast<char>(text.back() | 0x20);
    if (last == 'l' && text.size() > 1) return false;  // 10L
    if (text.size() > 1 && text[0] == '0' && text[1] >= '1' && text[1] <= '9' &&
        text.find_first_of(".eEjJ") == std::string_view::npos)
      return false;  // 0777
    if (after_ == After::Start) line_ = Line::Other;
    soft_ = false;
    after_ = After::Operand;
    return true;
  }

  bool string() {
    if (after_ == After::Operand && !soft_) return false;
    if (after_ == After::Dot) return false;
    const char quote = s_[i_];
    const bool triple = at(i_ + 1) == quote && at(i_ + 2) == quote;
    i_ += triple ? 3 : 1;
    for (; i_ < s_.size(); ++i_) {
      const char c = s_[i_];
      if (c == '\\') {
        if (at(i_ + 1) == '\r' && at(i_ + 2) == '\n') ++i_;
        ++i_;
      } else if (c == '\0') {
        return false;
      } else if (c == quote) {
        if (!triple) break;
        if (at(i_ + 1) == quote && at(i_ + 2) == quote) break;
      } else if (!triple && (c == '\n' || c == '\r')) {
        return false;
      }
    }
    if (i_ >= s_.size()) return false;
    i_ += triple ? 3 : 1;
    if (after_ == After::Start) line_ = Line::Other;
    soft_ = false;
    after_ = After::String;
    return true;
  }

  bool op() {
    const char c = s_[i_], d = at(i_ + 1), e = at(i_ + 2);
    if (after_ == After::Start) line_ = c == '@' ? Line::Decorator : Line::Other;
    const bool soft = soft_;
    soft_ = false;
    if (c == '.') {
      if (d == '.' && e == '.' && !endsOperand()) {
        i_ += 3;
        after_ = in_from_ ? After::Keyword : After::Operand;
        return true;
      }
      if (classOf(d) == kDigit && !endsOperand()) return number();
      ++i_;
      if (in_from_) {
        after_ = After::Dot;
        return true;
      }
      if (!endsOperand()) return false;
      after_ = After::Dot;
      return true;
    }
    if (after_ == After::Dot) return false;
    if (c == ',') {
      if (after_ == After::Comma || after_ == After::Open || after_ == After::Start || after_ == After::Operator)
        return false;
      if (open_.empty() && (line_ == Line::Except || line_ == Line::Raise)) return false;  // Python 2, or 3.14
      ++i_;
      after_ = After::Comma;
      return true;
    }
    if (c == ':' && d != '=') {
      if (after_ == After::Operator || after_ == After::Start) return false;
      const bool in_slice = !open_.empty() && open_.back() == '[';
      if (!in_slice && (after_ == After::Colon || after_ == After::Open || after_ == After::Comma)) return false;
      if (after_ == After::Keyword && !(keyword_ == "else" || keyword_ == "try" || keyword_ == "finally" ||
                                        keyword_ == "except" || keyword_ == "lambda"))
        return false;
      ++i_;
      if (open_.empty()) has_colon_ = true, is_def_ = false;
      after_ = After::Colon;
      return true;
    }
    if (c == ';') {
      if (!open_.empty() || after_ == After::Operator || after_ == After::Start) return false;
      ++i_;
      after_ = After::Start;
      return true;
    }
    std::size_t size = 1;
    if ((d == c && (c == '*' || c == '/' || c == '<' || c == '>')) || (c == '-' && d == '>')) size = 2;
    if (at(i_ + size) == '=' && c != '=' && c != '~') ++size;
    if (c == '=' && d == '=') size = 2;
    if (c == '!' && d != '=') return false;
    if (c == '<' && d == '>') return false;
    const bool prefix = size == 1 && (c == '+' || c == '-' || c == '~');
    const bool star = c == '*' && s_[i_ + size - 1] == '*';
    i_ += size;
    if (prefix) {
      if (c == '~' && endsOperand() && !soft) return false;
      after_ = endsOperand() ? After::Operator : After::Prefix;
      if (after_ == After::Prefix) after_ = After::Operator;
      return true;
    }
    if (star || (c == '/' && size == 1 && after_ == After::Comma)) {
      if (after_ == After::Operator) return false;
      // A lone marker in a parameter list may be followed by a comma or the closing parenthesis.
      after_ = endsOperand() ? After::Operator : After::Marker;
      return true;
    }
    if (c == '@' && line_ == Line::Decorator && after_ == After::Start) {
      after_ = After::Keyword;
      return true;
    }
    // `a, = x`
    if (!endsOperand() && !(after_ == After::Comma && c == '=' && size == 1 && open_.empty())) return false;
    after_ = After::Operator;
    return true;
  }

  // A logical line is over.
  bool endLine() {
    const Line line = line_;
    const bool colon = has_colon_, ends_in_colon = after_ == After::Colon;
    if (after_ == After::Start) return true;  // blank, or after `;`
    if (after_ == After::Operator || after_ == After::Dot) return false;
    if (after_ == After::Marker && line != Line::Simple) return false;  // only `import *` ends so
    if (after_ == After::Keyword && keyword_ != "return" && keyword_ != "yield" && keyword_ != "raise") return false;
    if (is_from_ || (after_ == After::Keyword && line == Line::Decorator)) return false;
    line_ = Line::Other;
    has_colon_ = soft_ = in_from_ = is_from_ = is_def_ = false;
    keyword_ = {};
    after_ = After::Start;
    const bool compound = line == Line::Compound || line == Line::Except;
    if (compound && !colon) return false;
    if (ends_in_colon) {
      if (!compound && line != Line::Soft) return false;
      expects_block_ = true;
    }
    return true;
  }

  enum class Line : std::uint8_t { Other, Simple, Compound, Except, Raise, Soft, Decorator };

  std::string_view s_;
  std::size_t i_ = 0, bad_indentation_ = 0;  // never at the start of a file: 0 for none
  After after_ = After::Start;
  Line line_ = Line::Other;
  bool at_line_start_ = true, expects_block_ = false, has_colon_ = false, soft_ = false, in_from_ = false,
       is_from_ = false, is_def_ = false;
  std::string_view keyword_;  // the last one
  std::vector<char> open_;
  std::vector<std::uint32_t> indents_{0};
};

}  // namespace

bool looksWellFormed(std::string_view bytes) { return Checker(bytes).run(); }

std::optional<Offset> indentationFault(std::string_view bytes) {
  Checker checker(bytes);
  if (checker.run()) return std::nullopt;
  return checker.badIndentation();
}

}  // namespace np::analyzer::python
