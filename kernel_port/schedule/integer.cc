// 32-bit integers that sums of small ones make: counts, histograms.
//
// The sum itself is taken in fp32, which is exact below 2^24; the schedule asks for sizes at which it stays below.
// Adding it to a 32-bit integer of the input is exact on GpSimd; that the result has 32 bits is an assumption about the
// data, which the module checks (driver/integer_assumptions.h).
#include "kernel_port/schedule/generator.h"

namespace np::kernel_port::schedule {

using namespace spec;
using tile::Dtype;

// The greatest magnitude of an fp32 value that is a non-negative integer by construction, over sizes.
std::optional<SymInt> Generator::integralBound(Node e) const {
  switch (e->op) {
    case Op::Const:
      if (e->value < 0 || e->value != static_cast<double>(static_cast<int64_t>(e->value))) return std::nullopt;
      return SymInt(static_cast<int64_t>(e->value));
    case Op::Cast: {
      Node from = e->args[0];
      if (from->op == Op::Size) return toSymInt(from->size);
      if (from->op != Op::Load || !from->args.empty()) return std::nullopt;
      if (from->type == DType::U8) return SymInt(255);
      if (from->type == DType::U16) return SymInt(65'535);
      return std::nullopt;
    }
    case Op::Sel: {
      const auto a = integralBound(e->args[1]), b = integralBound(e->args[2]);
      if (!a || !b) return std::nullopt;
      return maximum(*a, *b);
    }
    case Op::Bin: {
      const auto a = integralBound(e->args[0]), b = integralBound(e->args[1]);
      if (!a || !b || (e->bin() != BinOp::Add && e->bin() != BinOp::Mul)) return std::nullopt;
      return e->bin() == BinOp::Add ? *a + *b : *a * *b;
    }
    case Op::Red: {
      const auto body = integralBound(e->args[0]);
      if (!body || e->red() != RedOp::Sum || e->args.size() > 1) return std::nullopt;
      return toSymInt(e->size) * *body;
    }
    default:
      return std::nullopt;
  }
}

Result<Value> Generator::genIntegerSum(Node e, Axis p, const Axes& fs, const Env& env) {
  const auto isSum = [](Node n) { return n->op == Op::Cast && n->args[0]->type == DType::F32; };
  const auto isData = [](Node n) { return n->op == Op::Load && n->args.empty() && !n->padded; };
  const bool known = (isData(e->args[0]) && isSum(e->args[1])) || (isData(e->args[1]) && isSum(e->args[0]));
  if (!known || (e->type != DType::I32 && e->type != DType::U32))
    return makeError("SCHED-INTEGER", "integer arithmetic other than adding a count to the input is not scheduled yet");
  const Dtype dtype = e->type == DType::I32 ? Dtype::kI32 : Dtype::kU32;
  const SymInt partitions = partitionsOf(e, p, env);
  const std::vector<bool> present = presence(e, fs);
  std::vector<tile::View> views;
  for (Node arg : e->args) {
    NP_ASSIGN(Value value, need(arg, p, fs, env));
    const SymInt own = partitionsOf(arg, p, env);
    NP_ASSIGN(value, column(value, own));
    if (value.dtype != dtype || value.memory != tile::Memory::kSbuf) value = copyAs(value, dtype, own);
    NP_ASSIGN(tile::View operand, view(value, partitions, fs, present, env));
    views.push_back(operand);
  }
  Value out = allocate("t", partitions, present, fs, env, dtype);
  emit(tile::tensorTensor(tile::View(out.buffer), views[0], views[1], tile::Function::kAdd, tile::Engine::kGpsimd));
  return out;
}

}  // namespace np::kernel_port::schedule
