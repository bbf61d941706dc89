// Hash-consing arena of expressions and the raw constructors.
//
// An open-addressing table over flat arrays: a run makes millions of nodes, and a std::map costs ten times as much.
// Only rewrites that are exact for every value are done here (constants, x + 0, x * 1, select of equal arms); anything
// that needs an assumption belongs to the canonicaliser, except 0 * x, which would drag masked-out terms along.
#include "kernel_port/lift/expr_dag.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace np::kernel_port::lift {

int64_t bitsOf(double value) { return std::bit_cast<int64_t>(value); }
double doubleOf(int64_t bits) { return std::bit_cast<double>(bits); }

ExprDag::ExprDag() : table_(size_t{1} << 12, 0) {
  nodes_.emplace_back();
  hashes_.push_back(0);
}

uint64_t ExprDag::hash(const Node& node, std::span<const NodeId> args, std::span<const double> coefficients) const {
  uint64_t h = static_cast<uint64_t>(node.op) * 1000003u + static_cast<uint64_t>(node.aux) * 7919u;
  auto mix = [&h](uint64_t x) {
    h = (h ^ x) * 0xff51afd7ed558ccdull;
    h ^= h >> 32;
  };
  mix(static_cast<uint64_t>(node.imm) + 0x9e3779b97f4a7c15ull);
  for (size_t i = 0; i < args.size(); ++i) {
    mix(args[i]);
    if (!coefficients.empty() && coefficients[i] != 1) mix(static_cast<uint64_t>(bitsOf(coefficients[i])));
  }
  return h;
}

bool ExprDag::same(NodeId id, const Node& node, std::span<const NodeId> args,
                   std::span<const double> coefficients) const {
  const Node& old = nodes_[id];
  if (old.op != node.op || old.aux != node.aux || old.imm != node.imm || old.count != args.size()) return false;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args_[old.first + i] != args[i]) return false;
    if (coefficients_[old.first + i] != (coefficients.empty() ? 1.0 : coefficients[i])) return false;
  }
  return true;
}

void ExprDag::grow() {
  table_.assign(table_.size() * 2, 0);
  size_t mask = table_.size() - 1;
  for (NodeId id = 1; id < nodes_.size(); ++id) {
    size_t slot = hashes_[id] & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = id;
  }
}

NodeId ExprDag::make(Op op, int32_t aux, int64_t imm, std::span<const NodeId> args, double value,
                     std::span<const double> coefficients) {
  Node node{op, aux, imm, value, static_cast<uint32_t>(args_.size()), static_cast<uint32_t>(args.size())};
  uint64_t h = hash(node, args, coefficients);
  size_t mask = table_.size() - 1;
  size_t slot = h & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask)
    if (hashes_[table_[slot]] == h && same(table_[slot], node, args, coefficients)) return table_[slot];
  auto id = static_cast<NodeId>(nodes_.size());
  // `args` may point into args_ itself: copy by index after reserving.
  std::vector<NodeId> own(args.begin(), args.end());
  args_.insert(args_.end(), own.begin(), own.end());
  if (coefficients.empty()) {
    coefficients_.resize(args_.size(), 1.0);
  } else {
    std::vector<double> factors(coefficients.begin(), coefficients.end());
    coefficients_.insert(coefficients_.end(), factors.begin(), factors.end());
  }
  nodes_.push_back(node);
  hashes_.push_back(h);
  table_[slot] = id;
  if (nodes_.size() * 2 > table_.size()) grow();
  return id;
}

NodeId ExprDag::constant(double value) {
  if (value == 0) value = 0;  // one zero
  return make(Op::Const, 0, bitsOf(value), {}, value);
}
NodeId ExprDag::literal(int64_t value) { return make(Op::Literal, 0, value, {}, static_cast<double>(value)); }
NodeId ExprDag::param(int32_t scalar, double value) { return make(Op::Param, scalar, 0, {}, value); }
NodeId ExprDag::input(int32_t buffer, int64_t element, double value) {
  return make(Op::Input, buffer, element, {}, value);
}
NodeId ExprDag::gather(int32_t buffer, std::span<const NodeId> indices, double value, bool guarded) {
  return make(Op::Gather, buffer, guarded ? 1 : 0, indices, value);
}

