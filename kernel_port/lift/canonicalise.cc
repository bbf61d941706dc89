// Dispatch, extrema, selections and substitution of the canonicaliser; sums and products have files of their own.
//
// Recursion follows operands, which have smaller ids, and stops at canonical nodes, which map to themselves.
#include "kernel_port/lift/canonicalise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace np::kernel_port::lift {

using spec::CmpOp;
using spec::UnOp;

NodeId Canonicaliser::canonical(NodeId raw) {
  if (raw < memo_.size() && memo_[raw] != 0) return memo_[raw];
  NodeId result = compute(raw);
  if (memo_.size() < dag_.size()) memo_.resize(dag_.size() + 1024, 0);
  memo_[raw] = result;
  memo_[result] = result;
  return result;
}

NodeId Canonicaliser::compute(NodeId raw) {
  Node n = dag_.node(raw);
  switch (n.op) {
    case Op::Add:
    case Op::Sub:
      return canonicalAdd(raw);
    case Op::Div:
      return product(1, {canonical(dag_.arg(raw, 0)), recip(canonical(dag_.arg(raw, 1)))});
    case Op::Mul:
      return canonicalMul(raw);
    case Op::Recip:
      return recip(canonical(dag_.arg(raw, 0)));
    case Op::Max:
    case Op::Min:
      return canonicalExtremum(raw);
    case Op::Select:
      return canonicalSelect(raw);
    case Op::None:
    case Op::Const:
    case Op::Literal:
    case Op::Param:
    case Op::Input:
      return raw;
    default: {
      std::vector<NodeId> args = dag_.argList(raw);
      for (NodeId& a : args) a = canonical(a);
      return rebuild(raw, std::move(args));
    }
  }
}

// A canonical node like the canonical node `id` with other canonical arguments.
NodeId Canonicaliser::rebuild(NodeId id, std::vector<NodeId> args) {
  Node n = dag_.node(id);
  switch (n.op) {
    case Op::Sum: {
      Terms terms;
      terms.constant = doubleOf(n.imm);
      for (uint32_t i = 0; i < n.count; ++i)  // a term that is itself a sum was kept whole on purpose
        addTerm(terms, args[i], dag_.coefficient(id, i), dag_.op(dag_.arg(id, i)) == Op::Sum);
      merge(terms);
      return makeSum(terms);
    }
    case Op::Product:
      return product(doubleOf(n.imm), std::move(args));
    case Op::Recip:
      return recip(args[0]);
    case Op::MaxOf:
    case Op::MinOf: {
      std::vector<NodeId> set;
      double bound = doubleOf(n.imm);
      for (NodeId a : args) addExtremum(set, bound, a, n.op == Op::MinOf);
      return makeExtremum(std::move(set), bound, n.op == Op::MinOf);
    }
    case Op::Call: {
      auto function = static_cast<UnOp>(n.aux);
      if (function == UnOp::Square) return product(1, {args[0], args[0]});
      if (function == UnOp::Neg) return product(-1, {args[0]});
      return dag_.call(function, args[0]);
    }
    case Op::Call2:
      return dag_.call2(static_cast<spec::BinOp>(n.aux), args[0], args[1]);
    case Op::Cast:
      return dag_.cast(static_cast<spec::DType>(n.aux), args[0]);
    case Op::Select:
      return selectOf(args[0], args[1], args[2]);
    case Op::FloatCompare: {
      auto relation = static_cast<CmpOp>(n.aux);
      bool symmetric = relation == CmpOp::Eq || relation == CmpOp::Ne;
      if (symmetric && order_ == FactorOrder::Sorted && args[0] > args[1]) std::swap(args[0], args[1]);
      return dag_.floatCompare(relation, args[0], args[1]);
    }
    case Op::Not:
      return dag_.logicNot(args[0]);
    case Op::And:
    case Op::Or:
      if (order_ == FactorOrder::Sorted && args[0] > args[1]) std::swap(args[0], args[1]);
      return dag_.logic(n.op == Op::Or, args[0], args[1]);
    case Op::IntCompare:
      return dag_.intCompare(static_cast<CmpOp>(n.aux), args[0]);
    case Op::Linear: {
      std::vector<std::pair<NodeId, int64_t>> terms;
      for (uint32_t i = 0; i < n.count; ++i) terms.emplace_back(args[i], static_cast<int64_t>(dag_.coefficient(id, i)));
      return dag_.linear(std::move(terms), n.imm);
    }
    case Op::ToFloat:
      return dag_.toFloat(args[0]);
    default:
      return dag_.make(n.op, n.aux, n.imm, args, n.value);
  }
}

