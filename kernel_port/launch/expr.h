// Integer expressions of launch files: "ceildiv(M*N, 128)" over size names, with division and remainder that round
// down.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np::kernel_port::launch {

using Sizes = std::map<std::string, int64_t, std::less<>>;

// One node of the tree; `operands` are in source order. Plain data, so that lifting and scheduling can read the
// formula.
struct Expr {
  enum class Kind { Integer, Size, Negate, Add, Sub, Mul, Div, Mod, CeilDiv, Min, Max };
  Kind kind = Kind::Integer;
  int64_t value = 0;  // Integer
  std::string name;   // Size
  std::vector<Expr> operands;

  static Expr integer(int64_t value) { return {Kind::Integer, value, {}, {}}; }
  static Expr size(std::string name) { return {Kind::Size, 0, std::move(name), {}}; }
};

// One entry of `where`: a comparison of two expressions.
struct Condition {
  enum class Op { Lt, Le, Gt, Ge, Eq, Ne };
  Op op = Op::Lt;
  Expr left, right;
  std::string text;  // as written
};

// Parses an expression; the error (code "bad-expression") names the text and the column.
Result<Expr> parseExpr(std::string_view text);

// Parses `expr (< <= > >= == !=) expr`.
Result<Condition> parseCondition(std::string_view text);

// The value at `sizes`; errors: an unknown size name, a zero divisor, a value outside 64 bits.
Result<int64_t> evaluate(const Expr& expr, const Sizes& sizes);
Result<bool> holds(const Condition& condition, const Sizes& sizes);

// Names used anywhere in the expression, in order of first use, each once.
std::vector<std::string> sizeNames(const Expr& expr);

// Text that parses back to the same tree, with the fewest parentheses.
std::string toText(const Expr& expr);

}  // namespace np::kernel_port::launch
