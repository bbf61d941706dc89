// The only integer sums that are scheduled add a count of less than 2^24 to an element of the input.
#include "kernel_port/driver/integer_assumptions.h"

namespace np::kernel_port::driver {

std::set<std::string> integerAssumptions(const spec::Spec& spec) {
  std::set<std::string> out;
  for (const spec::Stmt& statement : spec.stmts)
    for (spec::Expr e : spec::postOrder(statement.value)) {
      if (e->op != spec::Op::Bin || spec::isFloat(e->type) || e->bin() != spec::BinOp::Add) continue;
      for (spec::Expr arg : e->args) {
        if (arg->op != spec::Op::Load) continue;
        const bool with_sign = arg->type == spec::DType::I32;
        const std::string low = with_sign ? "-2130706432" : "0", high = with_sign ? "2130706431" : "4278190079";
        out.insert(low + " <= " + arg->name + "[i] <= " + high);
      }
    }
  return out;
}

}  // namespace np::kernel_port::driver