void Canonicaliser::addExtremum(std::vector<NodeId>& set, double& bound, NodeId canonical, bool minimum) {
  Node n = dag_.node(canonical);
  auto tighten = [&](double c) { bound = minimum ? std::fmin(bound, c) : std::fmax(bound, c); };
  if (n.op == Op::Const) {
    tighten(n.value);
  } else if (n.op == (minimum ? Op::MinOf : Op::MaxOf)) {
    tighten(doubleOf(n.imm));
    for (NodeId a : dag_.args(canonical)) set.push_back(a);
  } else {
    set.push_back(canonical);
  }
}

NodeId Canonicaliser::makeExtremum(std::vector<NodeId> set, double bound, bool minimum) {
  constexpr double kHuge = 3e38;  // -FLT_MAX and the like as the start of a running maximum
  double none = minimum ? INFINITY : -INFINITY;
  if (!std::isinf(bound) && (minimum ? bound > kHuge : bound < -kHuge) && !set.empty()) {
    dag_.assume("values are above -FLT_MAX and below FLT_MAX");
    bound = none;
  }
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  if (set.empty()) return dag_.constant(bound);
  if (set.size() == 1 && bound == none) return set[0];
  double v = bound;
  for (NodeId id : set) v = minimum ? std::fmin(v, dag_.value(id)) : std::fmax(v, dag_.value(id));
  return dag_.make(minimum ? Op::MinOf : Op::MaxOf, 0, bitsOf(bound), set, v);
}

NodeId Canonicaliser::canonicalExtremum(NodeId raw) {
  Op op = dag_.op(raw);
  bool minimum = op == Op::Min;
  std::vector<NodeId> stack{raw}, set, seen;
  double bound = minimum ? INFINITY : -INFINITY;
  while (!stack.empty()) {
    // Largest id first, so that shared operands are met together and visited once.
    std::pop_heap(stack.begin(), stack.end());
    NodeId id = stack.back();
    stack.pop_back();
    while (!stack.empty() && stack.front() == id) {
      std::pop_heap(stack.begin(), stack.end());
      stack.pop_back();
    }
    if (dag_.op(id) != op) {
      addExtremum(set, bound, canonical(id), minimum);
      continue;
    }
    for (uint32_t i = 0; i < 2; ++i) {
      stack.push_back(dag_.arg(id, i));
      std::push_heap(stack.begin(), stack.end());
    }
  }
  return makeExtremum(std::move(set), bound, minimum);
}

// A step of a running sum or maximum that a condition guards is a step by a guarded amount:
// `c ? s + t : s` is s + (c ? t : 0), `c ? max(s, t) : s` is max(s, c ? t : -inf). 0 where `raw` is something else.
NodeId Canonicaliser::guardedStep(NodeId raw) {
  NodeId condition = dag_.arg(raw, 0);
  for (bool taken : {true, false}) {
    NodeId step = dag_.arg(raw, taken ? 1 : 2), before = dag_.arg(raw, taken ? 2 : 1);
    Op op = dag_.op(step);
    if (op != Op::Add && op != Op::Sub && op != Op::Max && op != Op::Min) continue;
    for (uint32_t side : {0U, 1U}) {
      if (dag_.arg(step, side) != before || (op == Op::Sub && side == 1)) continue;
      canonical(before);  // the nodes of earlier steps come first
      NodeId none = dag_.constant(op == Op::Max ? -INFINITY : op == Op::Min ? INFINITY : 0);
      NodeId amount = dag_.arg(step, 1 - side);
      NodeId guarded = taken ? dag_.select(condition, amount, none) : dag_.select(condition, none, amount);
      return op == Op::Add   ? dag_.add(before, guarded)
             : op == Op::Sub ? dag_.sub(before, guarded)
                             : dag_.extremum(op == Op::Min, before, guarded);
    }
  }
  return 0;
}

