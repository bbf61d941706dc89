// Integers of the machine: numbers first, an expression beside the number only where data is involved.
//
// An expression is linear over loaded integers as long as the kernel computes linearly; what is not linear (a product
// of two loaded integers, a division) becomes one opaque operation.
#include <bit>
#include <cmath>

#include "kernel_port/lift/machine.h"

namespace np::kernel_port::lift {

namespace {

int64_t signExtend(int64_t v, int width) {
  if (width >= 64 || width == 0) return v;
  auto shift = static_cast<unsigned>(64 - width);
  return static_cast<int64_t>(static_cast<uint64_t>(v) << shift) >> shift;
}

uint64_t zeroExtend(int64_t v, int width) {
  if (width >= 64 || width == 0) return static_cast<uint64_t>(v);
  return static_cast<uint64_t>(v) & ((uint64_t{1} << width) - 1);
}

bool isBoolean(Op op) {
  return op == Op::FloatCompare || op == Op::IntCompare || op == Op::And || op == Op::Or || op == Op::Not;
}

// The number; false for a division by zero.
bool compute(const Operation& op, int64_t a, int64_t b, int64_t& out) {
  uint64_t x = zeroExtend(a, op.width), y = zeroExtend(b, op.width);
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (op.code) {
    case Code::Add:
      out = static_cast<int64_t>(ua + ub);
      break;
    case Code::Sub:
      out = static_cast<int64_t>(ua - ub);
      break;
    case Code::Mul:
      out = static_cast<int64_t>(ua * ub);
      break;
    case Code::SDiv:
      if (b == 0) return false;
      out = b == -1 ? static_cast<int64_t>(0 - ua) : a / b;
      break;
    case Code::SRem:
      if (b == 0) return false;
      out = b == -1 ? 0 : a % b;
      break;
    case Code::UDiv:
      if (y == 0) return false;
      out = static_cast<int64_t>(x / y);
      break;
    case Code::URem:
      if (y == 0) return false;
      out = static_cast<int64_t>(x % y);
      break;
    case Code::Shl:
      out = y >= 64 ? 0 : static_cast<int64_t>(x << y);
      break;
    case Code::LShr:
      out = y >= 64 ? 0 : static_cast<int64_t>(x >> y);
      break;
    case Code::AShr:
      out = a >> (y >= 63 ? 63 : y);
      break;
    case Code::And:
      out = a & b;
      break;
    case Code::Or:
    case Code::OrDisjoint:
      out = a | b;
      break;
    case Code::Xor:
      out = a ^ b;
      break;
    case Code::SMax:
      out = a > b ? a : b;
      break;
    case Code::SMin:
      out = a < b ? a : b;
      break;
    case Code::UMax:
      out = x > y ? a : b;
      break;
    case Code::UMin:
      out = x < y ? a : b;
      break;
    default:
      return false;
  }
  out = signExtend(out, op.width);
  return true;
}

spec::BinOp specOp(Code code) {
  switch (code) {
    case Code::Mul:
      return spec::BinOp::Mul;
    case Code::SDiv:
    case Code::UDiv:
      return spec::BinOp::IDiv;
    case Code::SRem:
    case Code::URem:
      return spec::BinOp::IMod;
    case Code::Shl:
      return spec::BinOp::Shl;
    case Code::LShr:
    case Code::AShr:
      return spec::BinOp::Shr;
    case Code::And:
      return spec::BinOp::BitAnd;
    case Code::Or:
      return spec::BinOp::BitOr;
    case Code::SMax:
    case Code::UMax:
      return spec::BinOp::Max;
    case Code::SMin:
    case Code::UMin:
      return spec::BinOp::Min;
    default:
      return spec::BinOp::BitXor;
  }
}

}  // namespace

bool Machine::fits(const Value& value, int width, bool with_sign) {
  if (value.n == 0) return with_sign || value.i >= 0;
  return ranges_.of(value).within(with_sign ? signedRange(width) : unsignedRange(width));
}

Machine::Status Machine::failNarrow(const char* what) {
  return fail("NPT2904", std::string(what) +
                             " of integer data that may not fit its width, so that it wraps for some "
                             "values");
}

NodeId Machine::asNode(const Value& value) {
  return value.n == 0                     ? dag_.linear({}, value.i)
         : dag_.op(value.n) == Op::Linear ? value.n
                                          : dag_.linear({{value.n, 1}}, 0);
}

NodeId Machine::asCondition(const Value& value) {
  return value.n == 0 ? dag_.constant(static_cast<double>(value.i & 1)) : value.n;
}

Value Machine::addScaled(const Value& a, int64_t factor_a, const Value& b, int64_t factor_b, int64_t number) {
  NodeId sum = dag_.linear({{asNode(a), factor_a}, {asNode(b), factor_b}}, 0);
  return dag_.node(sum).count == 0 ? Value{number, 0, -1} : Value{number, sum, -1};
}

Machine::Status Machine::integer(Thread& thread, const Operation& op) {
  const Value a = thread.slots[static_cast<size_t>(op.a)], b = thread.slots[static_cast<size_t>(op.b)];
  Value& dst = thread.slots[static_cast<size_t>(op.dst)];
  int64_t number = 0;
  if (!compute(op, a.i, b.i, number)) return fail("NPT2905", "an integer division by zero");
  if (a.n == 0 && b.n == 0) {
    note(op, a.i, b.i);
    dst = Value{number, 0, -1};
    return Status::Ready;
  }
  if (op.width == 1) {
    NodeId x = asCondition(a), y = asCondition(b), n = 0;
    if (op.code == Code::And || op.code == Code::Or || op.code == Code::OrDisjoint)
      n = dag_.logic(op.code != Code::And, x, y);
    else if (op.code == Code::Xor && b.n == 0)
      n = (b.i & 1) != 0 ? dag_.logicNot(x) : x;
    else
      return fail("NPT2904", "arithmetic on conditions that depend on data");
    bool constant = dag_.isConst(n);
    dst = Value{constant ? (dag_.value(n) != 0 ? -1 : 0) : number, constant ? 0 : n, -1};
    return Status::Ready;
  }
  for (NodeId n : {a.n, b.n})
    if (n != 0 && dag_.op(n) == Op::FloatBits) return fail("NPT2904", "arithmetic on the bits of a float");
  auto scaled = [&](Value value) {
    if ((op.flags & kNoWrap) != 0 && value.n != 0) value.bits = static_cast<int8_t>(op.width);
    dst = value;
    return Status::Ready;
  };
  switch (op.code) {
    case Code::Add:
    case Code::OrDisjoint:
      return scaled(addScaled(a, 1, b, 1, number));
    case Code::Sub:
      return scaled(addScaled(a, 1, b, -1, number));
    case Code::Mul:
      if (a.n == 0) return scaled(addScaled(b, a.i, Value{}, 1, number));
      if (b.n == 0) return scaled(addScaled(a, b.i, Value{}, 1, number));
      break;
    case Code::Shl:
      if (b.n == 0 && b.i < 62) return scaled(addScaled(a, int64_t{1} << b.i, Value{}, 1, number));
      break;
    default:
      break;
  }
  bool with_sign = fits(a, op.width, true) && fits(b, op.width, true);
  bool without = fits(a, op.width, false) && fits(b, op.width, false);
  int8_t bits = (op.flags & kNoWrap) != 0 ? static_cast<int8_t>(op.width) : 0;
  switch (op.code) {
    case Code::UDiv:
    case Code::URem:
    case Code::LShr:
    case Code::UMax:
    case Code::UMin:
      if (!without) return failNarrow("an unsigned operation");
      break;
    case Code::SDiv:
    case Code::SRem:
    case Code::AShr:
    case Code::SMax:
    case Code::SMin:
      if (!with_sign) return failNarrow("an operation");
      break;
    case Code::And:
    case Code::Or:
    case Code::Xor:
      if (!with_sign && !without) return failNarrow("a bit operation");
      bits = static_cast<int8_t>(with_sign ? op.width : -op.width);
      break;
    default:
      break;
  }
  NodeId opaque = dag_.intOp(specOp(op.code), asNode(a), asNode(b), number);
  dst = Value{number, dag_.linear({{opaque, 1}}, 0), -1, bits};
  return Status::Ready;
}

Machine::Status Machine::compareIntegers(Thread& thread, const Operation& op) {
  const Value a = thread.slots[static_cast<size_t>(op.a)], b = thread.slots[static_cast<size_t>(op.b)];
  Value& dst = thread.slots[static_cast<size_t>(op.dst)];
  auto give = [&dst, this](NodeId n) {
    dst = dag_.isConst(n) ? Value{dag_.value(n) != 0 ? -1 : 0, 0, -1} : Value{dag_.value(n) != 0 ? -1 : 0, n, -1};
    return Status::Ready;
  };
  if (op.code == Code::FCmp) {
    NodeId n = 0;
    switch (static_cast<Relation>(op.aux)) {
      case Relation::Lt:
        n = dag_.floatCompare(spec::CmpOp::Lt, a.n, b.n);
        break;
      case Relation::Le:
        n = dag_.floatCompare(spec::CmpOp::Le, a.n, b.n);
        break;
      case Relation::Eq:
        n = dag_.floatCompare(spec::CmpOp::Eq, a.n, b.n);
        break;
      case Relation::True:
      case Relation::False:
        dag_.assume("no NaN where a kernel tests for it");
        n = dag_.constant(static_cast<Relation>(op.aux) == Relation::True ? 1 : 0);
        break;
    }
    if ((op.flags & kNegated) != 0) {
      bool equality = static_cast<Relation>(op.aux) == Relation::Eq && !dag_.isConst(n);
      n = equality ? dag_.floatCompare(spec::CmpOp::Ne, a.n, b.n) : dag_.logicNot(n);
    }
    return give(n);
  }
  auto predicate = static_cast<Predicate>(op.aux);
  bool on_pointers = function_.slots[static_cast<size_t>(op.a)] == Kind::Pointer;
  if (on_pointers) {
    bool equal = a.buffer == b.buffer && a.i == b.i;
    if ((a.n != 0 || b.n != 0) || (predicate != Predicate::Eq && predicate != Predicate::Ne))
      return fail("NPT2904", "a comparison of addresses");
    dst = Value{equal == (predicate == Predicate::Eq) ? -1 : 0, 0, -1};
    return Status::Ready;
  }
  if (a.n == 0 && b.n == 0) {
    note(op, a.i, b.i);
    uint64_t x = zeroExtend(a.i, op.width), y = zeroExtend(b.i, op.width);
    bool v = false;
    switch (predicate) {
      case Predicate::Eq:
        v = x == y;
        break;
      case Predicate::Ne:
        v = x != y;
        break;
      case Predicate::Slt:
        v = a.i < b.i;
        break;
      case Predicate::Sle:
        v = a.i <= b.i;
        break;
      case Predicate::Sgt:
        v = a.i > b.i;
        break;
      case Predicate::Sge:
        v = a.i >= b.i;
        break;
      case Predicate::Ult:
        v = x < y;
        break;
      case Predicate::Ule:
        v = x <= y;
        break;
      case Predicate::Ugt:
        v = x > y;
        break;
      case Predicate::Uge:
        v = x >= y;
        break;
    }
    dst = Value{v ? -1 : 0, 0, -1};
    return Status::Ready;
  }
  // A condition compared with a constant (a bool that was widened and tested again).
  for (const Value* side : {&a, &b}) {
    const Value& other = side == &a ? b : a;
    if (side->n == 0 || other.n != 0 || (predicate != Predicate::Eq && predicate != Predicate::Ne)) continue;
    NodeId n = side->n;
    if (dag_.op(n) == Op::Linear && dag_.node(n).count == 1 && dag_.node(n).imm == 0 &&
        isBoolean(dag_.op(dag_.arg(n, 0))) && std::fabs(dag_.coefficient(n, 0)) == 1)
      n = dag_.arg(n, 0);
    if (!isBoolean(dag_.op(n))) continue;
    bool tests_true = (other.i != 0) == (predicate == Predicate::Eq);
    return give(tests_true ? n : dag_.logicNot(n));
  }
  bool with_sign = fits(a, op.width, true) && fits(b, op.width, true);
  bool without = fits(a, op.width, false) && fits(b, op.width, false);
  bool needs_sign = predicate == Predicate::Slt || predicate == Predicate::Sle || predicate == Predicate::Sgt ||
                    predicate == Predicate::Sge;
  if (needs_sign ? !with_sign : !with_sign && !without) return failNarrow("a comparison");
  auto difference = [&](const Value& p, const Value& q) { return dag_.linear({{asNode(p), 1}, {asNode(q), -1}}, 0); };
  switch (predicate) {
    case Predicate::Eq:
      return give(dag_.intCompare(spec::CmpOp::Eq, difference(a, b)));
    case Predicate::Ne:
      return give(dag_.intCompare(spec::CmpOp::Ne, difference(a, b)));
    case Predicate::Slt:
      return give(dag_.intCompare(spec::CmpOp::Lt, difference(a, b)));
    case Predicate::Sle:
      return give(dag_.intCompare(spec::CmpOp::Le, difference(a, b)));
    case Predicate::Sgt:
      return give(dag_.intCompare(spec::CmpOp::Lt, difference(b, a)));
    case Predicate::Sge:
      return give(dag_.intCompare(spec::CmpOp::Le, difference(b, a)));
    case Predicate::Ult:  // against a non-negative number: 0 <= a and a < b
    case Predicate::Uge:
      if (b.n == 0 && b.i >= 0) {
        NodeId below = dag_.intCompare(spec::CmpOp::Lt, difference(a, b));
        NodeId natural = dag_.intCompare(spec::CmpOp::Le, difference(Value{}, a));
        NodeId inside = dag_.logic(false, natural, below);
        return give(predicate == Predicate::Ult ? inside : dag_.logicNot(inside));
      }
      break;
    default:
      break;
  }
  return fail("NPT2904", "an unsigned comparison of integers that depend on data");
}

Machine::Status Machine::convert(Thread& thread, const Operation& op) {
  const Value a = thread.slots[static_cast<size_t>(op.a)];
  Value& dst = thread.slots[static_cast<size_t>(op.dst)];
  bool from_condition = function_.slots[static_cast<size_t>(op.a)] == Kind::Bool;
  switch (op.code) {
    case Code::SExt:
      if (a.n != 0 && !from_condition && !fits(a, op.aux, true)) return failNarrow("a widening");
      dst = a;
      if (from_condition && a.n != 0) dst.n = dag_.linear({{a.n, -1}}, 0);
      break;
    case Code::ZExt:
      if (a.n != 0 && !from_condition && !fits(a, op.aux, false)) return failNarrow("an unsigned widening");
      dst = Value{static_cast<int64_t>(zeroExtend(a.i, op.aux)), a.n, -1, a.bits};
      if (from_condition && a.n != 0) dst.n = dag_.linear({{a.n, 1}}, 0);
      break;
    case Code::Trunc: {
      if (a.n == 0) note(op, a.i, 0);
      dst = Value{signExtend(a.i, op.width), a.n, -1};
      if (op.width != 1 || a.n == 0) break;
      NodeId n = a.n;
      if (dag_.op(n) == Op::Linear && dag_.node(n).count == 1 && dag_.node(n).imm == 0 &&
          isBoolean(dag_.op(dag_.arg(n, 0)))) {
        dst.n = dag_.arg(n, 0);
        break;
      }
      return fail("NPT2904", "the lowest bit of integer data as a condition");
    }
    case Code::IntToFloat: {
      int64_t number = op.aux != 0 ? static_cast<int64_t>(zeroExtend(a.i, op.aux)) : a.i;
      if (from_condition) number &= 1;
      if (a.n != 0 && !from_condition && !fits(a, static_cast<int>(op.imm), op.aux == 0))
        return failNarrow("a conversion to float");
      dst = Value{0, dag_.toFloat(a.n != 0 ? asNode(a) : dag_.literal(number)), -1};
      break;
    }
    case Code::FloatToInt: {
      if (dag_.isConst(a.n)) {
        dst = Value{static_cast<int64_t>(dag_.value(a.n)), 0, -1};
        break;
      }
      NodeId n = dag_.toInt(a.n);  // a float out of range is undefined
      auto bits = static_cast<int8_t>(op.imm != 0 ? -op.width : op.width);
      dst = Value{static_cast<int64_t>(dag_.value(n)), dag_.linear({{n, 1}}, 0), -1, bits};
      break;
    }
    case Code::FloatToBits: {
      auto bits = static_cast<int64_t>(std::bit_cast<int32_t>(static_cast<float>(dag_.value(a.n))));
      if (dag_.isConst(a.n)) {
        dst = Value{bits, 0, -1};
        break;
      }
      NodeId arg[] = {a.n};
      dst = Value{bits, dag_.make(Op::FloatBits, 0, 0, arg, static_cast<double>(bits)), -1};
      break;
    }
    case Code::BitsToFloat:
      if (a.n == 0) {
        dst = Value{0, dag_.constant(std::bit_cast<float>(static_cast<int32_t>(a.i))), -1};
      } else if (dag_.op(a.n) == Op::FloatBits) {
        dst = Value{0, dag_.arg(a.n, 0), -1};
      } else {
        return fail("NPT2904", "integer data reinterpreted as a float");
      }
      break;
    default:
      return fail("NPT2904", "an unknown conversion");
  }
  return Status::Ready;
}

}  // namespace np::kernel_port::lift
