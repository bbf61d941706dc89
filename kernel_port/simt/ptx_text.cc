// A small recursive reader. Scopes only open and close here: names declared in two scopes of one asm statement would
// clash, and are refused.

#include "kernel_port/simt/ptx_text.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>

namespace np::kernel_port::simt {
namespace {

Error notPtx(const std::string& what) { return makeError("unsupported", "inline PTX " + what + " is not supported"); }

bool isNameLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

std::string withoutComments(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text.substr(k, 2) == "//") {
      while (k < text.size() && text[k] != '\n') ++k;
      out += ' ';
    } else if (text.substr(k, 2) == "/*") {
      const size_t end = text.find("*/", k + 2);
      if (end == std::string_view::npos) break;
      k = end + 1;
      out += ' ';
    } else {
      out += text[k];
    }
  }
  return out;
}

class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)) {}

  Result<PtxText> read() {
    for (skip(); at_ < text_.size(); skip()) {
      if (take('{')) {
        ++depth_;
        continue;
      }
      if (depth_ > 0 && take('}')) {
        --depth_;
        continue;
      }
      if (take(';')) continue;
      if (text_[at_] == '.') {
        NP_TRY(declaration());
      } else {
        NP_TRY(statement());
      }
    }
    return std::move(out_);
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string nearby() const { return "\"" + text_.substr(at_, 40) + "\""; }
  std::string name() {
    skip();
    const size_t start = at_;
    while (at_ < text_.size() && isNameLetter(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  // ".reg .b32 a, b<4>;"
  Result<void> declaration() {
    ++at_;
    const std::string directive = name();
    if (directive != "reg") return notPtx("directive \"." + directive + "\"");
    if (!take('.')) return notPtx("near " + nearby());
    const std::string type = name();
    do {
      skip();
      if (at_ < text_.size() && text_[at_] == '%') ++at_;
      const std::string stem = name();
      if (stem.empty()) return notPtx("near " + nearby());
      if (take('<')) {
        const std::string digits = name();
        int count = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), count);
        if (!take('>') || count < 1 || count > 1024) return notPtx("near " + nearby());
        for (int k = 0; k < count; ++k) NP_TRY(declare(stem + std::to_string(k), type));
      } else {
        NP_TRY(declare(stem, type));
      }
    } while (take(','));
    return {};
  }

  Result<void> declare(const std::string& name, const std::string& type) {
    for (const PtxRegister& known : out_.registers)
      if (known.name == name) return notPtx("that declares \"" + name + "\" twice");
    out_.registers.push_back({name, type});
    return {};
  }

  Result<void> statement() {
    PtxStatement out;
    const size_t start = at_;
    if (take('@')) {
      out.guard_negated = take('!');
      NP_ASSIGN(PtxOperand guard, plainOperand());
      if (guard.kind != PtxOperand::Kind::Register && guard.kind != PtxOperand::Kind::Assembly)
        return notPtx("near " + nearby());
      out.guard = guard.name.empty() ? "%" : guard.name;
      out.guard_index = guard.index;
      out.guard_is_assembly = guard.kind == PtxOperand::Kind::Assembly;
    }
    // Modifiers may hold "::" (L1::no_allocate).
    do {
      std::string part = name();
      while (at_ + 1 < text_.size() && text_[at_] == ':' && text_[at_ + 1] == ':') {
        at_ += 2;
        part += "::" + name();
      }
      if (part.empty()) return notPtx("near " + nearby());
      out.opcode.push_back(std::move(part));
    } while (at_ < text_.size() && text_[at_] == '.' && ++at_);
    skip();
    if (at_ < text_.size() && text_[at_] == ':') return notPtx("label \"" + out.opcode[0] + "\"");
    skip();
    if (at_ < text_.size() && text_[at_] != ';') {
      do {
        NP_ASSIGN(PtxOperand operand, this->operand());
        out.operands.push_back(std::move(operand));
      } while (take(','));
    }
    out.text = text_.substr(start, at_ - start);
    skip();
    if (at_ < text_.size() && text_[at_] != '}' && !take(';')) return notPtx("near " + nearby());
    out_.statements.push_back(std::move(out));
    return {};
  }

  Result<PtxOperand> operand() {
    PtxOperand out;
    if (take('{')) {
      out.kind = PtxOperand::Kind::Vector;
      do {
        NP_ASSIGN(PtxOperand part, plainOperand());
        out.parts.push_back(std::move(part));
      } while (take(','));
      if (!take('}')) return notPtx("near " + nearby());
      return out;
    }
    if (take('[')) {
      out.kind = PtxOperand::Kind::Address;
      NP_ASSIGN(PtxOperand base, plainOperand());
      out.parts.push_back(std::move(base));
      if (take('+')) {
        NP_ASSIGN(PtxOperand offset, plainOperand());
        if (offset.kind != PtxOperand::Kind::Immediate) {
          out.parts.push_back(std::move(offset));  // an "n" operand of the asm statement
        } else {
          out.bits = offset.bits;
        }
      }
      if (!take(']')) return notPtx("near " + nearby());
      return out;
    }
    NP_ASSIGN(out, plainOperand());
    if (take('|')) {
      NP_ASSIGN(PtxOperand predicate, plainOperand());
      out.parts.push_back(std::move(predicate));
      out.has_predicate = true;
    }
    return out;
  }

  Result<PtxOperand> plainOperand() {
    PtxOperand out;
    out.negated = take('!');
    skip();
    if (at_ >= text_.size()) return notPtx("that ends early");
    const char first = text_[at_];
    if (first == '$') return assemblyOperand(std::move(out));
    if (std::isdigit(static_cast<unsigned char>(first)) || first == '-') return number(std::move(out));
    if (first == '%') {
      ++at_;
      out.name = name();
      if (isDeclared(out.name)) {
        out.kind = PtxOperand::Kind::Register;
        return out;
      }
      out.kind = PtxOperand::Kind::Special;
      if (at_ < text_.size() && text_[at_] == '.') {
        ++at_;
        out.name += "." + name();
      }
      return out;
    }
    out.name = name();
    if (out.name.empty()) return notPtx("near " + nearby());
    out.kind = out.name == "_" ? PtxOperand::Kind::Sink : PtxOperand::Kind::Register;
    if (out.kind == PtxOperand::Kind::Register && !isDeclared(out.name)) {
      if (out.name != "WARP_SZ") return notPtx("name \"" + out.name + "\"");
      out.kind = PtxOperand::Kind::Immediate;
      out.bits = 32;
    }
    return out;
  }

  bool isDeclared(const std::string& name) const {
    return std::any_of(out_.registers.begin(), out_.registers.end(), [&](const auto& r) { return r.name == name; });
  }

  // "$3" or "${3:q}".
  Result<PtxOperand> assemblyOperand(PtxOperand out) {
    ++at_;
    const bool braced = at_ < text_.size() && text_[at_] == '{';
    if (braced) ++at_;
    const char* start = text_.data() + at_;
    const auto [end, failed] = std::from_chars(start, text_.data() + text_.size(), out.index);
    if (failed != std::errc()) return notPtx("near " + nearby());
    at_ += static_cast<size_t>(end - start);
    if (braced) {
      at_ = text_.find('}', at_);
      if (at_ == std::string::npos) return notPtx("that ends early");
      ++at_;
    }
    out.kind = PtxOperand::Kind::Assembly;
    return out;
  }

  // 12, -3, 0x1f, 0b101, 0f3f800000, 0d..., with an optional U.
  Result<PtxOperand> number(PtxOperand out) {
    const bool negative = take('-');
    std::string digits = name();
    int base = 10;
    bool real = false;
    if (digits.size() > 2 && digits[0] == '0') {
      const char kind = static_cast<char>(std::tolower(digits[1]));
      real = kind == 'f' || kind == 'd';
      base = kind == 'x' || real ? 16 : kind == 'b' ? 2 : base;
      if (base != 10) digits.erase(0, 2);
    }
    if (!real && !digits.empty() && (digits.back() == 'U' || digits.back() == 'u')) digits.pop_back();
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), out.bits, base);
    if (at_ < text_.size() && text_[at_] == '.' && base == 10) {
      ++at_;
      digits += "." + name();
      double value = 0;
      const auto [stop, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (wrong != std::errc() || stop != digits.data() + digits.size()) return notPtx("number \"" + digits + "\"");
      out.bits = std::bit_cast<uint64_t>(negative ? -value : value);
      out.decimal = true;
      out.kind = PtxOperand::Kind::Immediate;
      return out;
    }
    if (failed != std::errc() || end != digits.data() + digits.size()) return notPtx("number \"" + digits + "\"");
    if (negative) out.bits = uint64_t{0} - out.bits;
    out.kind = PtxOperand::Kind::Immediate;
    return out;
  }

  std::string text_;
  size_t at_ = 0;
  int depth_ = 0;
  PtxText out_;
};

}  // namespace

bool PtxStatement::has(std::string_view modifier) const {
  return std::find(opcode.begin() + 1, opcode.end(), modifier) != opcode.end();
}

Result<PtxText> readPtx(std::string_view text) { return Reader(withoutComments(text)).read(); }

}  // namespace np::kernel_port::simt
