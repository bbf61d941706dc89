// Affine arithmetic, canonical order of operands, traversal and substitution.
//
// The order of commutative operands looks only at structure: kind first (constants, parameters, sizes, coordinates,
// loads, then operations), then content, then arguments from left to right. It never looks at node ids, so it does not
// depend on the order in which a lifter built the nodes.
#include <algorithm>
#include <set>

#include "analyzer/base/result.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::spec {
namespace {

Aff fromTerms(const std::map<Axis, int64_t>& terms, SizeExpr offset) {
  Aff out;
  for (const auto& [axis, factor] : terms) {
    if (factor != 0) out.terms.emplace_back(axis, factor);
  }
  out.offset = std::move(offset);
  return out;
}

Aff combine(const Aff& a, const Aff& b, int64_t sign) {
  std::map<Axis, int64_t> terms(a.terms.begin(), a.terms.end());
  for (const auto& [axis, factor] : b.terms) terms[axis] += sign * factor;
  return fromTerms(terms, a.offset + SizeExpr(sign) * b.offset);
}

Aff substituteAff(const Aff& aff, const Substitution& map) {
  Aff out = Aff::constant(aff.offset);
  for (const auto& [axis, factor] : aff.terms) {
    const auto found = map.find(axis);
    out = out + (found == map.end() ? Aff::axis(axis) : found->second) * factor;
  }
  return out;
}

template <class T>
int order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int compareAff(const Aff& a, const Aff& b) {
  if (int c = order(a.terms, b.terms)) return c;
  if (a.offset == b.offset) return 0;
  const auto x = a.offset.constant(), y = b.offset.constant();
  return x && y ? order(*x, *y) : order(a.offset.text(), b.offset.text());
}

// Un after Bin would put "exp(..)*(a + b)"; reductions come last so that the short factors of a product lead.
int kindRank(Op op) { return static_cast<int>(op); }

}  // namespace

AxisSet Aff::axes() const {
  AxisSet out = 0;
  for (const auto& [axis, factor] : terms) out |= axisBit(axis);
  return out;
}

int64_t Aff::factor(Axis axis) const {
  for (const auto& [a, factor] : terms) {
    if (a == axis) return factor;
  }
  return 0;
}

Axis Aff::plainAxis() const {
  return terms.size() == 1 && terms[0].second == 1 && offset == SizeExpr(0) ? terms[0].first : -1;
}

Aff operator+(const Aff& a, const Aff& b) { return combine(a, b, 1); }
Aff operator-(const Aff& a, const Aff& b) { return combine(a, b, -1); }

Aff operator*(const Aff& a, int64_t factor) {
  std::map<Axis, int64_t> terms;
  for (const auto& [axis, f] : a.terms) terms[axis] = f * factor;
  return fromTerms(terms, a.offset * SizeExpr(factor));
}

int compareExpr(Expr a, Expr b) {
  if (a == b) return 0;
  if (int c = order(kindRank(a->op), kindRank(b->op))) return c;
  if (int c = order(a->code, b->code)) return c;
  if (int c = order(a->type, b->type)) return c;
  if (int c = order(a->name, b->name)) return c;
  if (int c = order(a->value, b->value)) return c;
  if (int c = order(a->dims.size(), b->dims.size())) return c;
  for (size_t i = 0; i < a->dims.size(); ++i) {
    if (int c = order(a->dims[i].arg, b->dims[i].arg)) return c;
    if (int c = a->dims[i].arg < 0 ? compareAff(a->dims[i].aff, b->dims[i].aff) : 0) return c;
  }
  if (a->size != b->size) return order(a->size.text(), b->size.text());
  if (int c = order(a->axis, b->axis)) return c;
  if (int c = order(a->padded, b->padded)) return c;
  if (int c = order(a->args.size(), b->args.size())) return c;
  for (size_t i = 0; i < a->args.size(); ++i) {
    if (int c = compareExpr(a->args[i], b->args[i])) return c;
  }
  return order(a->id, b->id);  // only NaN constants get here
}

std::vector<Expr> postOrder(Expr root) {
  std::vector<Expr> out;
  std::set<Expr> seen;
  std::vector<std::pair<Expr, size_t>> stack{{root, 0}};
  seen.insert(root);
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < node->args.size()) {
      Expr arg = node->args[next++];
      if (seen.insert(arg).second) stack.emplace_back(arg, 0);
    } else {
      out.push_back(node);
      stack.pop_back();
    }
  }
  return out;
}

Expr Arena::rename(Expr e, const Substitution& map, std::map<Expr, Expr>& done) {
  bool touched = false;
  for (const auto& [axis, to] : map) touched = touched || e->depends(axis);
  if (!touched) return e;
  if (const auto found = done.find(e); found != done.end()) return found->second;
  std::vector<Expr> args;
  for (Expr arg : e->args) args.push_back(rename(arg, map, done));
  Expr out = nullptr;
  if (e->op == Op::Coord) {
    out = coord(substituteAff(e->coord(), map));
  } else if (e->op == Op::Load) {
    std::vector<Dim> dims = e->dims;
    for (Dim& dim : dims) {
      if (dim.arg < 0) dim.aff = substituteAff(dim.aff, map);
    }
    out = e->padded ? paddedLoad(e->name, e->type, dims, args, e->value) : load(e->name, e->type, dims, args);
  } else if (e->op == Op::Rec && map.count(e->axis)) {
    // A recurrence runs along one whole axis: only a plain renaming keeps it one.
    const Axis to = map.at(e->axis).plainAxis();
    NP_CHECK(to >= 0);
    out = rec(to, args[0], args[1], args[2]);
  } else {
    out = rebuild(e, args);
  }
  done.emplace(e, out);
  return out;
}

Expr Arena::substitute(Expr e, const Substitution& map) {
  std::map<Expr, Expr> done;
  return rename(e, map, done);
}

bool SizeCondition::holds(const SizeValues& sizes) const {
  const int64_t a = left.evaluate(sizes), b = right.evaluate(sizes);
  switch (op) {
    case CmpOp::Lt:
      return a < b;
    case CmpOp::Le:
      return a <= b;
    case CmpOp::Eq:
      return a == b;
    case CmpOp::Ne:
      return a != b;
  }
  NP_CHECK(false);
}

std::string SizeCondition::text() const {
  static constexpr const char* kNames[] = {" < ", " <= ", " == ", " != "};
  return left.text() + kNames[static_cast<int>(op)] + right.text();
}

const Buffer* Spec::buffer(const std::string& name) const {
  for (const Buffer& buffer : buffers) {
    if (buffer.name == name) return &buffer;
  }
  return nullptr;
}

}  // namespace np::kernel_port::spec
