// Magnitudes of derivatives, one row per operation. Operations that are exact (negation, max, select, comparison) add
// nothing of their own. A comparison hides the error of its operands: where a rounding could flip it, the shadow gate
// sees a large difference and says so, which is the right outcome.
#include "kernel_port/spec/derivative.h"

#include <cmath>

namespace np::kernel_port::spec {
namespace {

// |d| * bound, where nothing times infinity is nothing.
double carried(double derivative, double bound) { return bound == 0 ? 0.0 : std::fabs(derivative) * bound; }

double unDerivative(UnOp op, double x, double y) {
  constexpr double kLn2 = 0.69314718055994530942, kLn10 = 2.30258509299404568402,
                   kTwoOverRootPi = 1.12837916709551257390;
  switch (op) {
    case UnOp::Neg:
    case UnOp::Abs:
      return 1;
    case UnOp::Square:
      return 2 * x;
    case UnOp::Sqrt:
      return 0.5 / y;
    case UnOp::Rsqrt:
      return 0.5 * y * y * y;
    case UnOp::Exp:
      return y;
    case UnOp::Exp2:
      return kLn2 * y;
    case UnOp::Expm1:
      return y + 1;
    case UnOp::Log:
      return 1 / x;
    case UnOp::Log2:
      return 1 / (x * kLn2);
    case UnOp::Log10:
      return 1 / (x * kLn10);
    case UnOp::Log1p:
      return 1 / (1 + x);
    case UnOp::Sin:
      return std::cos(x);
    case UnOp::Cos:
      return std::sin(x);
    case UnOp::Tan:
      return 1 + y * y;
    case UnOp::Asin:
    case UnOp::Acos:
      return 1 / std::sqrt(1 - x * x);
    case UnOp::Atan:
      return 1 / (1 + x * x);
    case UnOp::Sinh:
      return std::cosh(x);
    case UnOp::Cosh:
      return std::sinh(x);
    case UnOp::Tanh:
      return 1 - y * y;
    case UnOp::Erf:
    case UnOp::Erfc:
      return kTwoOverRootPi * std::exp(-x * x);
    case UnOp::Floor:
    case UnOp::Ceil:
    case UnOp::Trunc:
    case UnOp::Round:
      return 0;
  }
  return INFINITY;
}

double binBound(BinOp op, const std::vector<double>& v, const std::vector<double>& b, double result) {
  switch (op) {
    case BinOp::Add:
    case BinOp::Sub:
      return b[0] + b[1];
    case BinOp::Mul:
      return carried(v[1], b[0]) + carried(v[0], b[1]);
    case BinOp::Div:
      return carried(1 / v[1], b[0]) + carried(result / v[1], b[1]);
    case BinOp::Max:
    case BinOp::Min:
      return std::fmax(b[0], b[1]);
    case BinOp::Pow:
      return carried(v[1] * std::pow(v[0], v[1] - 1), b[0]) + carried(result * std::log(std::fabs(v[0])), b[1]);
    case BinOp::Atan2: {
      const double r = v[0] * v[0] + v[1] * v[1];
      return carried(v[1] / r, b[0]) + carried(v[0] / r, b[1]);
    }
    case BinOp::Fmod:
      return b[0] + carried(std::trunc(v[0] / v[1]), b[1]);
    default:
      return 0;
  }
}

bool isExact(Expr e) {
  if (e->op == Op::Bin) return e->bin() == BinOp::Max || e->bin() == BinOp::Min || e->bin() == BinOp::Fmod;
  if (e->op == Op::Un) {
    return e->un() == UnOp::Neg || e->un() == UnOp::Abs || (e->un() >= UnOp::Floor && e->un() <= UnOp::Round);
  }
  if (e->op == Op::Cast) {
    const DType from = e->args[0]->type;
    return isFloat(from) ? unitRoundoff(from) >= unitRoundoff(e->type) : dtypeBytes(from) < 4;
  }
  return e->op != Op::Bin;
}

}  // namespace

double nodeBound(Expr e, const std::vector<double>& values, const std::vector<double>& bounds, double result) {
  double bound = 0;
  switch (e->op) {
    case Op::Bin:
      bound = binBound(e->bin(), values, bounds, result);
      break;
    case Op::Un:
      bound = carried(unDerivative(e->un(), values[0], result), bounds[0]);
      break;
    case Op::Sel:
      bound = values[0] != 0 ? bounds[1] : bounds[2];
      break;
    case Op::Cast:
      bound = isFloat(e->type) ? bounds[0] : 0;
      break;
    default:
      return 0;
  }
  const double own = isExact(e) ? 0.0 : unitRoundoff(e->type) * std::fabs(result);
  return std::isnan(bound + own) ? INFINITY : bound + own;
}

}  // namespace np::kernel_port::spec
