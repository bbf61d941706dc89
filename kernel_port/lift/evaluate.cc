// Numbers of the functions that expressions may call, in double precision: the concrete half of a concolic run.
#include <cmath>

#include "kernel_port/lift/expr_dag.h"

namespace np::kernel_port::lift {

double evaluateUnary(spec::UnOp function, double x) {
  switch (function) {
    case spec::UnOp::Neg:
      return -x;
    case spec::UnOp::Abs:
      return std::fabs(x);
    case spec::UnOp::Square:
      return x * x;
    case spec::UnOp::Sqrt:
      return std::sqrt(x);
    case spec::UnOp::Rsqrt:
      return 1 / std::sqrt(x);
    case spec::UnOp::Exp:
      return std::exp(x);
    case spec::UnOp::Exp2:
      return std::exp2(x);
    case spec::UnOp::Expm1:
      return std::expm1(x);
    case spec::UnOp::Log:
      return std::log(x);
    case spec::UnOp::Log2:
      return std::log2(x);
    case spec::UnOp::Log10:
      return std::log10(x);
    case spec::UnOp::Log1p:
      return std::log1p(x);
    case spec::UnOp::Sin:
      return std::sin(x);
    case spec::UnOp::Cos:
      return std::cos(x);
    case spec::UnOp::Tan:
      return std::tan(x);
    case spec::UnOp::Asin:
      return std::asin(x);
    case spec::UnOp::Acos:
      return std::acos(x);
    case spec::UnOp::Atan:
      return std::atan(x);
    case spec::UnOp::Sinh:
      return std::sinh(x);
    case spec::UnOp::Cosh:
      return std::cosh(x);
    case spec::UnOp::Tanh:
      return std::tanh(x);
    case spec::UnOp::Erf:
      return std::erf(x);
    case spec::UnOp::Erfc:
      return std::erfc(x);
    case spec::UnOp::Floor:
      return std::floor(x);
    case spec::UnOp::Ceil:
      return std::ceil(x);
    case spec::UnOp::Trunc:
      return std::trunc(x);
    case spec::UnOp::Round:
      return std::nearbyint(x);
  }
  return NAN;
}

double evaluateBinary(spec::BinOp function, double x, double y) {
  switch (function) {
    case spec::BinOp::Add:
      return x + y;
    case spec::BinOp::Sub:
      return x - y;
    case spec::BinOp::Mul:
      return x * y;
    case spec::BinOp::Div:
      return x / y;
    case spec::BinOp::Max:
      return std::fmax(x, y);
    case spec::BinOp::Min:
      return std::fmin(x, y);
    case spec::BinOp::Pow:
      return std::pow(x, y);
    case spec::BinOp::Atan2:
      return std::atan2(x, y);
    case spec::BinOp::Fmod:
      return std::fmod(x, y);
    default:
      return NAN;  // integer operations are evaluated where they are executed
  }
}

bool evaluateCompare(spec::CmpOp relation, double x, double y) {
  switch (relation) {
    case spec::CmpOp::Lt:
      return x < y;
    case spec::CmpOp::Le:
      return x <= y;
    case spec::CmpOp::Eq:
      return x == y;
    case spec::CmpOp::Ne:
      return x != y;
  }
  return false;
}

}  // namespace np::kernel_port::lift
