// Products of the canonicaliser: a coefficient and a list of factors, quotients as reciprocal factors.
//
// Exponentials are merged and, where a sum consists of exponentials only, multiplied into it: this is what turns the
// rescaling of an online softmax (d * exp(m_old - m_new) + exp(v - m_new)) back into one sum of exp(v - m).
#include <algorithm>
#include <cmath>

#include "kernel_port/lift/canonicalise.h"

namespace np::kernel_port::lift {

using spec::UnOp;

bool Canonicaliser::isExp(NodeId id) const {
  const Node& n = dag_.node(id);
  return n.op == Op::Call && n.aux == static_cast<int32_t>(UnOp::Exp);
}

bool Canonicaliser::hasExp(NodeId id) const {
  if (isExp(id)) return true;
  if (dag_.op(id) != Op::Product) return false;
  auto args = dag_.args(id);
  return std::any_of(args.begin(), args.end(), [this](NodeId a) { return isExp(a); });
}

NodeId Canonicaliser::canonicalMul(NodeId raw) {
  std::vector<NodeId> stack{raw}, factors;
  while (!stack.empty()) {
    NodeId id = stack.back();
    stack.pop_back();
    if (dag_.op(id) == Op::Mul) {
      stack.push_back(dag_.arg(id, 1));
      stack.push_back(dag_.arg(id, 0));
    } else {
      factors.push_back(canonical(id));
    }
  }
  return product(1, std::move(factors));
}

NodeId Canonicaliser::recip(NodeId a) {
  Node n = dag_.node(a);
  if (n.op == Op::Product) {
    std::vector<NodeId> factors = dag_.argList(a);
    for (NodeId& f : factors) f = recip(f);
    return product(1 / doubleOf(n.imm), std::move(factors));
  }
  if (n.op == Op::Call && n.aux == static_cast<int32_t>(UnOp::Sqrt)) return dag_.call(UnOp::Rsqrt, dag_.arg(a, 0));
  if (n.op == Op::Call && n.aux == static_cast<int32_t>(UnOp::Rsqrt)) return dag_.call(UnOp::Sqrt, dag_.arg(a, 0));
  return dag_.recip(a);
}

void Canonicaliser::cancelReciprocals(std::vector<NodeId>& factors) {
  for (size_t i = 0; i < factors.size(); ++i) {
    if (dag_.op(factors[i]) != Op::Recip) continue;
    auto other = std::find(factors.begin(), factors.end(), dag_.arg(factors[i], 0));
    if (other == factors.end()) continue;
    dag_.assume("a value divided by itself is 1");
    size_t j = static_cast<size_t>(other - factors.begin());
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
    i = static_cast<size_t>(-1);
  }
}

NodeId Canonicaliser::expand(NodeId a) {
  Node n = dag_.node(a);
  Terms terms;
  if (n.op == Op::Sum) {
    terms.constant = doubleOf(n.imm);
    for (uint32_t i = 0; i < n.count; ++i) addTerm(terms, expand(dag_.arg(a, i)), dag_.coefficient(a, i));
    merge(terms);
    return makeSum(terms);
  }
  if (n.op != Op::Product) return a;
  std::vector<NodeId> factors = dag_.argList(a);
  auto sum = std::find_if(factors.begin(), factors.end(), [this](NodeId f) { return dag_.op(f) == Op::Sum; });
  if (sum == factors.end()) return a;
  NodeId id = *sum;
  factors.erase(sum);
  Node s = dag_.node(id);
  for (uint32_t i = 0; i < s.count; ++i) {
    std::vector<NodeId> list = factors;
    list.push_back(dag_.arg(id, i));
    addTerm(terms, expand(product(doubleOf(n.imm) * dag_.coefficient(id, i), std::move(list))), 1);
  }
  if (doubleOf(s.imm) != 0) addTerm(terms, expand(product(doubleOf(n.imm) * doubleOf(s.imm), factors)), 1);
  merge(terms);
  return makeSum(terms);
}

// exp(a)*exp(b) as exp(a + b). Arguments are only multiplied out where nothing cancels as they are.
NodeId Canonicaliser::expOfSum(const std::vector<NodeId>& exponentials) {
  std::pair<NodeId, NodeId> key{exponentials[0], exponentials[1]};
  if (exponentials.size() == 2)
    if (auto it = merged_.find(key); it != merged_.end()) return it->second;
  Terms terms;
  for (NodeId e : exponentials) addTerm(terms, dag_.arg(e, 0), 1);
  size_t before = terms.list.size();
  merge(terms);
  if (terms.list.size() == before) {
    terms = {};
    for (NodeId e : exponentials) addTerm(terms, expand(dag_.arg(e, 0)), 1);
    merge(terms);
  }
  NodeId result = dag_.call(UnOp::Exp, makeSum(terms));
  if (exponentials.size() == 2) merged_.emplace(key, result);
  return result;
}

NodeId Canonicaliser::product(double factor, std::vector<NodeId> in) {
  std::vector<NodeId> factors, exponentials;
  auto sortIn = [&](NodeId id) { (isExp(id) ? exponentials : factors).push_back(id); };
  for (NodeId id : in) {
    Node n = dag_.node(id);
    if (n.op == Op::Const) {
      factor *= n.value;
    } else if (n.op == Op::Product) {
      factor *= doubleOf(n.imm);
      for (NodeId f : dag_.argList(id)) sortIn(f);
    } else {
      sortIn(id);
    }
  }
  if (factor == 0) {
    dag_.assume("finite inputs: 0 times a value is 0");
    return dag_.constant(0);
  }
  cancelReciprocals(factors);
  if (exponentials.size() >= 2) {
    NodeId e = expOfSum(exponentials);
    exponentials.clear();
    if (dag_.isConst(e))
      factor *= dag_.value(e);
    else
      exponentials.push_back(e);
  }
  if (exponentials.size() == 1 && !exhausted()) {
    for (size_t i = 0; i < factors.size(); ++i) {
      NodeId id = factors[i];
      Node s = dag_.node(id);
      if (s.op != Op::Sum || doubleOf(s.imm) != 0) continue;
      std::vector<NodeId> parts = dag_.argList(id);
      if (!std::all_of(parts.begin(), parts.end(), [this](NodeId t) { return hasExp(t); })) continue;
      std::vector<NodeId> rest = factors;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      rest.push_back(exponentials[0]);
      Terms terms;
      work_ += s.count;
      for (uint32_t t = 0; t < s.count; ++t) {
        std::vector<NodeId> list = rest;
        list.push_back(parts[t]);
        addTerm(terms, product(factor * dag_.coefficient(id, t), std::move(list)), 1);
      }
      merge(terms);
      return makeSum(terms);
    }
  }
  factors.insert(factors.end(), exponentials.begin(), exponentials.end());
  auto before = [this](NodeId a, NodeId b) {
    uint64_t x = shapes_.of(a), y = shapes_.of(b);
    return x != y ? x < y : order_ == FactorOrder::Sorted && a < b;
  };
  for (auto it = factors.begin(); it != factors.end(); ++it)  // stable insertion: the list is short
    std::rotate(std::upper_bound(factors.begin(), it, *it, before), it, it + 1);
  return makeProduct(factor, std::move(factors));
}

NodeId Canonicaliser::makeProduct(double factor, std::vector<NodeId> factors) {
  if (factor == 0 || factors.empty()) return dag_.constant(factor);
  if (factors.size() == 1) {
    Node n = dag_.node(factors[0]);
    if (factor == 1) return factors[0];
    if (n.op == Op::Product) return makeProduct(factor * doubleOf(n.imm), dag_.argList(factors[0]));
  }
  double v = factor;
  for (NodeId f : factors) v *= dag_.value(f);
  return dag_.make(Op::Product, 0, bitsOf(factor), factors, v);
}

}  // namespace np::kernel_port::lift
