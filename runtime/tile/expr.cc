// Integer expressions: construction with constant folding, evaluation, text.
//
// Folding is deliberately small (constants and neutral elements): the emitted Python is read by people, who should see
// the expression that the scheduler wrote. There is no simplifier; equality of programs is decided at concrete sizes.
#include "runtime/tile/expr.h"

#include <algorithm>

namespace np::tile {
namespace {

using Kind = Expr::Kind;

int64_t floorDivide(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

// False on overflow or division by zero.
bool apply(Kind kind, int64_t a, int64_t b, int64_t& out) {
  switch (kind) {
    case Kind::kAdd:
      return !__builtin_add_overflow(a, b, &out);
    case Kind::kSub:
      return !__builtin_sub_overflow(a, b, &out);
    case Kind::kMul:
      return !__builtin_mul_overflow(a, b, &out);
    case Kind::kMin:
      out = std::min(a, b);
      return true;
    case Kind::kMax:
      out = std::max(a, b);
      return true;
    default:
      break;
  }
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  if (kind == Kind::kFloorDiv)
    out = floorDivide(a, b);
  else if (kind == Kind::kCeilDiv)
    out = floorDivide(a, b) + (a % b != 0 ? 1 : 0);
  else
    out = a - floorDivide(a, b) * b;
  return true;
}

bool isNeutral(Kind kind, const Expr& left, const Expr& right, Expr& result) {
  if (right.isConstant(0) && (kind == Kind::kAdd || kind == Kind::kSub)) return result = left, true;
  if (left.isConstant(0) && kind == Kind::kAdd) return result = right, true;
  if (right.isConstant(1) && (kind == Kind::kMul || kind == Kind::kFloorDiv || kind == Kind::kCeilDiv)) {
    return result = left, true;
  }
  if (left.isConstant(1) && kind == Kind::kMul) return result = right, true;
  if (kind == Kind::kMul && (left.isConstant(0) || right.isConstant(0))) return result = Expr(0), true;
  if ((kind == Kind::kMin || kind == Kind::kMax) && left == right) return result = left, true;
  return false;
}

const char* callName(Kind kind) {
  switch (kind) {
    case Kind::kFloorDiv:
      return "floordiv";
    case Kind::kCeilDiv:
      return "ceildiv";
    case Kind::kMod:
      return "mod";
    case Kind::kMin:
      return "min";
    case Kind::kMax:
      return "max";
    default:
      return nullptr;
  }
}

bool isSum(const Expr& e) { return e.kind() == Kind::kAdd || e.kind() == Kind::kSub; }

std::string factorText(const Expr& e) {
  const bool bare = !isSum(e) && !(e.isConstant() && e.value() < 0);
  return bare ? e.text() : "(" + e.text() + ")";
}

}  // namespace

Expr::Expr(int64_t value) : node_(std::make_shared<Node>(Node{Kind::kConstant, value, {}, nullptr, nullptr})) {}

Expr Expr::symbol(std::string name) {
  Expr e;
  e.node_ = std::make_shared<Node>(Node{Kind::kSymbol, 0, std::move(name), nullptr, nullptr});
  return e;
}

Expr Expr::binary(Kind kind, const Expr& left, const Expr& right) {
  if (int64_t folded = 0; left.isConstant() && right.isConstant() && apply(kind, left.value(), right.value(), folded)) {
    return Expr(folded);
  }
  Expr e;
  if (isNeutral(kind, left, right, e)) return e;
  e.node_ = std::make_shared<Node>(Node{kind, 0, {}, std::make_shared<Expr>(left), std::make_shared<Expr>(right)});
  return e;
}

Result<int64_t> Expr::evaluate(const Bindings& bindings) const {
  if (kind() == Kind::kConstant) return value();
  if (kind() == Kind::kSymbol) {
    const auto found = bindings.find(name());
    if (found == bindings.end()) return makeError("tile-symbol", "\"" + name() + "\" has no value");
    return found->second;
  }
  NP_ASSIGN(const int64_t a, left().evaluate(bindings));
  NP_ASSIGN(const int64_t b, right().evaluate(bindings));
  int64_t out = 0;
  if (!apply(kind(), a, b, out)) {
    return makeError("tile-expr", "\"" + text() + "\" divides by zero or leaves 64 bits");
  }
  return out;
}

std::string Expr::text() const {
  switch (kind()) {
    case Kind::kConstant:
      return std::to_string(value());
    case Kind::kSymbol:
      return name();
    case Kind::kAdd:
      return left().text() + " + " + right().text();
    case Kind::kSub:
      return left().text() + " - " + (isSum(right()) ? factorText(right()) : right().text());
    case Kind::kMul:
      return factorText(left()) + "*" + factorText(right());
    default:
      return std::string(callName(kind())) + "(" + left().text() + ", " + right().text() + ")";
  }
}

bool operator==(const Expr& a, const Expr& b) {
  if (a.node_ == b.node_) return true;
  if (a.kind() != b.kind()) return false;
  if (a.kind() == Kind::kConstant) return a.value() == b.value();
  if (a.kind() == Kind::kSymbol) return a.name() == b.name();
  return a.left() == b.left() && a.right() == b.right();
}

const char* compareText(Compare compare) {
  switch (compare) {
    case Compare::kEq:
      return "==";
    case Compare::kNe:
      return "!=";
    case Compare::kLt:
      return "<";
    case Compare::kLe:
      return "<=";
    case Compare::kGt:
      return ">";
    case Compare::kGe:
      return ">=";
  }
  return "?";
}

Result<bool> Condition::holds(const Bindings& bindings) const {
  NP_ASSIGN(const int64_t a, left.evaluate(bindings));
  NP_ASSIGN(const int64_t b, right.evaluate(bindings));
  switch (compare) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return a != b;
    case Compare::kLt:
      return a < b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGt:
      return a > b;
    case Compare::kGe:
      return a >= b;
  }
  return false;
}

std::string Condition::text() const { return left.text() + " " + compareText(compare) + " " + right.text(); }

}  // namespace np::tile