NodeId Canonicaliser::canonicalSelect(NodeId raw) {
  if (NodeId step = guardedStep(raw)) return canonical(step);
  NodeId condition = canonical(dag_.arg(raw, 0));
  if (dag_.isConst(condition)) return canonical(dag_.arg(raw, dag_.value(condition) != 0 ? 1 : 2));
  NodeId a = canonical(dag_.arg(raw, 1)), b = canonical(dag_.arg(raw, 2));
  return selectOf(condition, a, b);
}

NodeId Canonicaliser::selectOf(NodeId condition, NodeId a, NodeId b) {
  if (dag_.op(condition) == Op::Not) return selectOf(dag_.arg(condition, 0), b, a);
  std::unordered_map<NodeId, NodeId> in_a, in_b;
  a = substitute(a, condition, dag_.constant(1), in_a);
  b = substitute(b, condition, dag_.constant(0), in_b);
  if (dag_.isConst(condition) || a == b) return dag_.select(condition, a, b);
  if (NodeId folded = foldedMaximum(condition, a, b)) return folded;
  return dag_.select(condition, a, b);
}

// `p < q ? A : B` where both arms are one expression E of max(p, q) or min(p, q): A = E[q], B = E[p].
NodeId Canonicaliser::foldedMaximum(NodeId condition, NodeId a, NodeId b) {
  Node n = dag_.node(condition);
  if (n.op != Op::FloatCompare || n.aux > static_cast<int32_t>(CmpOp::Le)) return 0;
  NodeId p = dag_.arg(condition, 0), q = dag_.arg(condition, 1);
  if ((a == q && b == p) || (a == p && b == q)) {
    dag_.assume("no NaN in a comparison that selects a maximum or minimum");
    std::vector<NodeId> set;
    bool minimum = a == p;
    double bound = minimum ? INFINITY : -INFINITY;
    addExtremum(set, bound, p, minimum);
    addExtremum(set, bound, q, minimum);
    return makeExtremum(std::move(set), bound, minimum);
  }
  for (bool minimum : {false, true}) {
    std::vector<NodeId> set;
    double bound = minimum ? INFINITY : -INFINITY;
    addExtremum(set, bound, p, minimum);
    addExtremum(set, bound, q, minimum);
    NodeId m = makeExtremum(std::move(set), bound, minimum);
    NodeId then_side = minimum ? p : q, else_side = minimum ? q : p;
    auto replaced = [this](NodeId in, NodeId from, NodeId to) {
      std::unordered_map<NodeId, NodeId> done;
      return substitute(in, from, to, done);
    };
    auto matches = [&](NodeId arm, NodeId own, NodeId other_arm, NodeId other) -> NodeId {
      if (dag_.isConst(own)) return 0;
      NodeId e = replaced(arm, own, m);
      return e != arm && replaced(e, m, other) == other_arm ? e : 0;
    };
    NodeId e = matches(a, then_side, b, else_side);
    if (e == 0) e = matches(b, else_side, a, then_side);
    if (e != 0) {
      dag_.assume("no NaN in a comparison that selects a maximum or minimum");
      return e;
    }
  }
  return 0;
}

NodeId Canonicaliser::substitute(NodeId in, NodeId from, NodeId to, std::unordered_map<NodeId, NodeId>& done) {
  if (in == from) return to;
  if (in < from || dag_.node(in).count == 0) return in;
  if (auto it = done.find(in); it != done.end()) return it->second;
  std::vector<NodeId> args = dag_.argList(in);
  bool changed = false;
  for (NodeId& a : args) {
    NodeId replaced = substitute(a, from, to, done);
    changed |= replaced != a;
    a = replaced;
  }
  NodeId result = changed ? rebuild(in, std::move(args)) : in;
  done.emplace(in, result);
  return result;
}

}  // namespace np::kernel_port::lift