NodeId ExprDag::add(NodeId a, NodeId b) {
  if (isConst(a) && isConst(b)) return constant(value(a) + value(b));
  if (isConst(a, 0)) return b;
  if (isConst(b, 0)) return a;
  return make(Op::Add, 0, 0, std::array{a, b}, value(a) + value(b));
}

NodeId ExprDag::sub(NodeId a, NodeId b) {
  if (isConst(a) && isConst(b)) return constant(value(a) - value(b));
  if (isConst(b, 0)) return a;
  if (isConst(b)) return add(a, constant(-value(b)));
  if (isConst(a, 0)) return neg(b);
  return make(Op::Sub, 0, 0, std::array{a, b}, value(a) - value(b));
}

NodeId ExprDag::div(NodeId a, NodeId b) {
  if (isConst(a) && isConst(b)) return constant(value(a) / value(b));
  if (isConst(b, 1)) return a;
  return make(Op::Div, 0, 0, std::array{a, b}, value(a) / value(b));
}

NodeId ExprDag::mul(NodeId a, NodeId b) {
  if (isConst(b)) std::swap(a, b);
  if (isConst(a) && isConst(b)) return constant(value(a) * value(b));
  if (isConst(a, 1)) return b;
  if (isConst(a, 0)) {
    assume("finite inputs: 0 times a value is 0");
    return a;
  }
  return make(Op::Mul, 0, 0, std::array{a, b}, value(a) * value(b));
}

NodeId ExprDag::recip(NodeId a) {
  if (isConst(a)) return constant(1 / value(a));
  if (op(a) == Op::Recip) return arg(a, 0);
  return make(Op::Recip, 0, 0, std::array{a}, 1 / value(a));
}

NodeId ExprDag::extremum(bool minimum, NodeId a, NodeId b) {
  double x = value(a), y = value(b);
  double v = minimum ? std::fmin(x, y) : std::fmax(x, y);
  if (a == b) return a;
  if (isConst(a) && isConst(b)) return constant(v);
  double neutral = minimum ? INFINITY : -INFINITY;
  if (isConst(a, neutral)) return b;
  if (isConst(b, neutral)) return a;
  if (a > b) std::swap(a, b);
  return make(minimum ? Op::Min : Op::Max, 0, 0, std::array{a, b}, v);
}

NodeId ExprDag::call(spec::UnOp function, NodeId a) {
  double v = evaluateUnary(function, value(a));
  if (isConst(a)) return constant(v);
  return make(Op::Call, static_cast<int32_t>(function), 0, std::array{a}, v);
}

NodeId ExprDag::call2(spec::BinOp function, NodeId a, NodeId b) {
  double v = evaluateBinary(function, value(a), value(b));
  if (isConst(a) && isConst(b)) return constant(v);
  return make(Op::Call2, static_cast<int32_t>(function), 0, std::array{a, b}, v);
}

NodeId ExprDag::cast(spec::DType type, NodeId a) {
  double v = spec::roundToType(value(a), type);
  if (isConst(a)) return constant(v);
  if (op(a) == Op::Cast && node(a).aux == static_cast<int32_t>(type)) return a;
  return make(Op::Cast, static_cast<int32_t>(type), 0, std::array{a}, v);
}

NodeId ExprDag::floatCompare(spec::CmpOp relation, NodeId a, NodeId b) {
  bool v = evaluateCompare(relation, value(a), value(b));
  if (isConst(a) && isConst(b)) return constant(v);
  return make(Op::FloatCompare, static_cast<int32_t>(relation), 0, std::array{a, b}, v);
}

NodeId ExprDag::logicNot(NodeId a) {
  if (isConst(a)) return constant(value(a) == 0);
  if (op(a) == Op::Not) return arg(a, 0);
  if (op(a) == Op::IntCompare) {  // exact for integers: not (x < 0) is -x <= 0
    auto relation = static_cast<spec::CmpOp>(node(a).aux);
    NodeId x = arg(a, 0);
    if (relation == spec::CmpOp::Eq) return intCompare(spec::CmpOp::Ne, x);
    if (relation == spec::CmpOp::Ne) return intCompare(spec::CmpOp::Eq, x);
    return intCompare(relation == spec::CmpOp::Lt ? spec::CmpOp::Le : spec::CmpOp::Lt, linear({{x, -1}}, 0));
  }
  return make(Op::Not, 0, 0, std::array{a}, value(a) == 0);
}

