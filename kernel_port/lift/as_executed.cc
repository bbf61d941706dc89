// A tree of additions becomes one n-ary sum if it holds three or more terms of one shape and sign; otherwise it stays
// binary. A tree that reaches one term twice is not flattened as a whole (x + sum of x): its operands are looked at one
// by one.
#include "kernel_port/lift/as_executed.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace np::kernel_port::lift {

namespace {
constexpr size_t kSmallestReduction = 3;
using Term = std::pair<NodeId, double>;

// Leaves of a tree of additions with their total factors, and whether any was reached more than once.
std::vector<Term> leavesOf(const ExprDag& dag, NodeId root, bool& repeated) {
  std::priority_queue<Term> open;
  std::vector<Term> leaves;
  open.emplace(root, 1);
  while (!open.empty()) {
    auto [id, factor] = open.top();
    open.pop();
    while (!open.empty() && open.top().first == id) {
      factor += open.top().second;
      repeated = true;
      open.pop();
    }
    Op op = dag.op(id);
    if (op == Op::Add || op == Op::Sub) {
      open.emplace(dag.arg(id, 0), factor);
      open.emplace(dag.arg(id, 1), op == Op::Add ? factor : -factor);
    } else {
      leaves.emplace_back(id, factor);
    }
  }
  return leaves;
}
}  // namespace

NodeId AsExecuted::normal(NodeId raw) {
  if (raw < memo_.size() && memo_[raw] != 0) return memo_[raw];
  NodeId result = compute(raw);
  if (memo_.size() < dag_.size()) memo_.resize(dag_.size() + 1024, 0);
  memo_[raw] = result;
  memo_[result] = result;
  return result;
}

NodeId AsExecuted::compute(NodeId raw) {
  switch (dag_.op(raw)) {
    case Op::Add:
    case Op::Sub:
      return sum(raw);
    case Op::Max:
    case Op::Min:
      return extremum(raw);
    case Op::Sum:
    case Op::MaxOf:
    case Op::MinOf:
      return raw;
    default:
      return binary(raw);
  }
}

// The same operation on normal operands.
NodeId AsExecuted::binary(NodeId raw) {
  std::vector<NodeId> args = dag_.argList(raw);
  for (NodeId& a : args) a = normal(a);
  Node n = dag_.node(raw);
  std::vector<double> factors;
  for (uint32_t i = 0; i < n.count; ++i) factors.push_back(dag_.coefficient(raw, i));
  return dag_.make(n.op, n.aux, n.imm, args, n.value, factors);
}

bool AsExecuted::hasReduction(const std::vector<Term>& terms) {
  std::vector<std::pair<uint64_t, double>> kinds;
  for (auto [id, factor] : terms) kinds.emplace_back(shapes_.of(id), factor);
  std::sort(kinds.begin(), kinds.end());
  for (size_t i = 0; i + kSmallestReduction <= kinds.size(); ++i)
    if (kinds[i] == kinds[i + kSmallestReduction - 1]) return true;
  return false;
}

NodeId AsExecuted::sum(NodeId raw) {
  bool repeated = false;
  std::vector<Term> leaves = leavesOf(dag_, raw, repeated);
  if (repeated || leaves.size() < kSmallestReduction) return binary(raw);
  double constant = 0;
  std::vector<Term> terms;
  for (auto [id, factor] : leaves) {
    if (dag_.isConst(id))
      constant += factor * dag_.value(id);
    else
      terms.emplace_back(normal(id), factor);
  }
  std::sort(terms.begin(), terms.end());
  auto equal = [](const Term& a, const Term& b) { return a.first == b.first; };
  if (std::adjacent_find(terms.begin(), terms.end(), equal) != terms.end() || !hasReduction(terms)) return binary(raw);
  std::vector<NodeId> ids;
  std::vector<double> factors;
  double v = constant;
  for (auto [id, factor] : terms) {
    ids.push_back(id);
    factors.push_back(factor);
    v += factor * dag_.value(id);
  }
  dag_.assume("sums may be reassociated");
  return dag_.make(Op::Sum, 0, bitsOf(constant), ids, v, factors);
}

NodeId AsExecuted::extremum(NodeId raw) {
  Op op = dag_.op(raw);
  bool minimum = op == Op::Min;
  double none = minimum ? INFINITY : -INFINITY, bound = none;
  std::priority_queue<NodeId> open;
  std::vector<NodeId> set;
  open.push(raw);
  while (!open.empty()) {
    NodeId id = open.top();
    open.pop();
    while (!open.empty() && open.top() == id) open.pop();
    if (dag_.op(id) == op) {
      open.push(dag_.arg(id, 0));
      open.push(dag_.arg(id, 1));
    } else if (dag_.isConst(id)) {
      bound = minimum ? std::fmin(bound, dag_.value(id)) : std::fmax(bound, dag_.value(id));
    } else {
      set.push_back(normal(id));
    }
  }
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  if (set.size() >= kSmallestReduction && std::isfinite(bound) && std::fabs(bound) > 3e38) {
    dag_.assume("values are above -FLT_MAX and below FLT_MAX");
    bound = none;
  }
  double v = bound;
  for (NodeId id : set) v = minimum ? std::fmin(v, dag_.value(id)) : std::fmax(v, dag_.value(id));
  if (set.empty()) return dag_.constant(bound);
  if (set.size() == 1 && bound == none) return set[0];
  return dag_.make(minimum ? Op::MinOf : Op::MaxOf, 0, bitsOf(bound), set, v);
}

}  // namespace np::kernel_port::lift
