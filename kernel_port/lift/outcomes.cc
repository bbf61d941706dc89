// Every decision is brought to the sign of one difference. `a < b`, `a <= b`, `a == b` ask for the sign of a - b; a / b
// and a % b are 0 and a while a < b; a shift right by s is 0 while a < 2^s; a mask m gives 0 while a is below its
// lowest bit and is a remainder up to m.

#include "kernel_port/lift/outcomes.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace np::kernel_port::lift {
namespace {

void noteDifference(Outcome& outcome, int64_t a, int64_t b) {
  int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) {
    outcome.beyond = true;
    return;
  }
  outcome.least = std::min(outcome.least, difference);
  outcome.greatest = std::max(outcome.greatest, difference);
  outcome.seen_zero = outcome.seen_zero || difference == 0;
}

int64_t unsignedValue(int64_t v, int width) {
  if (width <= 0 || width >= 64) return v;
  return static_cast<int64_t>(static_cast<uint64_t>(v) & ((uint64_t{1} << width) - 1));
}

bool isUnsigned(Predicate p) { return p >= Predicate::Ult; }

// Whether a value fits `width` bits, from above and from below.
void noteRange(int width, int64_t value, Outcome& high, Outcome& low) {
  const int64_t half = int64_t{1} << (width - 1);
  noteDifference(high, value, half);
  noteDifference(low, -value - 1, half);
}

// Which sides of zero the decision tells apart.
enum class Split { Sign, SignOrZero, Zero };  // d < 0 | d >= 0;  d <= 0 | d > 0;  d == 0 | d != 0

std::optional<Split> splitOf(const Operation& op) {
  switch (op.code) {
    case Code::ICmp:
      switch (static_cast<Predicate>(op.aux)) {
        case Predicate::Eq:
        case Predicate::Ne:
          return Split::Zero;
        case Predicate::Slt:
        case Predicate::Sge:
        case Predicate::Ult:
        case Predicate::Uge:
          return Split::Sign;
        default:
          return Split::SignOrZero;
      }
    case Code::SMax:
    case Code::SMin:
    case Code::UMax:
    case Code::UMin:
    case Code::SDiv:
    case Code::UDiv:
    case Code::SRem:
    case Code::URem:
    case Code::LShr:
    case Code::AShr:
    case Code::And:
    case Code::Mul:
    case Code::Shl:
    case Code::Trunc:
      return Split::Sign;
    default:
      return std::nullopt;
  }
}

// The extremes of one decision over all runs that reached it.
struct Extremes {
  bool below = false, zero = false, above = false, beyond = false, everywhere = true;
  std::vector<int64_t> least, greatest;  // by training run
};

class Keeper {
 public:
  Keeper(const CompactFunction& function, const std::vector<SizedOutcomes>& runs, const SizeFit& fit,
         const spec::SizeValues& minima)
      : function_(function), runs_(runs), fit_(fit), minima_(minima) {}

  Result<std::vector<spec::SizeCondition>> run() {
    for (size_t i = 0; i < function_.operations.size(); ++i)
      for (size_t which = 0; which < 2; ++which) NP_TRY(decision(i, which));
    return std::move(conditions_);
  }

 private:
  Result<void> decision(size_t index, size_t which) {
    which_ = which;
    const Operation& op = function_.operations[index];
    const std::optional<Split> split = splitOf(op);
    if (!split) return {};
    const Extremes e = extremes(index, which);
    if (!e.below && !e.zero && !e.above && !e.beyond) return {};  // never reached with numbers
    const bool minmax =
        op.code == Code::SMax || op.code == Code::SMin || op.code == Code::UMax || op.code == Code::UMin;
    bool both = e.below && e.above;
    if (!minmax && *split == Split::Sign) both = e.below && (e.zero || e.above);
    if (*split == Split::SignOrZero) both = (e.below || e.zero) && e.above;
    if (*split == Split::Zero) both = e.zero && (e.below || e.above);
    if (isWrap(op) && withinReach(op)) return {};
    if (both) return keepBoth(op, *split, e);
    if (*split == Split::Zero && e.zero && !e.beyond) return keepZero(op, e);
    if (*split == Split::Zero && e.below && e.above) return keepNonZero(op, e);
    if (e.below || (!e.above && (minmax || *split == Split::SignOrZero)))
      return keepSide(op, e, e.greatest, /*upper=*/true,
                      /*strict=*/*split == Split::Sign && !minmax ? true : !e.zero && *split == Split::Zero);
    return keepSide(op, e, e.least, /*upper=*/false, /*strict=*/*split != Split::Sign && !e.zero);
  }

