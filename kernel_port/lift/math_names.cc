// The table of math functions. Fast forms (`__expf`) and directed rounding mean the same function: how exactly it is
// computed is the target's business and is judged by the precision gate.
#include "kernel_port/lift/math_names.h"

#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

namespace {

using spec::BinOp;
using spec::UnOp;

struct Row {
  std::string_view name;
  MathCall call;
};

constexpr MathCall unary(UnOp op) { return {Code::FCall, static_cast<uint8_t>(op)}; }
constexpr MathCall binary(BinOp op) { return {Code::FCall2, static_cast<uint8_t>(op)}; }

constexpr Row kRows[] = {
    {"exp", unary(UnOp::Exp)},     {"exp2", unary(UnOp::Exp2)},
    {"expm1", unary(UnOp::Expm1)}, {"log", unary(UnOp::Log)},
    {"log2", unary(UnOp::Log2)},   {"log10", unary(UnOp::Log10)},
    {"log1p", unary(UnOp::Log1p)}, {"sqrt", unary(UnOp::Sqrt)},
    {"rsqrt", unary(UnOp::Rsqrt)}, {"fabs", unary(UnOp::Abs)},
    {"sin", unary(UnOp::Sin)},     {"cos", unary(UnOp::Cos)},
    {"tan", unary(UnOp::Tan)},     {"asin", unary(UnOp::Asin)},
    {"acos", unary(UnOp::Acos)},   {"atan", unary(UnOp::Atan)},
    {"sinh", unary(UnOp::Sinh)},   {"cosh", unary(UnOp::Cosh)},
    {"tanh", unary(UnOp::Tanh)},   {"erf", unary(UnOp::Erf)},
    {"erfc", unary(UnOp::Erfc)},   {"floor", unary(UnOp::Floor)},
    {"ceil", unary(UnOp::Ceil)},   {"trunc", unary(UnOp::Trunc)},
    {"rint", unary(UnOp::Round)},  {"nearbyint", unary(UnOp::Round)},
    {"pow", binary(BinOp::Pow)},   {"atan2", binary(BinOp::Atan2)},
    {"fmod", binary(BinOp::Fmod)}, {"fmax", {Code::FMax}},
    {"fmin", {Code::FMin}},        {"fma", {Code::Fma}},
    {"fdividef", {Code::FDiv}},    {"div", {Code::FDiv}},
    {"add", {Code::FAdd}},         {"sub", {Code::FSub}},
    {"mul", {Code::FMul}},         {"rcp", {Code::FRcp}},
};

}  // namespace

std::optional<MathCall> mathCall(const DeviceCall& call) {
  switch (call.op) {
    case DeviceOp::SMin:
      return MathCall{Code::SMin};
    case DeviceOp::SMax:
      return MathCall{Code::SMax};
    case DeviceOp::UMin:
      return MathCall{Code::UMin};
    case DeviceOp::UMax:
      return MathCall{Code::UMax};
    case DeviceOp::Math:
      break;
    default:
      return std::nullopt;
  }
  for (const Row& row : kRows)
    if (row.name == call.function) return row.call;
  return std::nullopt;
}

}  // namespace np::kernel_port::lift
