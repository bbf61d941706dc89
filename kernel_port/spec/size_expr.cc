// Canonical integer polynomials over sizes. Small on purpose: extents of real kernels have one to three terms, so terms
// are compared by their text. It simplifies what is exact (constant folding, n*d // d) and never guesses.
#include "kernel_port/spec/size_expr.h"

#include <algorithm>

#include "analyzer/base/result.h"

namespace np::kernel_port::spec {
namespace {

std::string monomialText(const std::vector<SizeExpr::AtomRef>& atoms) {
  std::string out;
  for (const auto& atom : atoms) out += (out.empty() ? "" : "*") + atom->text;
  return out;
}

int64_t floorDivide(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }

bool termBefore(const SizeExpr::Term& a, const SizeExpr::Term& b) {
  if (a.atoms.size() != b.atoms.size()) return a.atoms.size() > b.atoms.size();
  return monomialText(a.atoms) < monomialText(b.atoms);
}

}  // namespace

SizeExpr::SizeExpr(int64_t value) {
  if (value != 0) terms_.push_back({value, {}});
}

SizeExpr SizeExpr::fromTerms(std::vector<Term> terms) {
  std::stable_sort(terms.begin(), terms.end(), termBefore);
  SizeExpr out;
  for (Term& term : terms) {
    if (!out.terms_.empty() && monomialText(out.terms_.back().atoms) == monomialText(term.atoms)) {
      out.terms_.back().factor += term.factor;
    } else {
      out.terms_.push_back(std::move(term));
    }
    if (out.terms_.back().factor == 0) out.terms_.pop_back();
  }
  return out;
}

SizeExpr SizeExpr::fromAtom(Atom atom) {
  switch (atom.kind) {
    case Atom::Kind::Name:
      atom.text = atom.name;
      break;
    case Atom::Kind::FloorDiv:
      atom.text = "(" + atom.args[0].factorText() + "//" + atom.args[1].factorText() + ")";
      break;
    case Atom::Kind::Mod:
      atom.text = "(" + atom.args[0].factorText() + " % " + atom.args[1].factorText() + ")";
      break;
    case Atom::Kind::Min:
      atom.text = "min(" + atom.args[0].text() + ", " + atom.args[1].text() + ")";
      break;
    case Atom::Kind::Max:
      atom.text = "max(" + atom.args[0].text() + ", " + atom.args[1].text() + ")";
      break;
  }
  SizeExpr out;
  out.terms_.push_back({1, {std::make_shared<const Atom>(std::move(atom))}});
  return out;
}

SizeExpr SizeExpr::name(std::string size) { return fromAtom({Atom::Kind::Name, std::move(size), {}, {}}); }

SizeExpr SizeExpr::floorDiv(const SizeExpr& divisor) const {
  NP_CHECK(divisor.positive());
  if (divisor == SizeExpr(1)) return *this;
  const auto d = divisor.constant();
  if (d) {
    // a*d*x + r  ->  a*x + r//d
    std::vector<Term> whole, rest;
    for (const Term& term : terms_) {
      if (term.factor % *d == 0) {
        whole.push_back({term.factor / *d, term.atoms});
      } else {
        rest.push_back(term);
      }
    }
    SizeExpr remainder = fromTerms(rest);
    if (const auto c = remainder.constant()) return fromTerms(whole) + SizeExpr(floorDivide(*c, *d));
    if (!whole.empty()) return fromTerms(whole) + remainder.floorDiv(divisor);
  } else if (*this == divisor) {
    return SizeExpr(1);
  }
  return fromAtom({Atom::Kind::FloorDiv, {}, {*this, divisor}, {}});
}

SizeExpr SizeExpr::mod(const SizeExpr& divisor) const {
  NP_CHECK(divisor.positive());
  const auto a = constant(), d = divisor.constant();
  if (a && d) return SizeExpr(*a - floorDivide(*a, *d) * *d);
  if (divisor == SizeExpr(1) || *this == divisor) return SizeExpr(0);
  return fromAtom({Atom::Kind::Mod, {}, {*this, divisor}, {}});
}

SizeExpr SizeExpr::ceilDiv(const SizeExpr& divisor) const { return (*this + divisor - SizeExpr(1)).floorDiv(divisor); }

SizeExpr SizeExpr::min(const SizeExpr& a, const SizeExpr& b) {
  if ((b - a).nonNegative()) return a;
  if ((a - b).nonNegative()) return b;
  return b < a ? min(b, a) : fromAtom({Atom::Kind::Min, {}, {a, b}, {}});
}

SizeExpr SizeExpr::max(const SizeExpr& a, const SizeExpr& b) {
  if ((b - a).nonNegative()) return b;
  if ((a - b).nonNegative()) return a;
  return b < a ? max(b, a) : fromAtom({Atom::Kind::Max, {}, {a, b}, {}});
}

std::optional<int64_t> SizeExpr::constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_[0].atoms.empty()) return terms_[0].factor;
  return std::nullopt;
}

