// Sums of the canonicaliser: a whole tree of additions becomes one node with a coefficient per distinct term.
//
// The tree is flattened by visiting ids from large to small, so that a shared partial sum (a shuffle butterfly) is met
// once with its total coefficient: linear time where a recursive walk would be exponential. One thing must not be
// flattened: a long sum that is added to one of its own terms (x[c] + sum of x) would turn into a sum with one odd
// coefficient. Such a collision keeps the longer operand as one term.
#include <algorithm>
#include <cmath>
#include <queue>

#include "kernel_port/lift/canonicalise.h"

namespace np::kernel_port::lift {

namespace {
constexpr size_t kLongSum = 4;
}

std::vector<Canonicaliser::Term> Canonicaliser::flattenAdd(NodeId raw, bool& repeated) const {
  std::priority_queue<Term> open;
  std::vector<Term> leaves;
  open.emplace(raw, 1);
  while (!open.empty()) {
    auto [id, factor] = open.top();
    open.pop();
    while (!open.empty() && open.top().first == id) {
      factor += open.top().second;
      repeated = true;
      open.pop();
    }
    Op op = dag_.op(id);
    if (op == Op::Add || op == Op::Sub) {
      open.emplace(dag_.arg(id, 0), factor);
      open.emplace(dag_.arg(id, 1), op == Op::Add ? factor : -factor);
    } else if (op == Op::Mul && dag_.isConst(dag_.arg(id, 0), -1) &&
               (dag_.op(dag_.arg(id, 1)) == Op::Add || dag_.op(dag_.arg(id, 1)) == Op::Sub)) {
      open.emplace(dag_.arg(id, 1), -factor);
    } else {
      leaves.emplace_back(id, factor);
    }
  }
  return leaves;
}

void Canonicaliser::addTerm(Terms& terms, NodeId canonical, double factor, bool atomic) {
  Node n = dag_.node(canonical);
  if (n.op == Op::Const) {
    terms.constant += factor * n.value;
  } else if (n.op == Op::Sum && !atomic) {
    terms.constant += factor * doubleOf(n.imm);
    for (uint32_t i = 0; i < n.count; ++i)
      terms.list.emplace_back(dag_.arg(canonical, i), factor * dag_.coefficient(canonical, i));
  } else if (n.op == Op::Product && doubleOf(n.imm) != 1) {
    terms.list.emplace_back(makeProduct(1, dag_.argList(canonical)), factor * doubleOf(n.imm));
  } else {
    terms.list.emplace_back(canonical, factor);
  }
}

bool Canonicaliser::merge(Terms& terms) {
  std::sort(terms.list.begin(), terms.list.end());
  size_t out = 0;
  bool merged = false;
  for (size_t i = 0; i < terms.list.size();) {
    Term term = terms.list[i];
    for (++i; i < terms.list.size() && terms.list[i].first == term.first; ++i) {
      term.second += terms.list[i].second;
      merged = true;
    }
    if (term.second != 0) terms.list[out++] = term;
  }
  terms.list.resize(out);
  return merged;
}

NodeId Canonicaliser::makeSum(Terms& terms) {
  if (std::isinf(terms.constant)) {
    dag_.assume("finite inputs: a value plus infinity is infinity");
    return dag_.constant(terms.constant);
  }
  if (terms.list.empty()) return dag_.constant(terms.constant);
  if (terms.list.size() == 1 && terms.constant == 0) return makeProduct(terms.list[0].second, {terms.list[0].first});
  std::vector<NodeId> ids;
  std::vector<double> factors;
  double v = terms.constant;
  for (auto [id, factor] : terms.list) {
    ids.push_back(id);
    factors.push_back(factor);
    v += factor * dag_.value(id);
  }
  if (ids.size() > 2) dag_.assume("sums may be reassociated");
  double constant = terms.constant == 0 ? 0 : terms.constant;
  return dag_.make(Op::Sum, 0, bitsOf(constant), ids, v, factors);
}

NodeId Canonicaliser::canonicalAdd(NodeId raw) {
  bool repeated = false;
  std::vector<Term> leaves = flattenAdd(raw, repeated);
  Terms terms;
  for (auto [id, factor] : leaves) addTerm(terms, canonical(id), factor);
  size_t before = terms.list.size();
  repeated |= merge(terms);
  if (!repeated || before <= kLongSum) return makeSum(terms);
  NodeId a = canonical(dag_.arg(raw, 0));
  NodeId right = dag_.arg(raw, 1);
  double sign = dag_.op(raw) == Op::Sub ? -1 : 1;
  bool negated = dag_.op(right) == Op::Mul && dag_.isConst(dag_.arg(right, 0), -1);
  NodeId b = canonical(negated ? dag_.arg(right, 1) : right);
  return combine(a, b, negated ? -sign : sign);
}

// a + factor * b, where a sum that would collide with the other operand stays whole.
NodeId Canonicaliser::combine(NodeId a, NodeId b, double factor_b) {
  auto longSum = [this](NodeId id) { return dag_.op(id) == Op::Sum && dag_.node(id).count > kLongSum; };
  Terms terms;
  if (a == b) {
    addTerm(terms, a, 1 + factor_b, longSum(a));
    return makeSum(terms);
  }
  Terms flat;
  addTerm(flat, a, 1);
  addTerm(flat, b, factor_b);
  if (!merge(flat) || (!longSum(a) && !longSum(b))) return makeSum(flat);
  bool a_is_longer = longSum(a) && (!longSum(b) || dag_.node(a).count >= dag_.node(b).count);
  bool both = longSum(a) && longSum(b);
  addTerm(terms, a, 1, a_is_longer || both);
  addTerm(terms, b, factor_b, !a_is_longer || both);
  merge(terms);
  return makeSum(terms);
}

}  // namespace np::kernel_port::lift
