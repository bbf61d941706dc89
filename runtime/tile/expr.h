// Integer expressions over size symbols and loop variables, and comparisons of them.
//
// Every extent, offset, loop bound and clamp of a TileProgram is an Expr; instantiate() evaluates them. An Expr never
// converts to int or bool, so a scheduler cannot branch on a concrete size by accident.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "analyzer/base/result.h"

namespace np::tile {

using Bindings = std::map<std::string, int64_t, std::less<>>;

class Expr {
 public:
  enum class Kind { kConstant, kSymbol, kAdd, kSub, kMul, kFloorDiv, kCeilDiv, kMod, kMin, kMax };

  Expr(int64_t value = 0);  // NOLINT(google-explicit-constructor): 128 reads better than Expr(128) at every use
  static Expr symbol(std::string name);
  // Folds constants and the neutral elements of + - *; keeps everything else as written.
  static Expr binary(Kind kind, const Expr& left, const Expr& right);

  Kind kind() const { return node_->kind; }
  bool isConstant() const { return kind() == Kind::kConstant; }
  bool isConstant(int64_t value) const { return isConstant() && node_->value == value; }
  int64_t value() const { return node_->value; }           // of a constant
  const std::string& name() const { return node_->name; }  // of a symbol
  const Expr& left() const { return *node_->left; }        // of a binary
  const Expr& right() const { return *node_->right; }

  // Errors: "tile-symbol" for an unbound symbol, "tile-expr" for a division by zero or an overflow of 64 bits.
  Result<int64_t> evaluate(const Bindings& bindings) const;
  // "min(128, M - r)"; parseable, and legal Python but for floordiv, ceildiv and mod, which are calls.
  std::string text() const;
  // Structural equality.
  friend bool operator==(const Expr& a, const Expr& b);

 private:
  struct Node {
    Kind kind = Kind::kConstant;
    int64_t value = 0;
    std::string name;
    std::shared_ptr<const Expr> left, right;
  };
  std::shared_ptr<const Node> node_;
};

inline Expr operator+(const Expr& a, const Expr& b) { return Expr::binary(Expr::Kind::kAdd, a, b); }
inline Expr operator-(const Expr& a, const Expr& b) { return Expr::binary(Expr::Kind::kSub, a, b); }
inline Expr operator*(const Expr& a, const Expr& b) { return Expr::binary(Expr::Kind::kMul, a, b); }
inline Expr floorDiv(const Expr& a, const Expr& b) { return Expr::binary(Expr::Kind::kFloorDiv, a, b); }
inline Expr ceilDiv(const Expr& a, const Expr& b) { return Expr::binary(Expr::Kind::kCeilDiv, a, b); }
inline Expr floorMod(const Expr& a, const Expr& b) { return Expr::binary(Expr::Kind::kMod, a, b); }
inline Expr minimum(const Expr& a, const Expr& b) { return Expr::binary(Expr::Kind::kMin, a, b); }
inline Expr maximum(const Expr& a, const Expr& b) { return Expr::binary(Expr::Kind::kMax, a, b); }

enum class Compare { kEq, kNe, kLt, kLe, kGt, kGe };

struct Condition {
  Expr left;
  Compare compare = Compare::kLe;
  Expr right;

  Result<bool> holds(const Bindings& bindings) const;
  std::string text() const;  // "N <= 4096"
  friend bool operator==(const Condition& a, const Condition& b) = default;
};

const char* compareText(Compare compare);

}  // namespace np::tile
