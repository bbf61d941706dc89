// The Spec: what a kernel computes, as formulas over buffers, without threads or order.
//
//   sizes M, N
//   buffer x f32[M, N] in
//   buffer y f32[M, N] out
//   t0(i) = max(x[i, k] for k in N)
//   y[i in M, j in N] = exp(x[i, j] - t0(i))/sum(exp(x[i, k] - t0(i)) for k in N)
//
// Nodes live in an Arena and are hash-consed: equal formulas are one pointer. The Arena's constructors bring every node
// into canonical form (README.md lists the rules), so that two kernels that compute the same thing by the same tree of
// operations have the same Spec. A node is valid as long as its Arena.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel_port/spec/dtype.h"
#include "kernel_port/spec/size_expr.h"

namespace np::kernel_port::spec {

// An axis: a statement's domain axis by position (0 ..), a reduction's axis (kBoundAxis + 1 .., one more than the
// reductions inside that depend on it), or a temporary one (kTemporaryAxis ..) that Arena::red() replaces.
using Axis = int;
constexpr Axis kBoundAxis = 16;
constexpr Axis kTemporaryAxis = 40;
constexpr Axis kAxisEnd = 64;

// A set of axes, one bit each.
using AxisSet = uint64_t;
inline AxisSet axisBit(Axis axis) { return uint64_t{1} << axis; }

// Sum of integer multiples of axes plus an integer polynomial of sizes.
struct Aff {
  std::vector<std::pair<Axis, int64_t>> terms;  // sorted by axis, no zero factor
  SizeExpr offset;

  static Aff axis(Axis axis) { return {{{axis, 1}}, 0}; }
  static Aff constant(SizeExpr value) { return {{}, std::move(value)}; }
  AxisSet axes() const;
  int64_t factor(Axis axis) const;
  // The axis if this is exactly one axis, else -1.
  Axis plainAxis() const;
  friend bool operator==(const Aff& a, const Aff& b) { return a.terms == b.terms && a.offset == b.offset; }
  friend Aff operator+(const Aff& a, const Aff& b);
  friend Aff operator-(const Aff& a, const Aff& b);
  friend Aff operator*(const Aff& a, int64_t factor);
};

enum class Op : uint8_t { Const, Param, Size, Coord, Load, Bin, Un, Cmp, Logic, Sel, Cast, Red, Rec };
enum class BinOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Min,
  Pow,
  Atan2,
  Fmod,
  IDiv,
  IMod,
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr
};
enum class UnOp : uint8_t {
  Neg,
  Abs,
  Square,
  Sqrt,
  Rsqrt,
  Exp,
  Exp2,
  Expm1,
  Log,
  Log2,
  Log10,
  Log1p,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Erf,
  Erfc,
  Floor,
  Ceil,
  Trunc,
  Round
};
enum class CmpOp : uint8_t { Lt, Le, Eq, Ne };  // C semantics; a > b is kept as b < a
enum class LogicOp : uint8_t { And, Or, Not };
enum class RedOp : uint8_t { Sum, Max, Min };  // Max and Min drop NaN, as fmaxf and fminf do

struct Node;
using Expr = const Node*;

// One index of a load: affine, or (arg >= 0) the integer expression args[arg].
struct Dim {
  Aff aff;
  int arg = -1;
  friend bool operator==(const Dim& a, const Dim& b) { return a.arg == b.arg && (a.arg >= 0 || a.aff == b.aff); }
};

struct Node {
  Op op = Op::Const;
  DType type = DType::F32;
  uint8_t code = 0;        // BinOp, UnOp, CmpOp, LogicOp or RedOp
  bool padded = false;     // Load: an index outside the buffer gives `value`; Red: the last argument is the mask
  uint32_t id = 0;         // order of creation
  std::vector<Expr> args;  // Load: index expressions; Red: body[, mask]; Rec: factor, addend, initial
  double value = 0;        // Const; Load: the value outside
  std::string name;        // Param, Load: buffer
  std::vector<Dim> dims;   // Load; Coord: dims[0].aff
  SizeExpr size;           // Size; Red: extent
  Axis axis = -1;          // Red, Rec
  AxisSet free = 0;        // axes it depends on

