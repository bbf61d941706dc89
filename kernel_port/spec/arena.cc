// Hash-consing and the canonical constructors.
//
// Only rewrites that keep every bit of the result (NaN payloads aside) are made: constants fold in their own type,
// a + -b is a - b, 1*x is x, x*x is square(x), commutative operands are ordered. x + 0 stays (it changes -0), and sums
// keep the association they were built with. What is worth more than that is the scheduler's business.
#include <cmath>
#include <cstring>
#include <deque>
#include <set>
#include <unordered_map>

#include "analyzer/base/result.h"
#include "kernel_port/spec/fold.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::spec {
namespace {

uint64_t bits(double value) {
  uint64_t out = 0;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

void append(std::string& key, int64_t value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); }

void append(std::string& key, const Aff& aff) {
  append(key, static_cast<int64_t>(aff.terms.size()));
  for (const auto& [axis, factor] : aff.terms) append(key, axis), append(key, factor);
  key += aff.offset.text() + '\0';
}

// Everything that tells two nodes apart.
std::string keyOf(const Node& node) {
  std::string key{static_cast<char>(node.op), static_cast<char>(node.type), static_cast<char>(node.code),
                  static_cast<char>(node.padded)};
  for (Expr arg : node.args) append(key, arg->id);
  append(key, static_cast<int64_t>(bits(node.value)));
  append(key, node.axis);
  key += node.name + '\0' + (node.op == Op::Size || node.op == Op::Red ? node.size.text() : "") + '\0';
  for (const Dim& dim : node.dims) {
    append(key, dim.arg);
    if (dim.arg < 0) append(key, dim.aff);
  }
  return key;
}

bool isConst(Expr e) { return e->op == Op::Const; }
bool isNegative(Expr e) { return isConst(e) && isFloat(e->type) && e->value < 0; }
bool isNeg(Expr e) { return e->op == Op::Un && e->un() == UnOp::Neg; }

bool commutes(BinOp op) {
  switch (op) {
    case BinOp::Add:
    case BinOp::Mul:
    case BinOp::Max:
    case BinOp::Min:
    case BinOp::BitAnd:
    case BinOp::BitOr:
    case BinOp::BitXor:
      return true;
    default:
      return false;
  }
}

AxisSet freeAxes(const Node& node) {
  AxisSet free = 0;
  for (Expr arg : node.args) free |= arg->free;
  for (const Dim& dim : node.dims) {
    if (dim.arg < 0) free |= dim.aff.axes();
  }
  if (node.op == Op::Red) free &= ~axisBit(node.axis);
  if (node.op == Op::Rec) free |= axisBit(node.axis);
  return free;
}

// The greatest axis of the reductions in `e` that depend on `axis`: the new axis must differ from all of them, and from
// nothing else, since the others cannot see it.
Axis innerAxis(Expr e, Axis axis, std::set<Expr>& seen) {
  if (!e->depends(axis) || !seen.insert(e).second) return kBoundAxis;
  Axis out = e->op == Op::Red ? e->axis : kBoundAxis;
  for (Expr arg : e->args) out = std::max(out, innerAxis(arg, axis, seen));
  return out;
}

}  // namespace

struct Arena::Impl {
  std::deque<Node> nodes;
  std::unordered_map<std::string, Expr> index;
};

Arena::Arena() : impl_(std::make_unique<Impl>()) {}
Arena::~Arena() = default;

Expr Arena::intern(Node node) {
  std::string key = keyOf(node);
  if (const auto found = impl_->index.find(key); found != impl_->index.end()) return found->second;
  node.id = static_cast<uint32_t>(impl_->nodes.size());
  node.free = freeAxes(node);
  NP_CHECK(node.op != Op::Red || node.axis < kTemporaryAxis);
  impl_->nodes.push_back(std::move(node));
  Expr made = &impl_->nodes.back();
  impl_->index.emplace(std::move(key), made);
  return made;
}

Expr Arena::constant(double value, DType type) {
  Node node{Op::Const, type};
  node.value = std::isnan(value) ? NAN : roundToType(value, type);
  return intern(std::move(node));
}

Expr Arena::param(std::string name, DType type) {
  Node node{Op::Param, type};
  node.name = std::move(name);
  return intern(std::move(node));
}

Expr Arena::size(SizeExpr value) {
  if (const auto c = value.constant()) return constant(static_cast<double>(*c), DType::I32);
  Node node{Op::Size, DType::I32};
  node.size = std::move(value);
  return intern(std::move(node));
}

Expr Arena::coord(Aff value) {
  if (value.terms.empty()) return size(value.offset);
  Node node{Op::Coord, DType::I32};
  node.dims.push_back({std::move(value), -1});
  return intern(std::move(node));
}

