// Elementwise operations.
//
// A value that does not vary along the free axes is a per-partition operand: x*s + b is one activation or
// tensor_scalar, (x op s) op y one scalar_tensor_tensor. An operation is folded into its user only where nothing else
// uses it and its type is f32, since what is folded is not rounded. Engines read 8- and 16-bit tiles as fp32, so
// widening casts cost nothing.

#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Dtype;
using tile::Function;
using tile::Memory;

namespace {

Function functionOf(Node e, bool reversed) {
  if (e->op == Op::Cmp) {
    switch (e->cmp()) {
      case CmpOp::Lt:
        return reversed ? Function::kGreater : Function::kLess;
      case CmpOp::Le:
        return reversed ? Function::kGreaterEqual : Function::kLessEqual;
      case CmpOp::Eq:
        return Function::kEqual;
      case CmpOp::Ne:
        return Function::kNotEqual;
    }
  }
  switch (e->bin()) {
    case BinOp::Add:
      return Function::kAdd;
    case BinOp::Sub:
      return Function::kSubtract;
    case BinOp::Max:
      return Function::kMaximum;
    case BinOp::Min:
      return Function::kMinimum;
    case BinOp::Pow:
      return Function::kPower;
    default:
      return Function::kMultiply;
  }
}

// Whether "u op x" has to be said as reversed "x op u".
bool needsReverse(Node e) { return e->op == Op::Bin && (e->bin() == BinOp::Sub || e->bin() == BinOp::Pow); }

bool hasReduction(Node e) {
  for (Node node : postOrder(e)) {
    if (node->op == Op::Red) return true;
  }
  return false;
}

bool isReciprocal(Node e) { return e->op == Op::Bin && e->bin() == BinOp::Div; }

}  // namespace

bool Generator::fusable(Node e, Axis p, const Axes& fs, const Env& env) {
  if (e->op != Op::Bin || e->type != DType::F32 || isReciprocal(e) || numberOf(e)) return false;
  const auto uses = uses_.find(e);
  if (uses != uses_.end() && uses->second > 1) return false;
  return !find(demandKey(e, p, fs, env));
}

std::optional<Generator::Split> Generator::split(Node e, Axis p, const Axes& fs, const Env& env) {
  if (fs.empty() || !fusable(e, p, fs, env)) return std::nullopt;
  const bool ua = uniform(e->args[0], fs), ub = uniform(e->args[1], fs);
  if (ua == ub) return std::nullopt;
  return Split{functionOf(e, ua), e->args[ua ? 1 : 0], e->args[ua ? 0 : 1], ua && needsReverse(e)};
}

Result<Value> Generator::genBinary(Node e, Axis p, const Axes& fs, const Env& env) {
  if (e->op == Op::Bin && !isFloat(e->type)) return genIntegerSum(e, p, fs, env);
  Node a = e->args[0], b = e->args[1];
  for (Node arg : e->args) {
    if (arg->op == Op::Load && (arg->type == DType::I32 || arg->type == DType::U32)) {
      return makeError("SCHED-INTEGER",
                       "32-bit integers of \"" + arg->name + "\" are compared, which is exact only below 2^24");
    }
  }
  const SymInt partitions = partitionsOf(e, p, env);
  if (isReciprocal(e)) {
    NP_ASSIGN(Value data, need(b, p, fs, env));
    NP_ASSIGN(data, column(data, partitions));
    Value out = allocateFor(e, p, fs, env);
    NP_ASSIGN(tile::View from, view(data, partitions, fs, presence(e, fs), env));
    emit(tile::reciprocal(tile::View(out.buffer), from));
    return out;
  }
  bool ua = uniform(a, fs), ub = uniform(b, fs);
  if (fs.empty()) {
    ua = numberOf(a).has_value();
    ub = !ua;
  }
  if (ua || ub) {
    return ub ? genWithUniform(e, functionOf(e, false), a, b, false, p, fs, env)
              : genWithUniform(e, functionOf(e, true), b, a, needsReverse(e), p, fs, env);
  }
  const std::vector<bool> present = presence(e, fs);
  for (int side = 0; side < 2; ++side) {
    const auto inner = split(e->args[side], p, fs, env);
    if (!inner) continue;
    Node other = e->args[1 - side];
    if (hasReduction(inner->uniform)) NP_TRY(need(inner->uniform, p, {}, env));
    NP_ASSIGN(Value data, need(inner->data, p, fs, env));
    NP_ASSIGN(Value with, need(other, p, fs, env));
    if (data.memory == Memory::kPsum && with.memory == Memory::kPsum) with = toSbuf(with);
    NP_ASSIGN(Value operand, need(inner->uniform, p, {}, env));
    Value out = allocateFor(e, p, fs, env);
    NP_ASSIGN(tile::View x, view(data, partitions, fs, present, env));
    NP_ASSIGN(tile::View y, view(with, partitions, fs, present, env));
    emit(tile::scalarTensorTensor(tile::View(out.buffer), x, inner->op, scalar(operand, partitions),
                                  functionOf(e, side == 1), y, inner->reverse, side == 1 && needsReverse(e)));
    return out;
  }
  NP_ASSIGN(Value x, need(a, p, fs, env));
  NP_ASSIGN(Value y, need(b, p, fs, env));
  if (x.memory == Memory::kPsum && y.memory == Memory::kPsum) y = toSbuf(y);
  Value out = allocateFor(e, p, fs, env);
  NP_ASSIGN(tile::View left, view(x, partitions, fs, present, env));
  NP_ASSIGN(tile::View right, view(y, partitions, fs, present, env));
  emit(tile::tensorTensor(tile::View(out.buffer), left, right, functionOf(e, false)));
  return out;
}

