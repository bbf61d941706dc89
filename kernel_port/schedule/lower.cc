// Lowering of Spec nodes, bottom up, each node once.
//
// A masked reduction selects its identity where the mask is false: multiplying by a 0/1 mask would let an inf or NaN of
// a masked element through. Reductions over at most 64 constant steps are windows and unroll. What later issues bring
// (gathers, integer arithmetic) is refused here by name, so that the generator never meets it.
#include "kernel_port/schedule/lower.h"

#include <cmath>
#include <map>

#include "kernel_port/schedule/pad_factor.h"

namespace np::kernel_port::schedule {
namespace {

using namespace spec;
using spec::Expr;

constexpr int64_t kUnrollLimit = 64;
constexpr double kExactInteger = 1 << 24;

bool isOne(Expr e) { return e->op == Op::Const && e->value == 1; }

Result<void> supported(Expr e) {
  const auto refuse = [](const char* code, std::string message) -> Result<void> {
    return makeError(code, std::move(message));
  };
  switch (e->op) {
    case Op::Load:
      if (e->args.size() > 1) return refuse("SCHED-GATHER", "\"" + e->name + "\" is read at two indices that are data");
      for (const Dim& dim : e->dims) {
        for (const auto& [axis, factor] : dim.aff.terms) {
          if (factor < 0)
            return refuse("SCHED-NEGATIVE-STRIDE", "\"" + e->name + "\" is read backwards, which is not scheduled yet");
        }
      }
      break;
    case Op::Rec:
      if (e->type != DType::F32) return refuse("SCHED-SCAN-TYPE", "a recurrence of another type than f32");
      if (e->axis >= kBoundAxis) return refuse("SCHED-SCAN", "a recurrence along a reduced axis is not scheduled");
      break;
    case Op::Bin:
      if (!isFloat(e->type) && e->bin() != BinOp::Add)
        return refuse("SCHED-INTEGER", "integer arithmetic is not scheduled yet");
      if (!isFloat(e->type)) break;
      if (e->bin() > BinOp::Min && !(e->bin() == BinOp::Pow && e->args[1]->op == Op::Const)) {
        return refuse("SCHED-FUNCTION", "this function of two values has no NeuronCore instruction");
      }
      break;
    case Op::Red:
      if (!isFloat(e->type)) return refuse("SCHED-INTEGER", "an integer reduction is not scheduled yet");
      break;
    case Op::Sel:
      if (!isFloat(e->type) && e->type != DType::Bool)
        return refuse("SCHED-INTEGER", "a choice between integers is not scheduled yet");
      break;
    case Op::Un:
      switch (e->un()) {
        case UnOp::Neg:
        case UnOp::Abs:
        case UnOp::Square:
        case UnOp::Sqrt:
        case UnOp::Rsqrt:
        case UnOp::Exp:
        case UnOp::Exp2:
        case UnOp::Log:
        case UnOp::Log2:
        case UnOp::Log10:
        case UnOp::Tanh:
        case UnOp::Erf:
          break;
        default:
          return refuse("SCHED-FUNCTION", "this function has no NeuronCore instruction over its whole domain");
      }
      if (!isFloat(e->type)) return refuse("SCHED-INTEGER", "integer arithmetic is not scheduled yet");
      break;
    default:
      break;
  }
  if (e->type == DType::F64 || e->type == DType::I64 || e->type == DType::U64) {
    return refuse("SCHED-TYPE", "64-bit values do not exist on a NeuronCore");
  }
  return {};
}

class Lowering {
 public:
  explicit Lowering(Arena& arena) : arena_(arena) {}

  Result<Expr> run(Expr e) {
    if (const auto found = done_.find(e); found != done_.end()) return found->second;
    if (Expr other = withoutIntegers(e)) {
      NP_ASSIGN(Expr out, run(other));
      done_.emplace(e, out);
      return out;
    }
    NP_TRY(supported(e));
    std::vector<Expr> args;
    for (Expr arg : e->args) {
      NP_ASSIGN(Expr lowered, run(arg));
      args.push_back(lowered);
    }
    NP_ASSIGN(Expr out, node(e, args));
    done_.emplace(e, out);
    return out;
  }

 private:
  Result<Expr> node(Expr e, const std::vector<Expr>& args) {
    if (e->op == Op::Red) return reduction(e, args);
    if (e->op == Op::Bin && e->bin() == BinOp::Div && !isOne(args[0])) {
      return arena_.bin(BinOp::Mul, args[0], arena_.bin(BinOp::Div, arena_.constant(1, e->type), args[1]));
    }

    if (e->op == Op::Un && e->un() == UnOp::Exp2) return arena_.un(UnOp::Exp, scaled(args[0], std::log(2.0)));
    if (e->op == Op::Un && e->un() == UnOp::Log2) return scaled(arena_.un(UnOp::Log, args[0]), 1 / std::log(2.0));
    if (e->op == Op::Un && e->un() == UnOp::Log10) return scaled(arena_.un(UnOp::Log, args[0]), 1 / std::log(10.0));
    return arena_.rebuild(e, args);
  }

