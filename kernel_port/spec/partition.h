// Do the statements of one buffer write each of its elements exactly once, at every size?
//
//   y[i, j : i in M, j in A] = ..
//   y[i, A + j : i in M, j in B] = ..         y f32[M, A + B]: yes
//
// Each statement must write a box: one axis per dimension, with step 1 or, for all statements alike, a step that
// divides the extent (y[2*i], y[2*i + 1]).
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::spec {

// The conditions on sizes under which it is so, without those that always hold (every size is at least 1): borders in
// this order, no box empty. Error NPT2908 where it cannot be shown.
Result<std::vector<SizeCondition>> partitionConditions(const Spec& spec, const std::string& buffer);

}  // namespace np::kernel_port::spec