bool SizeExpr::nonNegative() const { return terms_.empty() || (*this + SizeExpr(1)).positive(); }

bool SizeExpr::positive() const {
  // Names are >= 1; other atoms count as >= 0 only if their parts are.
  int64_t lowest = 0;
  for (const Term& term : terms_) {
    bool at_least_one = true;
    for (const AtomRef& atom : term.atoms) {
      if (atom->kind == Atom::Kind::Name) continue;
      bool parts = true;
      for (const SizeExpr& arg : atom->args) parts = parts && arg.positive();
      const bool keeps_one = atom->kind == Atom::Kind::Min || atom->kind == Atom::Kind::Max;
      if (!parts) return false;
      at_least_one = at_least_one && keeps_one;
    }
    if (term.atoms.empty()) {
      lowest += term.factor;
    } else if (term.factor < 0) {
      return false;
    } else if (at_least_one) {
      lowest += term.factor;
    }
  }
  return lowest >= 1;
}

int64_t SizeExpr::evaluate(const SizeValues& sizes) const {
  int64_t sum = 0;
  for (const Term& term : terms_) {
    int64_t product = term.factor;
    for (const AtomRef& atom : term.atoms) {
      if (atom->kind == Atom::Kind::Name) {
        const auto found = sizes.find(atom->name);
        NP_CHECK(found != sizes.end());
        product *= found->second;
        continue;
      }
      const int64_t a = atom->args[0].evaluate(sizes), b = atom->args[1].evaluate(sizes);
      switch (atom->kind) {
        case Atom::Kind::FloorDiv:
          product *= floorDivide(a, b);
          break;
        case Atom::Kind::Mod:
          product *= a - floorDivide(a, b) * b;
          break;
        case Atom::Kind::Min:
          product *= std::min(a, b);
          break;
        default:
          product *= std::max(a, b);
          break;
      }
    }
    sum += product;
  }
  return sum;
}

std::set<std::string> SizeExpr::names() const {
  std::set<std::string> out;
  for (const Term& term : terms_) {
    for (const AtomRef& atom : term.atoms) {
      if (atom->kind == Atom::Kind::Name) out.insert(atom->name);
      for (const SizeExpr& arg : atom->args) out.merge(arg.names());
    }
  }
  return out;
}

std::string SizeExpr::text() const {
  if (terms_.empty()) return "0";
  std::string out;
  for (const Term& term : terms_) {
    const int64_t magnitude = term.factor < 0 ? -term.factor : term.factor;
    out += out.empty() ? (term.factor < 0 ? "-" : "") : (term.factor < 0 ? " - " : " + ");
    const std::string monomial = monomialText(term.atoms);
    if (magnitude != 1 || monomial.empty()) out += std::to_string(magnitude) + (monomial.empty() ? "" : "*");
    out += monomial;
  }
  // A lone division needs no outer parentheses.
  if (terms_.size() == 1 && terms_[0].factor == 1 && terms_[0].atoms.size() == 1 && out.front() == '(') {
    return out.substr(1, out.size() - 2);
  }
  return out;
}

std::string SizeExpr::factorText() const {
  if (terms_.size() == 1 && terms_[0].factor > 0 &&
      (terms_[0].atoms.empty() || (terms_[0].factor == 1 && terms_[0].atoms.size() == 1))) {
    return terms_[0].atoms.empty() ? text() : terms_[0].atoms[0]->text;
  }
  return terms_.empty() ? "0" : "(" + text() + ")";
}

SizeExpr operator+(const SizeExpr& a, const SizeExpr& b) {
  std::vector<SizeExpr::Term> terms = a.terms_;
  terms.insert(terms.end(), b.terms_.begin(), b.terms_.end());
  return SizeExpr::fromTerms(std::move(terms));
}

SizeExpr operator-(const SizeExpr& a, const SizeExpr& b) { return a + SizeExpr(-1) * b; }

SizeExpr operator*(const SizeExpr& a, const SizeExpr& b) {
  std::vector<SizeExpr::Term> terms;
  for (const auto& x : a.terms_) {
    for (const auto& y : b.terms_) {
      SizeExpr::Term term{x.factor * y.factor, x.atoms};
      term.atoms.insert(term.atoms.end(), y.atoms.begin(), y.atoms.end());
      std::sort(term.atoms.begin(), term.atoms.end(), [](const auto& p, const auto& q) { return p->text < q->text; });
      terms.push_back(std::move(term));
    }
  }
  return SizeExpr::fromTerms(std::move(terms));
}

bool operator==(const SizeExpr& a, const SizeExpr& b) { return a.text() == b.text(); }

}  // namespace np::kernel_port::spec
