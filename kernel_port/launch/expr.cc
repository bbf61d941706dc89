// Expressions are read by recursive descent into a plain tree, and evaluated in checked 64-bit arithmetic: a launch
// file is foreign input, so depth is bounded and every overflow or zero divisor is an error that names the expression.

#include "kernel_port/launch/expr.h"

#include <algorithm>
#include <cctype>

namespace np::kernel_port::launch {
namespace {

constexpr int kMaxDepth = 100;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Expr> whole() {
    NP_ASSIGN(Expr expr, sum(0));
    skipSpace();
    if (at_ != text_.size()) return fail("unexpected \"" + std::string(1, text_[at_]) + "\"");
    return expr;
  }

  Result<Condition> condition() {
    Condition out;
    out.text = std::string(text_);
    NP_ASSIGN(out.left, sum(0));
    skipSpace();
    static constexpr std::pair<std::string_view, Condition::Op> kOps[] = {
        {"<=", Condition::Op::Le}, {">=", Condition::Op::Ge}, {"==", Condition::Op::Eq},
        {"!=", Condition::Op::Ne}, {"<", Condition::Op::Lt},  {">", Condition::Op::Gt}};
    const auto* op = std::find_if(std::begin(kOps), std::end(kOps),
                                  [&](const auto& entry) { return text_.substr(at_).starts_with(entry.first); });
    if (op == std::end(kOps)) return fail("a comparison (< <= > >= == !=) is missing");
    at_ += op->first.size();
    out.op = op->second;
    NP_ASSIGN(out.right, sum(0));
    skipSpace();
    if (at_ != text_.size()) return fail("unexpected \"" + std::string(1, text_[at_]) + "\"");
    return out;
  }

 private:
  Result<Expr> sum(int depth) {
    NP_ASSIGN(Expr left, product(depth));
    for (;;) {
      const char op = peek();
      if (op != '+' && op != '-') return left;
      ++at_;
      NP_ASSIGN(Expr right, product(depth));
      left = binary(op == '+' ? Expr::Kind::Add : Expr::Kind::Sub, std::move(left), std::move(right));
    }
  }

  Result<Expr> product(int depth) {
    NP_ASSIGN(Expr left, unary(depth));
    for (;;) {
      const char op = peek();
      if (op != '*' && op != '/' && op != '%') return left;
      ++at_;
      NP_ASSIGN(Expr right, unary(depth));
      left = binary(op == '*'   ? Expr::Kind::Mul
                    : op == '/' ? Expr::Kind::Div
                                : Expr::Kind::Mod,
                    std::move(left), std::move(right));
    }
  }

  Result<Expr> unary(int depth) {
    if (depth > kMaxDepth) return fail("nested too deeply");
    if (++nodes_ > 10000) return fail("too long");
    const char next = peek();
    if (next == '-') {
      ++at_;
      NP_ASSIGN(Expr operand, unary(depth + 1));
      Expr out{Expr::Kind::Negate, 0, {}, {}};
      out.operands.push_back(std::move(operand));
      return out;
    }
    if (next == '(') {
      ++at_;
      NP_ASSIGN(Expr inner, sum(depth + 1));
      NP_TRY(expect(')'));
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(next))) return number();
    if (std::isalpha(static_cast<unsigned char>(next)) || next == '_') return nameOrCall(depth);
    return next == 0 ? fail("an operand is missing") : fail("unexpected \"" + std::string(1, next) + "\"");
  }

  Result<Expr> number() {
    int64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
          __builtin_add_overflow(value, int64_t{text_[at_] - '0'}, &value))
        return fail("an integer does not fit 64 bits");
    }
    return Expr::integer(value);
  }

  Result<Expr> nameOrCall(int depth) {
    const size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    std::string name(text_.substr(start, at_ - start));
    if (peek() != '(') return Expr::size(std::move(name));
    Expr call;
    if (name == "ceildiv") {
      call.kind = Expr::Kind::CeilDiv;
    } else if (name == "min") {
      call.kind = Expr::Kind::Min;
    } else if (name == "max") {
      call.kind = Expr::Kind::Max;
    } else {
      return fail("unknown function \"" + name + "\"; ceildiv, min and max exist");
    }
    ++at_;
    for (;;) {
      NP_ASSIGN(Expr operand, sum(depth + 1));
      call.operands.push_back(std::move(operand));
      if (peek() != ',') break;
      ++at_;
    }
    NP_TRY(expect(')'));
    if (call.operands.size() < 2 || (call.kind == Expr::Kind::CeilDiv && call.operands.size() != 2))
      return fail("\"" + name + "\" takes two operands");
    return call;
  }

  static Expr binary(Expr::Kind kind, Expr left, Expr right) {
    Expr out{kind, 0, {}, {}};
    out.operands.push_back(std::move(left));
    out.operands.push_back(std::move(right));
    return out;
  }

  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  Result<void> expect(char c) {
    if (peek() != c) return fail(std::string("\"") + c + "\" is missing");
    ++at_;
    return {};
  }
  Error fail(const std::string& what) const {
    return makeError("bad-expression", "cannot read expression \"" + std::string(text_.substr(0, 200)) + "\": " + what +
                                           " at column " + std::to_string(at_ + 1));
  }

  std::string_view text_;
  size_t at_ = 0;
  int nodes_ = 0;
};

