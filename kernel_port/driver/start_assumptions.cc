// The lifter takes a maximum that starts at -FLT_MAX for one without a start. The two differ where every value compared
// is infinite or NaN, so the module checks the values: a load, times parameters and constants. A sum of two loads, or a
// function of one, has no sentence that the module could check.

#include "kernel_port/driver/start_assumptions.h"

#include <algorithm>
#include <cmath>

#include "runtime/tile/number_text.h"

namespace np::kernel_port::driver {
namespace {

// "values are above -FLT_MAX …": a running maximum that starts there was taken for one without a start.
bool mentionsStart(const std::vector<std::string>& assumptions) {
  return std::any_of(assumptions.begin(), assumptions.end(),
                     [](const std::string& a) { return a.find("FLT_MAX") != std::string::npos; });
}

// The value as an expression over whole arguments, for the module's data assumptions: one load, times parameters and
// constants. Empty for anything else.
std::string asAssumption(spec::Expr e, int& loads) {
  switch (e->op) {
    case spec::Op::Load:
      return ++loads == 1 && e->args.empty() ? e->name + "[i]" : "";
    case spec::Op::Param:
      return e->name;
    case spec::Op::Const:
      return std::isfinite(e->value) ? tile::numberText(e->value) : "";
    case spec::Op::Cast:
      return asAssumption(e->args[0], loads);
    case spec::Op::Un: {
      const std::string of = e->un() == spec::UnOp::Neg ? asAssumption(e->args[0], loads) : "";
      return of.empty() ? "" : "-(" + of + ")";
    }
    case spec::Op::Bin: {
      if (e->bin() != spec::BinOp::Mul) return "";
      const std::string left = asAssumption(e->args[0], loads), right = asAssumption(e->args[1], loads);
      return left.empty() || right.empty() ? "" : left + " * " + right;
    }
    default:
      return "";
  }
}

bool isExtremum(spec::Expr e) {
  return (e->op == spec::Op::Bin && (e->bin() == spec::BinOp::Max || e->bin() == spec::BinOp::Min)) ||
         (e->op == spec::Op::Red && e->red() != spec::RedOp::Sum);
}

}  // namespace

std::optional<std::set<std::string>> startAssumptions(const spec::Spec& spec,
                                                      const std::vector<std::string>& assumptions) {
  std::set<std::string> out;
  if (!mentionsStart(assumptions)) return out;
  for (const spec::Stmt& statement : spec.stmts)
    for (spec::Expr e : spec::postOrder(statement.value)) {
      if (!isExtremum(e)) continue;
      for (spec::Expr arg : e->args) {
        if (arg->op == spec::Op::Const || isExtremum(arg)) continue;
        int loads = 0;
        const std::string text = asAssumption(arg, loads);
        if (text.empty()) return std::nullopt;
        out.insert("-3.4028234e38 < " + text + " < 3.4028234e38");
      }
    }
  return out;
}

}  // namespace np::kernel_port::driver