  BinOp bin() const { return static_cast<BinOp>(code); }
  UnOp un() const { return static_cast<UnOp>(code); }
  CmpOp cmp() const { return static_cast<CmpOp>(code); }
  LogicOp logic() const { return static_cast<LogicOp>(code); }
  RedOp red() const { return static_cast<RedOp>(code); }
  Expr mask() const { return op == Op::Red && padded ? args[1] : nullptr; }
  const Aff& coord() const { return dims[0].aff; }
  bool depends(Axis a) const { return (free & axisBit(a)) != 0; }
};

// What replaces an axis.
using Substitution = std::map<Axis, Aff>;

// Makes and owns nodes. Every function returns the canonical node of what it is asked for.
class Arena {
 public:
  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  Expr constant(double value, DType type = DType::F32);
  Expr param(std::string name, DType type = DType::F32);
  // A size expression as an i32 value.
  Expr size(SizeExpr value);
  // An affine function of axes as an i32 value.
  Expr coord(Aff value);
  Expr load(std::string buffer, DType type, std::vector<Dim> dims, std::vector<Expr> args = {});
  // The same; an index outside the buffer's extents reads `outside`.
  Expr paddedLoad(std::string buffer, DType type, std::vector<Dim> dims, std::vector<Expr> args, double outside);
  // Operands must have one type (Shl and Shr too).
  Expr bin(BinOp op, Expr a, Expr b);
  Expr un(UnOp op, Expr a);
  Expr cmp(CmpOp op, Expr a, Expr b);
  Expr logic(LogicOp op, Expr a, Expr b = nullptr);
  Expr select(Expr condition, Expr then, Expr otherwise);
  Expr cast(DType type, Expr a);
  // Reduces `body` over axis = 0 .. extent-1 where `mask` (bool, or null) holds; `axis` is renamed canonically.
  Expr red(RedOp op, Axis axis, SizeExpr extent, Expr body, Expr mask = nullptr);
  // h(axis) = factor*h(axis - 1) + addend with h(-1) = initial.
  Expr rec(Axis axis, Expr factor, Expr addend, Expr initial);

  // `e` with axes replaced; bound axes of reductions inside are untouched.
  Expr substitute(Expr e, const Substitution& map);
  // A canonical node like `e` with other arguments.
  Expr rebuild(Expr e, const std::vector<Expr>& args);

 private:
  Expr intern(Node node);
  Expr rename(Expr e, const Substitution& map, std::map<Expr, Expr>& done);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

enum class Role : uint8_t { In, Out, InOut };

struct Buffer {
  std::string name;
  DType type = DType::F32;
  std::vector<SizeExpr> extents;
  Role role = Role::In;
};

struct Scalar {
  std::string name;
  DType type = DType::F32;
};

// A total write: out[index(domain)] = value for every point of the domain.
struct Stmt {
  std::string out;
  std::vector<Aff> index;        // one per dimension of `out`, over the domain axes
  std::vector<SizeExpr> domain;  // extents of axes 0, 1, ..
  Expr value = nullptr;
};

// A condition on sizes under which the Spec holds: left REL right.
struct SizeCondition {
  SizeExpr left;
  CmpOp op = CmpOp::Eq;
  SizeExpr right;
  bool holds(const SizeValues& sizes) const;
  std::string text() const;
};

// All statements read the buffers' old values. Every size is at least 1.
struct Spec {
  std::vector<std::string> sizes;
  std::vector<SizeCondition> where;
  std::vector<Buffer> buffers;
  std::vector<Scalar> scalars;
  std::vector<Stmt> stmts;
  std::shared_ptr<Arena> arena = std::make_shared<Arena>();

  const Buffer* buffer(const std::string& name) const;
};

// Canonical order of commutative operands: <0, 0, >0. Does not depend on creation order or on names of bound axes.
int compareExpr(Expr a, Expr b);

// Every node reachable from `root`, arguments before users, each once.
std::vector<Expr> postOrder(Expr root);

}  // namespace np::kernel_port::spec