  static bool isWrap(const Operation& op) {
    return op.code == Code::Mul || op.code == Code::Shl || op.code == Code::Trunc;
  }

  // A value of this operation never exceeded the number of threads or elements.
  bool withinReach(const Operation& op) const {
    const size_t index = static_cast<size_t>(&op - function_.operations.data());
    const int64_t half = int64_t{1} << (op.width - 1);
    for (const SizedOutcomes& run : runs_) {
      const Outcome &high = run.outcomes->at(index, 0), &low = run.outcomes->at(index, 1);
      if (high.beyond || low.beyond) return false;
      if (high.least <= high.greatest && high.greatest + half > run.reach) return false;
      if (low.least <= low.greatest && low.greatest + half > run.reach) return false;
    }
    return op.width >= 31;
  }

  // A decision seen both ways: where one extreme kept to its side at every run and follows a plain formula, it must go
  // on to. No formula, or one with rounding (the last block of a grid), is no reason to refuse.
  Result<void> keepBoth(const Operation& op, Split split, const Extremes& e) {
    for (const bool upper : {false, true}) {
      const std::vector<int64_t>& values = upper ? e.greatest : e.least;
      const auto side = sideAtEveryRun(op, split, upper);
      if (!side) continue;
      const auto expr = formula(op, e, values, upper);
      if (!expr || expr->constant() || !isPolynomial(*expr)) continue;
      // side -1: stays below (or at) zero; 1: stays above (or at).
      const bool strict = split == Split::Zero || (split == Split::Sign ? *side < 0 : *side > 0);
      keep(*expr, *side < 0, strict);
    }
    return {};
  }

  // The side of the threshold on which this extreme lay at every run, nothing when it changed or lay on it
  // (Split::Zero).
  std::optional<int> sideAtEveryRun(const Operation& op, Split split, bool upper) const {
    const size_t index = static_cast<size_t>(&op - function_.operations.data());
    int side = 0;
    for (const SizedOutcomes& run : runs_) {
      const Outcome& o = run.outcomes->at(index, which_);
      if (o.least > o.greatest) continue;
      const int64_t x = upper ? o.greatest : o.least;
      if (split == Split::Zero && x == 0) return std::nullopt;
      const bool below = split == Split::SignOrZero ? x <= 0 : x < 0;
      if (side != 0 && side != (below ? -1 : 1)) return std::nullopt;
      side = below ? -1 : 1;
    }
    if (side == 0) return std::nullopt;
    return side;
  }

  static bool isPolynomial(const spec::SizeExpr& expr) {
    for (const spec::SizeExpr::Term& term : expr.terms())
      for (const auto& atom : term.atoms)
        if (atom->kind != spec::SizeExpr::Atom::Kind::Name) return false;
    return true;
  }

  Extremes extremes(size_t index, size_t which) const {
    Extremes out;
    for (const SizedOutcomes& run : runs_) {
      const Outcome& o = run.outcomes->at(index, which);
      out.beyond = out.beyond || o.beyond;
      if (o.least > o.greatest) {
        out.everywhere = out.everywhere && !run.training;
        continue;
      }
      out.below = out.below || o.least < 0;
      out.above = out.above || o.greatest > 0;
      out.zero = out.zero || o.seen_zero;
      if (!run.training) continue;
      out.least.push_back(o.least);
      out.greatest.push_back(o.greatest);
    }
    return out;
  }

  // The formula of an extreme, confirmed at the runs it was not fitted on. First a size plus or minus a number, the
  // commonest by far; then whatever SizeFit finds for the values or for their negatives.
  std::optional<spec::SizeExpr> formula(const Operation& op, const Extremes& e, const std::vector<int64_t>& values,
                                        bool upper) const {
    if (e.beyond || !e.everywhere) return std::nullopt;
    const size_t index = static_cast<size_t>(&op - function_.operations.data());
    const auto holds = [&](const spec::SizeExpr& expr) {
      for (const SizedOutcomes& run : runs_) {
        const Outcome& o = run.outcomes->at(index, which_);
        if (o.least <= o.greatest && expr.evaluate(run.sizes) != (upper ? o.greatest : o.least)) return false;
      }
      return true;
    };
    const SizedOutcomes* first = &runs_.front();
    for (const auto& [size, value] : first->sizes)
      for (const int64_t sign : {int64_t{1}, int64_t{-1}}) {
        const spec::SizeExpr expr =
            spec::SizeExpr(sign) * spec::SizeExpr::name(size) + spec::SizeExpr(values.front() - sign * value);
        if (holds(expr)) return expr;
      }
    if (auto expr = fit_.fit(values); expr && holds(*expr)) return expr;
    std::vector<int64_t> negatives;
    for (const int64_t value : values) negatives.push_back(-value);
    if (auto expr = fit_.fit(negatives); expr && holds(spec::SizeExpr(0) - *expr)) return spec::SizeExpr(0) - *expr;
    return std::nullopt;
  }