  // Integers as fp32 numbers: exact, or of 32 bits and then rounded, which keeps their order against exact ones.
  struct AsFloat {
    Expr value = nullptr;
    bool exact = false;
  };
  AsFloat asFloat(Expr e) {
    if (e->op == Op::Const) {
      if (std::fabs(e->value) > kExactInteger) return {};
      return {arena_.constant(e->value), true};
    }
    if (e->op == Op::Coord) return {arena_.cast(DType::F32, e), true};  // its schedule keeps it below 2^24
    if (e->op == Op::Size) return {arena_.cast(DType::F32, arena_.coord(Aff::constant(e->size))), true};
    const bool widened = e->op == Op::Cast && !isFloat(e->args[0]->type) && e->args[0]->op == Op::Load &&
                         dtypeBytes(e->args[0]->type) < dtypeBytes(e->type);
    Expr load = widened ? e->args[0] : e;
    if (load->op != Op::Load || isFloat(load->type) || dtypeBytes(load->type) > 4) return {};
    return {arena_.cast(DType::F32, load), dtypeBytes(load->type) <= 2};
  }

  // The same value by way of fp32, where that is exact (a sum is, where its schedule can bound it).
  Expr withoutIntegers(Expr e) {
    if (e->op == Op::Cmp) return compare(e, e->args);
    if (e->op == Op::Red && !isFloat(e->type) && e->red() == RedOp::Sum) {
      Expr body = integral(e->args[0]);
      if (body == nullptr) return nullptr;
      return arena_.cast(e->type, arena_.red(RedOp::Sum, e->axis, e->size, body, e->mask()));
    }
    if (e->op == Op::Cast && !isFloat(e->type) && e->args[0]->op == Op::Red && !isFloat(e->args[0]->type)) {
      Expr sum = withoutIntegers(e->args[0]);
      return sum == nullptr ? nullptr : arena_.cast(e->type, sum->args[0]);
    }
    if (e->op != Op::Cast || e->type != DType::F32 || e->args[0]->op != Op::Cast) return nullptr;
    const AsFloat number = asFloat(e->args[0]);
    return number.exact ? number.value : nullptr;
  }

  // An integer of at most 16 bits, or a choice of them, as an fp32 number.
  Expr integral(Expr e) {
    if (e->op == Op::Sel) {
      Expr a = integral(e->args[1]), b = integral(e->args[2]);
      return a == nullptr || b == nullptr ? nullptr : arena_.select(e->args[0], a, b);
    }
    const AsFloat number = asFloat(e);
    return number.exact ? number.value : nullptr;
  }

  // A comparison of integers in fp32, where that gives the same answer for all of them.
  Expr compare(Expr e, const std::vector<Expr>& args) {
    if (isFloat(args[0]->type) || args[0]->type == DType::Bool) return nullptr;
    // c + x < d is x < d - c: these are numbers, they do not wrap.
    for (int side : {0, 1}) {
      Expr sum = args[static_cast<size_t>(side)], other = args[static_cast<size_t>(1 - side)];
      if (sum->op != Op::Bin || sum->bin() != BinOp::Add || other->op != Op::Const) continue;
      for (int term : {0, 1}) {
        Expr number = sum->args[static_cast<size_t>(term)], rest = sum->args[static_cast<size_t>(1 - term)];
        if (number->op != Op::Const) continue;
        Expr moved = arena_.constant(other->value - number->value, other->type);
        return compare(e, side == 0 ? std::vector<Expr>{rest, moved} : std::vector<Expr>{moved, rest});
      }
    }
    const AsFloat a = asFloat(args[0]), b = asFloat(args[1]);
    if (a.value == nullptr || b.value == nullptr || !(a.exact || b.exact)) return nullptr;
    return arena_.cmp(e->cmp(), a.value, b.value);
  }

  Expr scaled(Expr x, double factor) { return arena_.bin(BinOp::Mul, arena_.constant(factor, x->type), x); }

  Result<Expr> reduction(Expr e, const std::vector<Expr>& args) {
    Expr body = args[0];
    const double identity = e->red() == RedOp::Sum ? 0.0 : (e->red() == RedOp::Max ? -INFINITY : INFINITY);
    if (args.size() > 1) body = arena_.select(args[1], body, arena_.constant(identity, body->type));
    if (const auto extent = e->size.constant()) return unrolled(e, body, *extent, identity);
    if (!body->depends(e->axis)) {
      if (e->red() != RedOp::Sum) return body;
      return arena_.bin(BinOp::Mul, body, arena_.cast(e->type, arena_.size(e->size)));
    }
    return arena_.red(e->red(), e->axis, e->size, body);
  }

  Result<Expr> unrolled(Expr e, Expr body, int64_t extent, double identity) {
    if (extent > kUnrollLimit) {
      // A long constant range is an ordinary reduction.
      return arena_.red(e->red(), e->axis, e->size, body);
    }
    Expr out = nullptr;
    const BinOp op = e->red() == RedOp::Sum ? BinOp::Add : (e->red() == RedOp::Max ? BinOp::Max : BinOp::Min);
    for (int64_t k = 0; k < extent; ++k) {
      Expr term = arena_.substitute(body, {{e->axis, Aff::constant(k)}});
      out = out ? arena_.bin(op, out, term) : term;
    }
    return out ? out : arena_.constant(identity, e->type);
  }

  Arena& arena_;
  std::map<Expr, Expr> done_;
};

}  // namespace

Result<spec::Expr> lowerValue(spec::Arena& arena, spec::Expr value) {
  NP_TRY(checkPadFactors(value));
  return Lowering(arena).run(value);
}

}  // namespace np::kernel_port::schedule
