// How a statement touches HBM: every load and the store as strides per axis over the flattened buffer.
#pragma once

#include <map>
#include <vector>

#include "kernel_port/schedule/facts.h"
#include "kernel_port/spec/spec.h"

namespace np::kernel_port::schedule {

struct Access {
  std::string buffer;
  std::map<spec::Axis, spec::SizeExpr> strides;  // elements per step of the axis; no zero
  spec::SizeExpr offset;
  std::vector<spec::Aff> dims;  // as written; empty once axes were fused
  bool unit(spec::Axis axis) const {
    const auto found = strides.find(axis);
    return found != strides.end() && found->second == spec::SizeExpr(1);
  }
};

// The access of `dims` on `buffer`.
Access makeAccess(const spec::Buffer& buffer, const std::vector<spec::Aff>& dims);

// Affine indices of a load without gathers.
std::vector<spec::Aff> affineDims(spec::Expr load);

}  // namespace np::kernel_port::schedule
