// SizeExpr: an integer expression over size names, kept in one canonical form so that equal extents compare equal.
//
//   SizeExpr h = SizeExpr::name("H");
//   ((h + 1).floorDiv(2)).text()      // "(H + 1)//2"
//
// A polynomial with integer coefficients over atoms; an atom is a size name, a floor division, a remainder, a minimum
// or a maximum. Every size is at least 1.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace np::kernel_port::spec {

using SizeValues = std::map<std::string, int64_t>;

class SizeExpr {
 public:
  struct Atom;
  using AtomRef = std::shared_ptr<const Atom>;
  struct Term {
    int64_t factor = 0;
    std::vector<AtomRef> atoms;  // sorted by text, repeated for powers
  };

  SizeExpr(int64_t value = 0);  // NOLINT(google-explicit-constructor)
  static SizeExpr name(std::string size);

  // Floor division and its remainder; `divisor` must be provably positive (see positive()).
  SizeExpr floorDiv(const SizeExpr& divisor) const;
  SizeExpr mod(const SizeExpr& divisor) const;
  SizeExpr ceilDiv(const SizeExpr& divisor) const;
  static SizeExpr min(const SizeExpr& a, const SizeExpr& b);
  static SizeExpr max(const SizeExpr& a, const SizeExpr& b);

  // The value where no size is named.
  std::optional<int64_t> constant() const;
  // True if it is at least 1 for all sizes >= 1, by the signs of its coefficients; false means unknown.
  bool positive() const;
  // True if it is at least 0 for all sizes >= 1, by the signs of its coefficients; false means unknown.
  bool nonNegative() const;
  // The value at `sizes`, which must hold every name in names().
  int64_t evaluate(const SizeValues& sizes) const;
  std::set<std::string> names() const;
  // Canonical text: terms by falling degree, then by name, the integer last.
  std::string text() const;
  // text(), in parentheses where it is more than one factor.
  std::string factorText() const;
  const std::vector<Term>& terms() const { return terms_; }

  friend SizeExpr operator+(const SizeExpr& a, const SizeExpr& b);
  friend SizeExpr operator-(const SizeExpr& a, const SizeExpr& b);
  friend SizeExpr operator*(const SizeExpr& a, const SizeExpr& b);
  friend bool operator==(const SizeExpr& a, const SizeExpr& b);
  friend bool operator!=(const SizeExpr& a, const SizeExpr& b) { return !(a == b); }
  friend bool operator<(const SizeExpr& a, const SizeExpr& b) { return a.text() < b.text(); }

 private:
  static SizeExpr fromTerms(std::vector<Term> terms);
  static SizeExpr fromAtom(Atom atom);
  std::vector<Term> terms_;
};

struct SizeExpr::Atom {
  enum class Kind : uint8_t { Name, FloorDiv, Mod, Min, Max };
  Kind kind = Kind::Name;
  std::string name;
  std::vector<SizeExpr> args;
  std::string text;
};

}  // namespace np::kernel_port::spec
