// Rewrites a statement's value into the forms that the generator knows.
#pragma once

#include "analyzer/base/result.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::schedule {

// Reductions over a constant range unroll, masks become selects, a/b becomes a*(1.0/b), a reduction of what does not
// depend on its axis becomes a multiple. Errors: a "SCHED-..." code with the construct in the message.
Result<spec::Expr> lowerValue(spec::Arena& arena, spec::Expr value);

}  // namespace np::kernel_port::schedule