Expr Arena::load(std::string buffer, DType type, std::vector<Dim> dims, std::vector<Expr> args) {
  Node node{Op::Load, type};
  node.name = std::move(buffer);
  for (Dim& dim : dims) {
    // An affine index expression is an affine index.
    Expr arg = dim.arg >= 0 ? args[dim.arg] : nullptr;
    if (arg && arg->op == Op::Coord) dim = {arg->coord(), -1};
    if (arg && arg->op == Op::Size) dim = {Aff::constant(arg->size), -1};
    if (arg && arg->op == Op::Const) dim = {Aff::constant(static_cast<int64_t>(arg->value)), -1};
    if (dim.arg >= 0) {
      node.args.push_back(arg);
      dim.arg = static_cast<int>(node.args.size()) - 1;
    }
  }
  node.dims = std::move(dims);
  return intern(std::move(node));
}

Expr Arena::paddedLoad(std::string buffer, DType type, std::vector<Dim> dims, std::vector<Expr> args, double outside) {
  Node node = *load(std::move(buffer), type, std::move(dims), std::move(args));
  node.padded = true;
  node.value = roundToType(outside, type);
  return intern(std::move(node));
}

Expr Arena::bin(BinOp op, Expr a, Expr b) {
  NP_CHECK(a->type == b->type);
  if (a->op == Op::Coord || b->op == Op::Coord || a->op == Op::Size || b->op == Op::Size) {
    if (Expr folded = foldAffine(*this, op, a, b)) return folded;
  }
  if (isConst(a) && isConst(b)) {
    if (const auto value = foldBin(op, a->type, a->value, b->value)) return constant(*value, a->type);
  }
  if (op == BinOp::Add && isNeg(b)) return bin(BinOp::Sub, a, b->args[0]);
  if (op == BinOp::Add && isNeg(a)) return bin(BinOp::Sub, b, a->args[0]);
  if (op == BinOp::Sub && isNeg(b)) return bin(BinOp::Add, a, b->args[0]);
  // x + -c is kept as x - c, and x - -c as x + c.
  if (op == BinOp::Add && (isNegative(a) || isNegative(b))) {
    if (!isNegative(b)) std::swap(a, b);
    return bin(BinOp::Sub, a, constant(-b->value, b->type));
  }
  if (op == BinOp::Sub && isNegative(b)) return bin(BinOp::Add, a, constant(-b->value, b->type));
  if (op == BinOp::Mul) {
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
      if (isConst(x) && x->value == 1) return y;
      if (isConst(x) && x->value == -1) return un(UnOp::Neg, y);
    }
    if (a == b && isFloat(a->type)) return un(UnOp::Square, a);
  }
  if (op == BinOp::Div && isConst(b) && b->value == 1) return a;
  if ((op == BinOp::Max || op == BinOp::Min) && a == b) return a;
  if (commutes(op)) {
    // A chain of one operation reads left to right: its longer part goes first.
    const bool a_chain = a->op == Op::Bin && a->bin() == op, b_chain = b->op == Op::Bin && b->bin() == op;
    if (a_chain != b_chain ? b_chain : compareExpr(a, b) > 0) std::swap(a, b);
  }
  Node node{Op::Bin, a->type, static_cast<uint8_t>(op)};
  node.args = {a, b};
  return intern(std::move(node));
}

Expr Arena::un(UnOp op, Expr a) {
  if (isConst(a)) {
    if (const auto value = foldUn(op, a->type, a->value)) return constant(*value, a->type);
  }
  if (op == UnOp::Neg && isNeg(a)) return a->args[0];
  if ((op == UnOp::Abs || op == UnOp::Square) && isNeg(a)) return un(op, a->args[0]);
  if (op == UnOp::Neg && a->op == Op::Bin && a->bin() == BinOp::Mul && isConst(a->args[0])) {
    return bin(BinOp::Mul, constant(-a->args[0]->value, a->type), a->args[1]);
  }
  Node node{Op::Un, a->type, static_cast<uint8_t>(op)};
  node.args = {a};
  return intern(std::move(node));
}

Expr Arena::cmp(CmpOp op, Expr a, Expr b) {
  NP_CHECK(a->type == b->type);
  if (isConst(a) && isConst(b)) return constant(foldCmp(op, a->value, b->value), DType::Bool);
  if ((op == CmpOp::Eq || op == CmpOp::Ne) && compareExpr(a, b) > 0) std::swap(a, b);
  Node node{Op::Cmp, DType::Bool, static_cast<uint8_t>(op)};
  node.args = {a, b};
  return intern(std::move(node));
}

