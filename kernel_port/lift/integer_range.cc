// Interval arithmetic over the expression graph, each node once; what is not understood is unbounded.
#include "kernel_port/lift/integer_range.h"

#include <algorithm>

namespace np::kernel_port::lift {

namespace {

constexpr IntegerRange kAnything{-kUnbounded, kUnbounded};

int64_t clampWide(__int128 v) {
  return v > kUnbounded ? kUnbounded : v < -kUnbounded ? -kUnbounded : static_cast<int64_t>(v);
}

bool isTruth(Op op) {
  return op == Op::FloatCompare || op == Op::IntCompare || op == Op::And || op == Op::Or || op == Op::Not;
}

IntegerRange joined(const IntegerRange& a, const IntegerRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

IntegerRange signedRange(int width) {
  if (width >= 63 || width <= 0) return kAnything;
  return {-(int64_t{1} << (width - 1)), (int64_t{1} << (width - 1)) - 1};
}

IntegerRange unsignedRange(int width) {
  if (width >= 62 || width <= 0) return {0, kUnbounded};
  return {0, (int64_t{1} << width) - 1};
}

IntegerRange rangeOfType(launch::ElementType type) {
  using launch::ElementType;
  switch (type) {
    case ElementType::Bool:
      return {0, 1};
    case ElementType::I8:
      return signedRange(8);
    case ElementType::U8:
      return unsignedRange(8);
    case ElementType::I16:
      return signedRange(16);
    case ElementType::U16:
      return unsignedRange(16);
    case ElementType::I32:
      return signedRange(32);
    case ElementType::U32:
      return unsignedRange(32);
    case ElementType::U64:
      return unsignedRange(64);
    default:
      return kAnything;
  }
}

IntegerRange IntegerRanges::of(NodeId node) {
  if (auto it = known_.find(node); it != known_.end()) return it->second;
  IntegerRange range = compute(node);
  known_.emplace(node, range);
  return range;
}

IntegerRange IntegerRanges::of(const Value& value) {
  if (value.n == 0) return {value.i, value.i};
  IntegerRange range = of(value.n);
  if (value.bits == 0) return range;
  IntegerRange known = value.bits > 0 ? signedRange(value.bits) : unsignedRange(-value.bits);
  return {std::max(range.low, known.low), std::min(range.high, known.high)};
}

IntegerRange IntegerRanges::compute(NodeId node) {
  const Node n = dag_.node(node);
  if (isTruth(n.op)) return {0, 1};
  switch (n.op) {
    case Op::Const:
    case Op::Literal:
      return {static_cast<int64_t>(n.value), static_cast<int64_t>(n.value)};
    case Op::Input:
    case Op::Gather:
      return rangeOfType(memories_[static_cast<size_t>(n.aux)].type);
    case Op::Linear: {
      __int128 low = n.imm, high = n.imm;
      for (uint32_t i = 0; i < n.count; ++i) {
        IntegerRange arg = of(dag_.arg(node, i));
        auto factor = static_cast<__int128>(dag_.coefficient(node, i));
        low += factor * (factor < 0 ? arg.high : arg.low);
        high += factor * (factor < 0 ? arg.low : arg.high);
      }
      return {clampWide(low), clampWide(high)};
    }
    case Op::Select:
      return joined(of(dag_.arg(node, 1)), of(dag_.arg(node, 2)));
    case Op::IntOp:
      return operation(node);
    default:
      return kAnything;
  }
}

// Functions of two integers; anything where neither operand bounds the result.
IntegerRange IntegerRanges::operation(NodeId node) {
  IntegerRange a = of(dag_.arg(node, 0)), b = of(dag_.arg(node, 1));
  switch (static_cast<spec::BinOp>(dag_.node(node).aux)) {
    case spec::BinOp::Max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case spec::BinOp::Min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case spec::BinOp::BitAnd:
      if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
      if (a.low >= 0 || b.low >= 0) return {0, a.low >= 0 ? a.high : b.high};
      return kAnything;
    case spec::BinOp::IDiv:  // towards zero, so never farther from it than the dividend
      return {std::min<int64_t>(a.low, b.low < 0 ? -a.high : 0), std::max<int64_t>(a.high, b.low < 0 ? -a.low : 0)};
    case spec::BinOp::IMod: {
      int64_t most = std::max(std::max(b.high, -b.low) - 1, int64_t{0});
      return {a.low >= 0 ? 0 : std::max(-most, a.low), a.high <= 0 ? 0 : std::min(most, a.high)};
    }
    case spec::BinOp::Shr:
      return {std::min<int64_t>(a.low, 0), std::max<int64_t>(a.high, 0)};
    default:
      return kAnything;
  }
}

}  // namespace np::kernel_port::lift
