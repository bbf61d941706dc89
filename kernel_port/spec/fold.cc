// What each operation computes, once, in float64. Integer division and remainder truncate toward zero, as C does; the
// parser and the lifter use sizes (floor division of non-negative values) only inside SizeExpr.
#include "kernel_port/spec/fold.h"

#include <cmath>

#include "analyzer/base/result.h"

namespace np::kernel_port::spec {

double applyBin(BinOp op, bool integers, double a, double b) {
  const auto word = [](double v) { return static_cast<int64_t>(v); };
  switch (op) {
    case BinOp::Add:
      return a + b;
    case BinOp::Sub:
      return a - b;
    case BinOp::Mul:
      return a * b;
    case BinOp::Div:
      return a / b;
    case BinOp::Max:
      return std::fmax(a, b);
    case BinOp::Min:
      return std::fmin(a, b);
    case BinOp::Pow:
      return std::pow(a, b);
    case BinOp::Atan2:
      return std::atan2(a, b);
    case BinOp::Fmod:
      return std::fmod(a, b);
    case BinOp::IDiv:
      return std::trunc(a / b);
    case BinOp::IMod:
      return std::fmod(a, b);
    case BinOp::BitAnd:
      return static_cast<double>(word(a) & word(b));
    case BinOp::BitOr:
      return static_cast<double>(word(a) | word(b));
    case BinOp::BitXor:
      return static_cast<double>(word(a) ^ word(b));
    case BinOp::Shl:
      return std::ldexp(a, static_cast<int>(b));
    case BinOp::Shr:
      return std::floor(std::ldexp(a, -static_cast<int>(b)));
  }
  NP_CHECK(false);
}

double applyUn(UnOp op, double a) {
  switch (op) {
    case UnOp::Neg:
      return -a;
    case UnOp::Abs:
      return std::fabs(a);
    case UnOp::Square:
      return a * a;
    case UnOp::Sqrt:
      return std::sqrt(a);
    case UnOp::Rsqrt:
      return 1 / std::sqrt(a);
    case UnOp::Exp:
      return std::exp(a);
    case UnOp::Exp2:
      return std::exp2(a);
    case UnOp::Expm1:
      return std::expm1(a);
    case UnOp::Log:
      return std::log(a);
    case UnOp::Log2:
      return std::log2(a);
    case UnOp::Log10:
      return std::log10(a);
    case UnOp::Log1p:
      return std::log1p(a);
    case UnOp::Sin:
      return std::sin(a);
    case UnOp::Cos:
      return std::cos(a);
    case UnOp::Tan:
      return std::tan(a);
    case UnOp::Asin:
      return std::asin(a);
    case UnOp::Acos:
      return std::acos(a);
    case UnOp::Atan:
      return std::atan(a);
    case UnOp::Sinh:
      return std::sinh(a);
    case UnOp::Cosh:
      return std::cosh(a);
    case UnOp::Tanh:
      return std::tanh(a);
    case UnOp::Erf:
      return std::erf(a);
    case UnOp::Erfc:
      return std::erfc(a);
    case UnOp::Floor:
      return std::floor(a);
    case UnOp::Ceil:
      return std::ceil(a);
    case UnOp::Trunc:
      return std::trunc(a);
    case UnOp::Round:
      return std::nearbyint(a);
  }
  NP_CHECK(false);
}

bool foldCmp(CmpOp op, double a, double b) {
  switch (op) {
    case CmpOp::Lt:
      return a < b;
    case CmpOp::Le:
      return a <= b;
    case CmpOp::Eq:
      return a == b;
    case CmpOp::Ne:
      return a != b;
  }
  NP_CHECK(false);
}

std::optional<double> foldBin(BinOp op, DType type, double a, double b) {
  const bool integers = !isFloat(type);
  if (integers && b == 0 && (op == BinOp::Div || op == BinOp::IDiv || op == BinOp::IMod || op == BinOp::Fmod))
    return std::nullopt;
  // Library functions differ between implementations in the last bit: only exact operations fold.
  if (op == BinOp::Pow || op == BinOp::Atan2 || op == BinOp::Fmod) return std::nullopt;
  return roundToType(applyBin(op, integers, a, b), type);
}

std::optional<double> foldUn(UnOp op, DType type, double a) {
  switch (op) {
    case UnOp::Neg:
    case UnOp::Abs:
    case UnOp::Square:
    case UnOp::Sqrt:
    case UnOp::Floor:
    case UnOp::Ceil:
    case UnOp::Trunc:
    case UnOp::Round:
      return roundToType(applyUn(op, a), type);
    default:
      return std::nullopt;
  }
}

namespace {

std::optional<Aff> asAffine(Expr e) {
  if (e->op == Op::Coord) return e->coord();
  if (e->op == Op::Size) return Aff::constant(e->size);
  if (e->op == Op::Const && e->type == DType::I32) return Aff::constant(static_cast<int64_t>(e->value));
  return std::nullopt;
}

}  // namespace

Expr foldAffine(Arena& arena, BinOp op, Expr a, Expr b) {
  const auto x = asAffine(a), y = asAffine(b);
  if (!x || !y) return nullptr;
  if (op == BinOp::Add) return arena.coord(*x + *y);
  if (op == BinOp::Sub) return arena.coord(*x - *y);
  if ((op == BinOp::Min || op == BinOp::Max) && x->terms.empty() && y->terms.empty()) {
    return arena.size(op == BinOp::Min ? SizeExpr::min(x->offset, y->offset) : SizeExpr::max(x->offset, y->offset));
  }
  if (op != BinOp::Mul) return nullptr;
  for (const auto& [p, q] : {std::pair(*x, *y), std::pair(*y, *x)}) {
    if (!q.terms.empty()) continue;
    if (const auto factor = q.offset.constant()) return arena.coord(p * *factor);
    if (p.terms.empty()) return arena.size(p.offset * q.offset);
  }
  return nullptr;
}

}  // namespace np::kernel_port::spec
