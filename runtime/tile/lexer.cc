// Splits Tile IR text into tokens. Comments run from ';' to the end of the line; line ends are otherwise white space.
#include "runtime/tile/lexer.h"

#include <array>
#include <cctype>

namespace np::tile {
namespace {

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// Longest first.
constexpr std::array<std::string_view, 6> kLong = {"+:", "..", "<=", ">=", "==", "!="};
constexpr std::string_view kShort = "(){}[],:.=+-*/<>";

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    for (skipSpace(); at_ < text_.size(); skipSpace()) NP_TRY(one());
    tokens_.push_back({Token::Kind::kEnd, "end of text", line_});
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skipSpace() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == ';') {
        while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      } else if (text_[at_] == '\n') {
        ++line_;
      } else if (!std::isspace(static_cast<unsigned char>(text_[at_]))) {
        return;
      }
    }
  }

  void push(Token::Kind kind, size_t begin) {
    tokens_.push_back({kind, std::string(text_.substr(begin, at_ - begin)), line_});
  }

  void word(Token::Kind kind) {
    const size_t begin = at_;
    while (isWord(peek())) ++at_;
    push(kind, begin);
  }

  void number() {
    const size_t begin = at_;
    bool real = false;
    while (isDigit(peek())) ++at_;
    if (peek() == '.' && isDigit(peek(1))) {
      real = true;
      for (++at_; isDigit(peek());) ++at_;
    }
    if (peek() == 'e' && (isDigit(peek(1)) || ((peek(1) == '-' || peek(1) == '+') && isDigit(peek(2))))) {
      real = true;
      for (at_ += 2; isDigit(peek());) ++at_;
    }
    push(real ? Token::Kind::kReal : Token::Kind::kInteger, begin);
  }

  Result<void> one() {
    const char c = peek();
    if (isWordStart(c)) return word(Token::Kind::kWord), Unit{};
    if ((c == '%' || c == '@') && isWord(peek(1))) {
      ++at_;
      return word(c == '%' ? Token::Kind::kBuffer : Token::Kind::kKernel), Unit{};
    }
    if (isDigit(c)) return number(), Unit{};
    size_t length = 0;
    for (std::string_view symbol : kLong) {
      if (text_.substr(at_, 2) == symbol) length = 2;
    }
    if (length == 0 && kShort.find(c) != std::string_view::npos) length = 1;
    if (length == 0) {
      return makeError("tile-parse", "line " + std::to_string(line_) + ": \"" + std::string(1, c) +
                                         "\" does not belong to Tile IR, remove it");
    }
    const size_t begin = at_;
    at_ += length;
    push(Token::Kind::kSymbol, begin);
    return Unit{};
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> lex(std::string_view text) { return Lexer(text).run(); }

}  // namespace np::tile