Result<Value> Generator::genWithUniform(Node e, Function op, Node data, Node uniform_node, bool reverse, Axis p,
                                        const Axes& fs, const Env& env) {
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  // Statistics first: they may leave the data behind, as a sum of exponentials does.
  if (hasReduction(uniform_node)) NP_TRY(need(uniform_node, p, {}, env));
  const auto inner = split(data, p, fs, env);
  if (inner && hasReduction(inner->uniform)) NP_TRY(need(inner->uniform, p, {}, env));
  NP_ASSIGN(Value x, need(inner ? inner->data : data, p, fs, env));
  NP_ASSIGN(x, column(x, partitions));
  NP_ASSIGN(Value u, need(uniform_node, p, {}, env));
  std::optional<Value> first;
  if (inner) {
    NP_ASSIGN(first, need(inner->uniform, p, {}, env));
  }
  Value out = allocateFor(e, p, fs, env);
  NP_ASSIGN(tile::View from, view(x, partitions, fs, present, env));
  const tile::Scalar operand = scalar(u, partitions);
  if (inner) {
    emit(tile::tensorScalar(tile::View(out.buffer), from, inner->op, scalar(*first, partitions), inner->reverse, op,
                            operand, reverse));
  } else {
    emit(tile::tensorScalar(tile::View(out.buffer), from, op, operand, reverse));
  }
  return out;
}

namespace {

std::optional<Function> activationOf(UnOp op) {
  switch (op) {
    case UnOp::Abs:
      return Function::kAbs;
    case UnOp::Square:
      return Function::kSquare;
    case UnOp::Sqrt:
      return Function::kSqrt;
    case UnOp::Rsqrt:
      return Function::kRsqrt;
    case UnOp::Exp:
      return Function::kExp;
    case UnOp::Log:
      return Function::kLog;
    case UnOp::Tanh:
      return Function::kTanh;
    case UnOp::Erf:
      return Function::kErf;
    default:
      return std::nullopt;
  }
}

}  // namespace

// `sum`, if given, receives the sum of the result over the free axes in the same instruction.
Result<Value> Generator::genUnary(Node e, Axis p, const Axes& fs, const Env& env, const tile::View* sum) {
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  Node x = e->args[0];
  if (e->un() == UnOp::Neg) {
    NP_ASSIGN(Value data, need(x, p, fs, env));
    NP_ASSIGN(data, column(data, partitions));
    Value out = allocateFor(e, p, fs, env);
    NP_ASSIGN(tile::View from, view(data, partitions, fs, present, env));
    emit(tile::tensorScalar(tile::View(out.buffer), from, Function::kMultiply, tile::Number(-1.0)));
    return out;
  }
  const auto function = activationOf(e->un());
  if (!function) return makeError("SCHED-FUNCTION", "a function has no NeuronCore instruction");
  // op(data*scale + bias): peel an addition, then a multiplication.
  tile::Scalar bias = tile::Number(0.0), scale = tile::Number(1.0);
  std::optional<Split> add = split(x, p, fs, env);
  if (add && (add->op == Function::kAdd || add->op == Function::kSubtract)) {
    NP_ASSIGN(Value u, need(add->uniform, p, {}, env));
    if (add->op == Function::kSubtract && !add->reverse) {
      NP_ASSIGN(u, need(arena_.un(UnOp::Neg, add->uniform), p, {}, env));
    }
    bias = scalar(u, partitions);
    if (add->reverse) scale = tile::Number(-1.0);
    x = add->data;
  }
  const bool negated = add && add->reverse && add->op == Function::kSubtract;
  std::optional<Split> multiply = negated ? std::nullopt : split(x, p, fs, env);
  if (multiply && multiply->op == Function::kMultiply) {
    NP_ASSIGN(Value u, need(multiply->uniform, p, {}, env));
    scale = scalar(u, partitions);
    x = multiply->data;
  }
  NP_ASSIGN(Value data, need(x, p, fs, env));
  NP_ASSIGN(data, column(data, partitions));
  Value out = allocateFor(e, p, fs, env);
  NP_ASSIGN(tile::View from, view(data, partitions, fs, present, env));
  emit(sum ? tile::activationReduce(tile::View(out.buffer), *function, from, *sum, bias, scale)
           : tile::activation(tile::View(out.buffer), *function, from, bias, scale));
  return out;
}