  // upper: extreme < 0 (strict) or <= 0; else 0 < extreme or 0 <= extreme.
  Result<void> keepSide(const Operation& op, const Extremes& e, const std::vector<int64_t>& values, bool upper,
                        bool strict) {
    const auto expr = formula(op, e, values, upper);
    if (!expr) return refuse(op);
    if (expr->constant()) return {};
    keep(*expr, upper, strict);
    return {};
  }

  // Adds the condition unless it holds at every legal size.
  void keep(const spec::SizeExpr& expr, bool upper, bool strict) {
    const spec::SizeExpr zero(0), one(1);
    const spec::SizeExpr slack = upper ? zero - expr - (strict ? one : zero) : expr - (strict ? one : zero);
    if (slack.nonNegative() || holdsFromMinima(slack)) return;
    const spec::CmpOp relation = strict ? spec::CmpOp::Lt : spec::CmpOp::Le;
    add(upper ? spec::SizeCondition{expr, relation, zero} : spec::SizeCondition{zero, relation, expr});
  }

  // Growing in every size, and not negative at the least of each.
  bool holdsFromMinima(const spec::SizeExpr& slack) const {
    for (const spec::SizeExpr::Term& term : slack.terms()) {
      if (term.factor < 0 && !term.atoms.empty()) return false;
      for (const auto& atom : term.atoms)
        if (atom->kind != spec::SizeExpr::Atom::Kind::Name) return false;
    }
    return slack.evaluate(minima_) >= 0;
  }

  // Always equal: fine while nothing else was ever seen at any size.
  Result<void> keepZero(const Operation& op, const Extremes& e) {
    const bool only_zero = !e.below && !e.above;
    return only_zero && e.everywhere ? Result<void>() : refuse(op);
  }

  // Never equal though on both sides: only where each run saw one difference can a size condition say so.
  Result<void> keepNonZero(const Operation& op, const Extremes& e) {
    if (e.least != e.greatest) return refuse(op);
    const auto expr = formula(op, e, e.least, false);
    if (!expr) return refuse(op);
    add({*expr, spec::CmpOp::Ne, spec::SizeExpr(0)});
    return {};
  }

  void add(spec::SizeCondition condition) {
    const std::string text = condition.text();
    for (const spec::SizeCondition& other : conditions_)
      if (other.text() == text) return;
    conditions_.push_back(std::move(condition));
  }

  Error refuse(const Operation& op) const {
    return makeError(
        "NPT2910",
        "a decision on this line went one way at every size tried, and nothing says when it goes the other way",
        function_.places[static_cast<size_t>(op.place)].text());
  }

  const CompactFunction& function_;
  const std::vector<SizedOutcomes>& runs_;
  const SizeFit& fit_;
  const spec::SizeValues& minima_;
  size_t which_ = 0;  // the decision of the operation being looked at
  std::vector<spec::SizeCondition> conditions_;
};

}  // namespace