Error evaluationError(const Expr& expr, const std::string& what) {
  return makeError("bad-expression", "cannot evaluate \"" + toText(expr) + "\": " + what);
}

int64_t floorDiv(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

Result<int64_t> apply(const Expr& expr, int64_t a, int64_t b) {
  int64_t out = 0;
  bool overflow = false;
  switch (expr.kind) {
    case Expr::Kind::Add:
      overflow = __builtin_add_overflow(a, b, &out);
      break;
    case Expr::Kind::Sub:
      overflow = __builtin_sub_overflow(a, b, &out);
      break;
    case Expr::Kind::Mul:
      overflow = __builtin_mul_overflow(a, b, &out);
      break;
    case Expr::Kind::Min:
      return std::min(a, b);
    case Expr::Kind::Max:
      return std::max(a, b);
    case Expr::Kind::Div:
    case Expr::Kind::Mod:
    case Expr::Kind::CeilDiv:
      if (b == 0) return evaluationError(expr, "the divisor is 0");
      overflow = a == INT64_MIN && b == -1;
      if (overflow) break;
      if (expr.kind == Expr::Kind::Div) return floorDiv(a, b);
      if (expr.kind == Expr::Kind::Mod) return a - floorDiv(a, b) * b;
      return floorDiv(a, b) + (a % b != 0 ? 1 : 0);
    default:
      NP_CHECK(false);
  }
  if (overflow) return evaluationError(expr, "the value does not fit 64 bits");
  return out;
}

void collectNames(const Expr& expr, std::vector<std::string>& names) {
  if (expr.kind == Expr::Kind::Size && std::find(names.begin(), names.end(), expr.name) == names.end())
    names.push_back(expr.name);
  for (const Expr& operand : expr.operands) collectNames(operand, names);
}

int precedence(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::Add:
    case Expr::Kind::Sub:
      return 1;
    case Expr::Kind::Mul:
    case Expr::Kind::Div:
    case Expr::Kind::Mod:
      return 2;
    case Expr::Kind::Negate:
      return 3;
    default:
      return 4;
  }
}

std::string inParentheses(const Expr& expr, int least) {
  std::string text = toText(expr);
  return precedence(expr) < least ? "(" + text + ")" : text;
}

}  // namespace

Result<Expr> parseExpr(std::string_view text) { return Parser(text).whole(); }

Result<Condition> parseCondition(std::string_view text) { return Parser(text).condition(); }

Result<int64_t> evaluate(const Expr& expr, const Sizes& sizes) {
  switch (expr.kind) {
    case Expr::Kind::Integer:
      return expr.value;
    case Expr::Kind::Size: {
      auto found = sizes.find(expr.name);
      if (found == sizes.end()) return makeError("unknown-size", "size \"" + expr.name + "\" does not exist");
      return found->second;
    }
    case Expr::Kind::Negate: {
      NP_ASSIGN(int64_t value, evaluate(expr.operands[0], sizes));
      if (value == INT64_MIN) return evaluationError(expr, "the value does not fit 64 bits");
      return -value;
    }
    default:
      break;
  }
  NP_ASSIGN(int64_t value, evaluate(expr.operands[0], sizes));
  for (size_t k = 1; k < expr.operands.size(); ++k) {
    NP_ASSIGN(int64_t right, evaluate(expr.operands[k], sizes));
    NP_ASSIGN(value, apply(expr, value, right));
  }
  return value;
}

Result<bool> holds(const Condition& condition, const Sizes& sizes) {
  NP_ASSIGN(int64_t left, evaluate(condition.left, sizes));
  NP_ASSIGN(int64_t right, evaluate(condition.right, sizes));
  switch (condition.op) {
    case Condition::Op::Lt:
      return left < right;
    case Condition::Op::Le:
      return left <= right;
    case Condition::Op::Gt:
      return left > right;
    case Condition::Op::Ge:
      return left >= right;
    case Condition::Op::Eq:
      return left == right;
    case Condition::Op::Ne:
      return left != right;
  }
  NP_CHECK(false);
}

std::vector<std::string> sizeNames(const Expr& expr) {
  std::vector<std::string> names;
  collectNames(expr, names);
  return names;
}

std::string toText(const Expr& expr) {
  const auto& args = expr.operands;
  switch (expr.kind) {
    case Expr::Kind::Integer:
      return std::to_string(expr.value);
    case Expr::Kind::Size:
      return expr.name;
    case Expr::Kind::Negate:
      return "-" + inParentheses(args[0], 3);
    case Expr::Kind::Add:
      return toText(args[0]) + " + " + inParentheses(args[1], 2);
    case Expr::Kind::Sub:
      return toText(args[0]) + " - " + inParentheses(args[1], 2);
    case Expr::Kind::Mul:
      return inParentheses(args[0], 2) + "*" + inParentheses(args[1], 3);
    case Expr::Kind::Div:
      return inParentheses(args[0], 2) + "/" + inParentheses(args[1], 3);
    case Expr::Kind::Mod:
      return inParentheses(args[0], 2) + "%" + inParentheses(args[1], 3);
    default:
      break;
  }
  std::string text = expr.kind == Expr::Kind::CeilDiv ? "ceildiv(" : expr.kind == Expr::Kind::Min ? "min(" : "max(";
  for (size_t k = 0; k < args.size(); ++k) text += (k ? ", " : "") + toText(args[k]);
  return text + ")";
}

}  // namespace np::kernel_port::launch
