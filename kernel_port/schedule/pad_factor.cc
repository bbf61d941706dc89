// Products are flattened through negation, magnitude and division by a constant; every other product is a factor. Two
// loads are refused as well: in which order a product of three is computed is the scheduler's choice, and two finite
// loads may overflow before the zero is met. A sum of padded loads counts as one: the kernel may skip all of it.

#include "kernel_port/schedule/pad_factor.h"

#include <cmath>
#include <set>

namespace np::kernel_port::schedule {

using namespace spec;
using spec::Expr;

namespace {

bool holdsPad(Expr root) {
  std::vector<Expr> open{root};
  std::set<Expr> seen;
  while (!open.empty()) {
    const Expr e = open.back();
    open.pop_back();
    if (!seen.insert(e).second) continue;
    if (e->op == Op::Load && e->padded) return true;
    open.insert(open.end(), e->args.begin(), e->args.end());
  }
  return false;
}

bool isProduct(Expr e) { return e->op == Op::Bin && (e->bin() == BinOp::Mul || e->bin() == BinOp::Div); }

void factorsOf(Expr e, std::vector<Expr>& out, bool& scaled_up) {
  if (e->op == Op::Un && (e->un() == UnOp::Neg || e->un() == UnOp::Abs)) {
    factorsOf(e->args[0], out, scaled_up);
  } else if (e->op == Op::Bin && e->bin() == BinOp::Mul) {
    for (Expr arg : e->args) factorsOf(arg, out, scaled_up);
  } else if (e->op == Op::Bin && e->bin() == BinOp::Div && e->args[1]->op == Op::Const) {
    factorsOf(e->args[0], out, scaled_up);
    scaled_up = scaled_up || !(std::fabs(e->args[1]->value) >= 1);
  } else if (e->op == Op::Const && std::isfinite(e->value)) {
    scaled_up = scaled_up || !(std::fabs(e->value) <= 1);
  } else {
    out.push_back(e);
  }
}

}  // namespace

Result<void> checkPadFactors(Expr root) {
  for (Expr e : postOrder(root)) {
    if (!isProduct(e) || !holdsPad(e)) continue;
    std::vector<Expr> factors;
    bool scaled_up = false;
    factorsOf(e, factors, scaled_up);
    std::size_t pads = 0, loads = 0, others = 0;
    for (Expr factor : factors) {
      const bool load = factor->op == Op::Load;
      pads += load && factor->padded;
      loads += load && !factor->padded;
      others += !load;
    }
    // A padded load with constants alone is zero times a constant; something made of a pad beside anything is not
    // known.
    const bool fine = others == 0 && loads <= 1 && (loads == 0 || !scaled_up) && pads + loads <= 2;
    if (!fine && factors.size() > 1)
      return makeError("SCHED-PAD-FACTOR",
                       "outside its buffer a padded load is multiplied by a value that may be infinite, where the "
                       "kernel skips the product");
    if (!fine && e->bin() == BinOp::Div && e->args[1]->op != Op::Const)
      return makeError("SCHED-PAD-FACTOR", "outside its buffer a padded load is divided by a value that may be 0");
  }
  return {};
}

}  // namespace np::kernel_port::schedule