void Outcomes::note(const Operation& op, size_t index, int64_t a, int64_t b) {
  Outcome &first = all_[2 * index], &second = all_[2 * index + 1];
  switch (op.code) {
    case Code::ICmp:
      if (isUnsigned(static_cast<Predicate>(op.aux))) a = unsignedValue(a, op.width), b = unsignedValue(b, op.width);
      noteDifference(first, a, b);
      break;
    case Code::UMax:
    case Code::UMin:
    case Code::UDiv:
    case Code::URem:
      noteDifference(first, unsignedValue(a, op.width), unsignedValue(b, op.width));
      break;
    case Code::SMax:
    case Code::SMin:
    case Code::SDiv:
    case Code::SRem:
      noteDifference(first, a, b);
      break;
    case Code::LShr:
    case Code::AShr:
      if (b >= 0 && b < 62)
        noteDifference(first, op.code == Code::LShr ? unsignedValue(a, op.width) : a, int64_t{1} << b);
      break;
    case Code::Mul:
    case Code::Shl: {
      if (op.width <= 1 || op.width >= 64 || (op.flags & kNoWrap) != 0) break;
      if (op.code == Code::Shl && (b < 0 || b >= 31)) break;
      int64_t value = 0;
      const int64_t factor = op.code == Code::Shl ? int64_t{1} << b : b;
      first.beyond = first.beyond || __builtin_mul_overflow(a, factor, &value);
      noteRange(op.width, value, first, second);
      break;
    }
    case Code::Trunc:
      if (op.width > 1 && op.width < 64) noteRange(op.width, a, first, second);
      break;
    case Code::And: {
      if (op.width <= 1) break;
      // The constant side is the mask; for two variables the smaller value is taken, which only asks for more.
      const int64_t x = unsignedValue(a, op.width), m = unsignedValue(b, op.width);
      if (m <= 0 || x < 0) break;
      noteDifference(first, x, int64_t{1} << std::countr_zero(static_cast<uint64_t>(m)));
      if (m < std::numeric_limits<int64_t>::max()) noteDifference(second, x, m + 1);
      break;
    }
    default:
      break;
  }
}

Result<std::vector<spec::SizeCondition>> keepOutcomes(const CompactFunction& function,
                                                      const std::vector<SizedOutcomes>& runs, const SizeFit& fit,
                                                      const spec::SizeValues& minima) {
  return Keeper(function, runs, fit, minima).run();
}

namespace {

// Every min and max below an expression, with what its sides were at each run.
Result<void> keepExpr(const launch::Expr& expr, const launch::LaunchFile& file, const std::vector<SizedOutcomes>& runs,
                      std::vector<spec::SizeCondition>& out) {
  for (const launch::Expr& operand : expr.operands) NP_TRY(keepExpr(operand, file, runs, out));
  using Kind = launch::Expr::Kind;
  const bool chooses = expr.kind == Kind::Min || expr.kind == Kind::Max;
  const bool divides = expr.kind == Kind::Div || expr.kind == Kind::CeilDiv || expr.kind == Kind::Mod;
  if (!chooses && !divides) return {};
  // A quotient stays 0, or 1, or a remainder the number itself, while left < right (left <= right when rounding up).
  const int64_t shift = divides && expr.kind != Kind::CeilDiv ? 1 : 0;
  bool below = false, above = false;
  for (const SizedOutcomes& run : runs) {
    const launch::Sizes sizes(run.sizes.begin(), run.sizes.end());
    NP_ASSIGN(const int64_t left, launch::evaluate(expr.operands[0], sizes));
    NP_ASSIGN(const int64_t right, launch::evaluate(expr.operands[1], sizes));
    below = below || (chooses ? left < right : left + shift <= right);
    above = above || (chooses ? left > right : left + shift > right);
  }
  if (below == above || (divides && above)) return {};
  auto left = toSizeExpr(expr.operands[0]), right = toSizeExpr(expr.operands[1]);
  if (!left || !right)
    return makeError("NPT2910", "\"" + launch::toText(expr) + "\" went one way at every size tried", file.path);
  if (sizeNames(expr).empty()) return {};
  *left = *left + spec::SizeExpr(shift);
  spec::SizeCondition condition{below ? *left : *right, spec::CmpOp::Le, below ? *right : *left};
  for (const spec::SizeCondition& other : out)
    if (other.text() == condition.text()) return {};
  out.push_back(std::move(condition));
  return {};
}

}  // namespace

Result<std::vector<spec::SizeCondition>> keepLaunchDecisions(const launch::LaunchFile& file,
                                                             const std::vector<SizedOutcomes>& runs) {
  std::vector<spec::SizeCondition> out;
  for (const launch::Launch& launch : file.launches) {
    for (const launch::Expr& expr : launch.grid) NP_TRY(keepExpr(expr, file, runs, out));
    for (const launch::Expr& expr : launch.block) NP_TRY(keepExpr(expr, file, runs, out));
    for (const launch::Argument& argument : launch.args)
      if (const auto* expr = std::get_if<launch::Expr>(&argument)) NP_TRY(keepExpr(*expr, file, runs, out));
  }
  return out;
}

}  // namespace np::kernel_port::lift