NodeId ExprDag::logic(bool either, NodeId a, NodeId b) {
  if (isConst(a)) std::swap(a, b);
  if (isConst(b)) return (value(b) != 0) == either ? b : a;
  if (a == b) return a;
  bool x = value(a) != 0, y = value(b) != 0;
  return make(either ? Op::Or : Op::And, 0, 0, std::array{a, b}, either ? x || y : x && y);
}

NodeId ExprDag::select(NodeId condition, NodeId a, NodeId b) {
  if (isConst(condition)) return value(condition) != 0 ? a : b;
  if (a == b) return a;
  if (op(condition) == Op::Not) return select(arg(condition, 0), b, a);
  return make(Op::Select, 0, 0, std::array{condition, a, b}, value(condition) != 0 ? value(a) : value(b));
}

NodeId ExprDag::toFloat(NodeId integer) {
  if (op(integer) == Op::Linear && node(integer).count == 0) integer = literal(node(integer).imm);
  return make(Op::ToFloat, 0, 0, std::array{integer}, value(integer));
}

NodeId ExprDag::toInt(NodeId a) { return make(Op::ToInt, 0, 0, std::array{a}, std::trunc(value(a))); }

NodeId ExprDag::linear(std::vector<std::pair<NodeId, int64_t>> terms, int64_t constant) {
  std::vector<std::pair<NodeId, int64_t>> flat;
  for (auto [id, factor] : terms) {
    const Node& n = nodes_[id];
    if (n.op == Op::Linear) {
      constant += factor * n.imm;
      for (uint32_t i = 0; i < n.count; ++i)
        flat.emplace_back(arg(id, i), factor * static_cast<int64_t>(coefficient(id, i)));
    } else if (n.op == Op::Literal || n.op == Op::Const) {
      constant += factor * static_cast<int64_t>(n.value);
    } else {
      flat.emplace_back(id, factor);
    }
  }
  std::sort(flat.begin(), flat.end());
  std::vector<NodeId> ids;
  std::vector<double> factors;
  auto v = static_cast<double>(constant);
  for (size_t i = 0; i < flat.size();) {
    int64_t factor = 0;
    NodeId id = flat[i].first;
    for (; i < flat.size() && flat[i].first == id; ++i) factor += flat[i].second;
    if (factor == 0) continue;
    ids.push_back(id);
    factors.push_back(static_cast<double>(factor));
    v += static_cast<double>(factor) * value(id);
  }
  return make(Op::Linear, 0, constant, ids, v, factors);
}

NodeId ExprDag::intCompare(spec::CmpOp relation, NodeId integer) {
  bool symmetric = relation == spec::CmpOp::Eq || relation == spec::CmpOp::Ne;
  if (symmetric && op(integer) == Op::Linear && node(integer).count > 0 && coefficient(integer, 0) < 0)
    integer = linear({{integer, -1}}, 0);  // a == b and b == a are one node
  bool v = evaluateCompare(relation, value(integer), 0);
  if (op(integer) == Op::Linear && node(integer).count == 0) return constant(v);
  return make(Op::IntCompare, static_cast<int32_t>(relation), 0, std::array{integer}, v);
}

NodeId ExprDag::intOp(spec::BinOp op, NodeId a, NodeId b, int64_t value) {
  using spec::BinOp;
  bool commutes = op == BinOp::Mul || op == BinOp::BitAnd || op == BinOp::BitOr || op == BinOp::BitXor ||
                  op == BinOp::Max || op == BinOp::Min;
  if (commutes && b < a) std::swap(a, b);
  return make(Op::IntOp, static_cast<int32_t>(op), 0, std::array{a, b}, static_cast<double>(value));
}

}  // namespace np::kernel_port::lift
