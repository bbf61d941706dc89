// Typed makers of instructions. Each fills the required arguments in the schema's order and then the optional ones that
// differ from their default, so that two ways of saying the same give the same instruction.
#include "runtime/tile/build.h"

#include "runtime/tile/schema.h"

namespace np::tile {
namespace {

Argument scalarArgument(Scalar scalar) {
  if (auto* view = std::get_if<View>(&scalar)) return std::move(*view);
  return std::get<Number>(std::move(scalar));
}

bool isNumber(const Scalar& scalar, double value) {
  const auto* number = std::get_if<Number>(&scalar);
  return number && number->scale == value && number->numerator.isConstant(1) && number->denominator.isConstant(1);
}

template <class... Values>
Instruction make(Opcode opcode, Values... values) {
  Instruction out = emptyInstruction(opcode);
  size_t next = 0;
  ((out.arguments[next++] = Argument(std::move(values))), ...);
  return out;
}

Instruction withEngine(Instruction instruction, Engine engine) {
  return engine == Engine::kUnknown ? instruction : with(std::move(instruction), "engine", engine);
}

Instruction withFlag(Instruction instruction, std::string_view name, bool value) {
  return value ? with(std::move(instruction), name, true) : instruction;
}

}  // namespace

Instruction with(Instruction instruction, std::string_view name, Argument value) {
  const int index = argumentIndex(instruction.opcode, name);
  NP_CHECK(index >= 0);
  instruction.arguments[static_cast<size_t>(index)] = std::move(value);
  return instruction;
}

View View::ap(std::string name, std::vector<ApDim> pattern, Expr offset) {
  View out(std::move(name));
  out.pattern = std::move(pattern);
  out.offset = std::move(offset);
  return out;
}

Instruction dmaCopy(View dst, View src) { return make(Opcode::kDmaCopy, std::move(dst), std::move(src)); }

Instruction tensorCopy(View dst, View src, Engine engine) {
  return withEngine(make(Opcode::kTensorCopy, std::move(dst), std::move(src)), engine);
}

Instruction fill(View dst, Number value, Engine engine) {
  return withEngine(make(Opcode::kMemset, std::move(dst), std::move(value)), engine);
}

Instruction tensorCopyPredicated(View dst, Scalar src, View predicate) {
  return make(Opcode::kTensorCopyPredicated, std::move(dst), scalarArgument(std::move(src)), std::move(predicate));
}

Instruction ncMatmul(View dst, View stationary, View moving, std::optional<bool> accumulate) {
  Instruction out = make(Opcode::kNcMatmul, std::move(dst), std::move(stationary), std::move(moving));
  return accumulate ? with(std::move(out), "accumulate", *accumulate) : out;
}

Instruction ncTranspose(View dst, View data, Engine engine) {
  return withEngine(make(Opcode::kNcTranspose, std::move(dst), std::move(data)), engine);
}

Instruction tensorTensor(View dst, View data1, View data2, Function op, Engine engine) {
  return withEngine(make(Opcode::kTensorTensor, std::move(dst), std::move(data1), std::move(data2), op), engine);
}

Instruction tensorScalar(View dst, View data, Function op0, Scalar operand0, bool reverse0) {
  Instruction out =
      make(Opcode::kTensorScalar, std::move(dst), std::move(data), op0, scalarArgument(std::move(operand0)));
  return withFlag(std::move(out), "reverse0", reverse0);
}

Instruction tensorScalar(View dst, View data, Function op0, Scalar operand0, bool reverse0, Function op1,
                         Scalar operand1, bool reverse1) {
  Instruction out = tensorScalar(std::move(dst), std::move(data), op0, std::move(operand0), reverse0);
  out = with(with(std::move(out), "op1", op1), "operand1", scalarArgument(std::move(operand1)));
  return withFlag(std::move(out), "reverse1", reverse1);
}

Instruction scalarTensorTensor(View dst, View data, Function op0, Scalar operand0, Function op1, View operand1,
                               bool reverse0, bool reverse1) {
  Instruction out = make(Opcode::kScalarTensorTensor, std::move(dst), std::move(data), op0,
                         scalarArgument(std::move(operand0)), op1, std::move(operand1));
  return withFlag(withFlag(std::move(out), "reverse0", reverse0), "reverse1", reverse1);
}

Instruction tensorReduce(View dst, Function op, View data, std::vector<int> axes, bool negate) {
  Instruction out = make(Opcode::kTensorReduce, std::move(dst), op, std::move(data), std::move(axes));
  return withFlag(std::move(out), "negate", negate);
}

Instruction activation(View dst, Function op, View data, Scalar bias, Scalar scale) {
  Instruction out = make(Opcode::kActivation, std::move(dst), op, std::move(data));
  if (!isNumber(bias, 0)) out = with(std::move(out), "bias", scalarArgument(std::move(bias)));
  if (!isNumber(scale, 1)) out = with(std::move(out), "scale", scalarArgument(std::move(scale)));
  return out;
}

Instruction activationReduce(View dst, Function op, View data, View reduce_res, Scalar bias, Scalar scale) {
  Instruction out = activation(std::move(dst), op, std::move(data), std::move(bias), std::move(scale));
  out = with(with(std::move(out), "reduce_op", Function::kAdd), "reduce_res", std::move(reduce_res));
  return with(std::move(out), "reduce_cmd", ReduceCommand::kResetReduce);
}

Instruction reciprocal(View dst, View data) { return make(Opcode::kReciprocal, std::move(dst), std::move(data)); }

Instruction tensorTensorScan(View dst, View data0, View data1, Scalar initial, Function op0, Function op1) {
  return make(Opcode::kTensorTensorScan, std::move(dst), std::move(data0), std::move(data1),
              scalarArgument(std::move(initial)), op0, op1);
}

Instruction affineSelect(View dst, std::vector<ApDim> pattern, Expr offset, Expr channel_multiplier, View on_true_tile,
                         Number on_false_value, Function cmp_op) {
  Instruction out = make(Opcode::kAffineSelect, std::move(dst), std::move(pattern), std::move(channel_multiplier),
                         std::move(on_true_tile), std::move(on_false_value));
  if (cmp_op != Function::kEqual) out = with(std::move(out), "cmp_op", cmp_op);
  return offset.isConstant(0) ? out : with(std::move(out), "offset", std::move(offset));
}

Instruction iota(View dst, std::vector<ApDim> pattern, Expr offset, Expr channel_multiplier) {
  Instruction out = make(Opcode::kIota, std::move(dst), std::move(pattern));
  if (!offset.isConstant(0)) out = with(std::move(out), "offset", std::move(offset));
  if (!channel_multiplier.isConstant(0))
    out = with(std::move(out), "channel_multiplier", std::move(channel_multiplier));
  return out;
}

Instruction max8(View dst, View src) { return make(Opcode::kMax8, std::move(dst), std::move(src)); }

Instruction ncFindIndex8(View dst, View data, View vals) {
  return make(Opcode::kNcFindIndex8, std::move(dst), std::move(data), std::move(vals));
}

Instruction ncNGather(View dst, View data, View indices) {
  return make(Opcode::kNcNGather, std::move(dst), std::move(data), std::move(indices));
}

Instruction selectReduce(View dst, View predicate, View on_true, Scalar on_false) {
  return make(Opcode::kSelectReduce, std::move(dst), std::move(predicate), std::move(on_true),
              scalarArgument(std::move(on_false)));
}

Instruction tensorScalarReduce(View dst, View data, Function op0, Scalar operand0, Function reduce_op,
                               View reduce_res) {
  return make(Opcode::kTensorScalarReduce, std::move(dst), std::move(data), op0, scalarArgument(std::move(operand0)),
              reduce_op, std::move(reduce_res));
}

}  // namespace np::tile
