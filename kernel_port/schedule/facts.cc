// Interval bounds of size expressions and the record of facts. Bounds are one-sided and cheap: min and max of constants
// decide almost everything the scheduler asks; what they cannot decide becomes a fact.
#include "kernel_port/schedule/facts.h"

#include <algorithm>

namespace np::kernel_port::schedule {
namespace {

using Kind = SymInt::Kind;
using Bound = std::optional<int64_t>;

Bound both(Bound a, Bound b, int64_t (*op)(int64_t, int64_t)) { return a && b ? Bound(op(*a, *b)) : std::nullopt; }

int64_t plus(int64_t a, int64_t b) { return a + b; }
int64_t minus(int64_t a, int64_t b) { return a - b; }
int64_t times(int64_t a, int64_t b) { return a * b; }
int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }

}  // namespace

SymInt toSymInt(const spec::SizeExpr& size) {
  using Atom = spec::SizeExpr::Atom;
  SymInt sum = 0;
  bool first = true;
  for (const auto& term : size.terms()) {
    SymInt product = 1;
    for (const auto& atom : term.atoms) {
      SymInt factor = SymInt::symbol(atom->name);
      if (atom->kind != Atom::Kind::Name) {
        const SymInt a = toSymInt(atom->args[0]), b = toSymInt(atom->args[1]);
        factor = atom->kind == Atom::Kind::FloorDiv ? floorDiv(a, b)
                 : atom->kind == Atom::Kind::Mod    ? floorMod(a, b)
                 : atom->kind == Atom::Kind::Min    ? minimum(a, b)
                                                    : maximum(a, b);
      }
      product = product * factor;
    }
    const int64_t magnitude = term.factor < 0 ? -term.factor : term.factor;
    product = SymInt(magnitude) * product;
    sum = first && term.factor > 0 ? product : (term.factor < 0 ? sum - product : sum + product);
    first = false;
  }
  return sum;
}

Bound upperBound(const SymInt& value) {
  switch (value.kind()) {
    case Kind::kConstant:
      return value.value();
    case Kind::kSymbol:
      return std::nullopt;
    case Kind::kAdd:
      return both(upperBound(value.left()), upperBound(value.right()), plus);
    case Kind::kSub:
      return both(upperBound(value.left()), lowerBound(value.right()), minus);
    case Kind::kMul: {
      const Bound a = lowerBound(value.left()), b = lowerBound(value.right());
      if (!a || !b || *a < 0 || *b < 0) return std::nullopt;
      return both(upperBound(value.left()), upperBound(value.right()), times);
    }
    case Kind::kFloorDiv:
    case Kind::kCeilDiv: {
      const Bound a = upperBound(value.left()), b = lowerBound(value.right());
      if (!a || !b || *a < 0 || *b < 1) return std::nullopt;
      return value.kind() == Kind::kFloorDiv ? *a / *b : (*a + *b - 1) / *b;
    }
    case Kind::kMod: {
      const Bound b = upperBound(value.right());
      return b ? Bound(*b - 1) : std::nullopt;
    }
    case Kind::kMin: {
      const Bound a = upperBound(value.left()), b = upperBound(value.right());
      return a && b ? Bound(least(*a, *b)) : (a ? a : b);
    }
    case Kind::kMax:
      return both(upperBound(value.left()), upperBound(value.right()), greatest);
  }
  return std::nullopt;
}

Bound lowerBound(const SymInt& value) {
  switch (value.kind()) {
    case Kind::kConstant:
      return value.value();
    case Kind::kSymbol:
      return 1;  // a size; loop variables never reach here alone
    case Kind::kAdd:
      return both(lowerBound(value.left()), lowerBound(value.right()), plus);
    case Kind::kSub:
      return both(lowerBound(value.left()), upperBound(value.right()), minus);
    case Kind::kMul: {
      const Bound a = lowerBound(value.left()), b = lowerBound(value.right());
      return a && b && *a >= 0 && *b >= 0 ? Bound(*a * *b) : std::nullopt;
    }
    case Kind::kFloorDiv:
    case Kind::kCeilDiv: {
      const Bound a = lowerBound(value.left()), b = upperBound(value.right());
      if (!a || *a < 0) return std::nullopt;
      if (!b) return value.kind() == Kind::kFloorDiv || *a == 0 ? 0 : 1;
      return value.kind() == Kind::kFloorDiv ? *a / *b : (*a + *b - 1) / *b;
    }
    case Kind::kMod:
      return 0;
    case Kind::kMin:
      return both(lowerBound(value.left()), lowerBound(value.right()), least);
    case Kind::kMax: {
      const Bound a = lowerBound(value.left()), b = lowerBound(value.right());
      return a && b ? Bound(greatest(*a, *b)) : (a ? a : b);
    }
  }
  return std::nullopt;
}

bool Facts::namesOnlySizes(const SymInt& value) const {
  if (value.isConstant()) return true;
  if (value.kind() == Kind::kSymbol) return std::find(sizes_.begin(), sizes_.end(), value.name()) != sizes_.end();
  return namesOnlySizes(value.left()) && namesOnlySizes(value.right());
}

std::optional<int64_t> Facts::most(const SymInt& value) const {
  Bound least_known = upperBound(value);
  for (const Fact& fact : recorded_)
    if (fact.holds && fact.left == value && (!least_known || fact.bound < *least_known)) least_known = fact.bound;
  return least_known;
}

bool Facts::decide(const SymInt& left, int64_t bound) {
  if (const Bound top = upperBound(left); top && *top <= bound) return true;
  if (const Bound bottom = lowerBound(left); bottom && *bottom > bound) return false;
  for (const Fact& fact : recorded_) {
    if (!(fact.left == left)) continue;
    if (fact.holds && fact.bound <= bound) return true;
    if (!fact.holds && fact.bound >= bound) return false;
  }
  if (!namesOnlySizes(left)) {
    sound_ = false;
    return false;
  }
  const bool answer = recorded_.size() < forced_.size() ? forced_[recorded_.size()] : true;
  recorded_.push_back({left, bound, answer});
  return answer;
}

}  // namespace np::kernel_port::schedule