Result<Value> Generator::genSelect(Node e, Axis p, const Axes& fs, const Env& env) {
  Node condition = e->args[0], then = e->args[1], otherwise = e->args[2];
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  NP_ASSIGN(Value predicate, need(condition, p, fs, env));
  NP_ASSIGN(Value taken, need(then, p, fs, env));
  Value out;
  // An else branch that nobody else uses is made in the result's own tile.
  const bool own = (otherwise->op == Op::Bin || otherwise->op == Op::Un) && !numberOf(otherwise) &&
                   uses_[otherwise] <= 1 && freeOf(otherwise) == freeOf(e) && otherwise->type == e->type &&
                   !mustTranspose(otherwise, p, fs) && !find(demandKey(otherwise, p, fs, env));
  if (own) {
    NP_ASSIGN(out, gen(otherwise, p, fs, env));
  } else {
    NP_ASSIGN(Value other, need(otherwise, p, fs, env));
    out = allocateFor(e, p, fs, env);
    if (other.number) {
      emit(tile::fill(tile::View(out.buffer), *other.number));
    } else {
      NP_ASSIGN(tile::View from, view(other, partitions, fs, present, env));
      copy(tile::View(out.buffer), from);
    }
  }
  if (!taken.number && taken.dtype != out.dtype) taken = copyAs(taken, out.dtype, partitionsOf(then, p, env));
  NP_ASSIGN(tile::View mask, view(predicate, partitions, fs, present, env));
  tile::Scalar source = tile::Number(0.0);
  if (taken.number) {
    source = *taken.number;
  } else {
    NP_ASSIGN(source, view(taken, partitions, fs, present, env));
  }
  emit(tile::tensorCopyPredicated(tile::View(out.buffer), source, mask));
  return out;
}

Result<Value> Generator::genLogic(Node e, Axis p, const Axes& fs, const Env& env) {
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  NP_ASSIGN(Value a, need(e->args[0], p, fs, env));
  if (e->logic() == LogicOp::Not) {
    Value out = allocateFor(e, p, fs, env);
    NP_ASSIGN(tile::View from, view(a, partitions, fs, present, env));
    emit(tile::tensorScalar(tile::View(out.buffer), from, Function::kEqual, tile::Number(0.0)));
    return out;
  }
  NP_ASSIGN(Value b, need(e->args[1], p, fs, env));
  Value out = allocateFor(e, p, fs, env);
  NP_ASSIGN(tile::View left, view(a, partitions, fs, present, env));
  NP_ASSIGN(tile::View right, view(b, partitions, fs, present, env));
  // 0 and 1: and is the minimum, or the maximum.
  emit(tile::tensorTensor(tile::View(out.buffer), left, right,
                          e->logic() == LogicOp::And ? Function::kMinimum : Function::kMaximum));
  return out;
}

Result<Value> Generator::genCast(Node e, Axis p, const Axes& fs, const Env& env) {
  Node from = e->args[0];
  const bool wide_result = e->type == DType::I32 || e->type == DType::U32;
  const auto bound = wide_result && from->type == DType::F32 ? integralBound(from) : std::nullopt;
  if (bound && !facts_.decide(*bound, 1 << 24))
    return makeError("SCHED-INTEGER", "a sum of integers may exceed 2^24, up to which fp32 counts exactly");
  if (!isFloat(e->type) && !bound)
    return makeError("SCHED-CAST",
                     "a conversion to \"" + std::string(dtypeName(e->type)) + "\" rounds otherwise than CUDA does");
  NP_ASSIGN(Value value, need(from, p, fs, env));
  const bool wide = !value.number && (value.dtype == Dtype::kI32 || value.dtype == Dtype::kU32);
  if (e->type == DType::F32) return wide ? copyAs(value, Dtype::kF32, partitionsOf(e, p, env)) : value;
  NP_ASSIGN(const Dtype dtype, toTileDtype(e->type));
  if (isFloat(from->type) && value.dtype == dtype) return value;
  NP_ASSIGN(value, column(value, partitionsOf(e, p, env)));
  return copyAs(value, dtype, partitionsOf(e, p, env));
}

}  // namespace np::kernel_port::schedule