Expr Arena::logic(LogicOp op, Expr a, Expr b) {
  NP_CHECK(a->type == DType::Bool && (op == LogicOp::Not ? b == nullptr : b && b->type == DType::Bool));
  if (op == LogicOp::Not) {
    if (isConst(a)) return constant(a->value == 0, DType::Bool);
    if (a->op == Op::Logic && a->logic() == LogicOp::Not) return a->args[0];
    if (a->op == Op::Cmp) {
      // Exact for integers; for floats only == and != have an opposite, because of NaN.
      const bool integers = !isFloat(a->args[0]->type);
      if (a->cmp() == CmpOp::Eq) return cmp(CmpOp::Ne, a->args[0], a->args[1]);
      if (a->cmp() == CmpOp::Ne) return cmp(CmpOp::Eq, a->args[0], a->args[1]);
      if (integers) return cmp(a->cmp() == CmpOp::Lt ? CmpOp::Le : CmpOp::Lt, a->args[1], a->args[0]);
    }
  } else {
    const double absorbing = op == LogicOp::And ? 0 : 1;
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
      if (isConst(x)) return x->value == absorbing ? x : y;
    }
    if (a == b) return a;
    const bool a_chain = a->op == Op::Logic && a->logic() == op, b_chain = b->op == Op::Logic && b->logic() == op;
    if (a_chain != b_chain ? b_chain : compareExpr(a, b) > 0) std::swap(a, b);
  }
  Node node{Op::Logic, DType::Bool, static_cast<uint8_t>(op)};
  node.args = {a};
  if (b) node.args.push_back(b);
  return intern(std::move(node));
}

Expr Arena::select(Expr condition, Expr then, Expr otherwise) {
  NP_CHECK(condition->type == DType::Bool && then->type == otherwise->type);
  if (isConst(condition)) return condition->value != 0 ? then : otherwise;
  if (then == otherwise) return then;
  if (condition->op == Op::Logic && condition->logic() == LogicOp::Not) {
    return select(condition->args[0], otherwise, then);
  }
  Node node{Op::Sel, then->type};
  node.args = {condition, then, otherwise};
  return intern(std::move(node));
}

Expr Arena::cast(DType type, Expr a) {
  if (type == a->type) return a;
  if (isConst(a)) return constant(a->value, type);
  Node node{Op::Cast, type};
  node.args = {a};
  return intern(std::move(node));
}

Expr Arena::red(RedOp op, Axis axis, SizeExpr extent, Expr body, Expr mask) {
  NP_CHECK(!mask || mask->type == DType::Bool);
  if (mask && isConst(mask) && mask->value != 0) mask = nullptr;
  std::set<Expr> seen;
  const Axis bound = 1 + std::max(innerAxis(body, axis, seen), mask ? innerAxis(mask, axis, seen) : kBoundAxis);
  if (axis != bound) {
    // An outer axis of this very number cannot be free here: it would have made this reduction an inner one of its own.
    NP_CHECK(!body->depends(bound) && !(mask && mask->depends(bound)));
    body = substitute(body, {{axis, Aff::axis(bound)}});
    if (mask) mask = substitute(mask, {{axis, Aff::axis(bound)}});
  }
  Node node{Op::Red, body->type, static_cast<uint8_t>(op)};
  node.args = {body};
  if (mask) node.args.push_back(mask);
  node.padded = mask != nullptr;
  node.axis = bound;
  node.size = std::move(extent);
  return intern(std::move(node));
}

Expr Arena::rec(Axis axis, Expr factor, Expr addend, Expr initial) {
  NP_CHECK(factor->type == addend->type && factor->type == initial->type);
  Node node{Op::Rec, addend->type};
  node.args = {factor, addend, initial};
  node.axis = axis;
  return intern(std::move(node));
}

Expr Arena::rebuild(Expr e, const std::vector<Expr>& args) {
  switch (e->op) {
    case Op::Const:
    case Op::Param:
    case Op::Size:
    case Op::Coord:
      return e;
    case Op::Load:
      return e->padded ? paddedLoad(e->name, e->type, e->dims, args, e->value) : load(e->name, e->type, e->dims, args);
    case Op::Bin:
      return bin(e->bin(), args[0], args[1]);
    case Op::Un:
      return un(e->un(), args[0]);
    case Op::Cmp:
      return cmp(e->cmp(), args[0], args[1]);
    case Op::Logic:
      return logic(e->logic(), args[0], args.size() > 1 ? args[1] : nullptr);
    case Op::Sel:
      return select(args[0], args[1], args[2]);
    case Op::Cast:
      return cast(e->type, args[0]);
    case Op::Red:
      return red(e->red(), e->axis, e->size, args[0], args.size() > 1 ? args[1] : nullptr);
    case Op::Rec:
      return rec(e->axis, args[0], args[1], args[2]);
  }
  NP_CHECK(false);
}

}  // namespace np::kernel_port::spec
