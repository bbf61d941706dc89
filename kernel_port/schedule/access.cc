// Strides of affine accesses, as canonical size polynomials so that "one past the row" and "the next row" compare
// equal.
#include "kernel_port/schedule/access.h"

namespace np::kernel_port::schedule {

Access makeAccess(const spec::Buffer& buffer, const std::vector<spec::Aff>& dims) {
  Access out;
  out.buffer = buffer.name;
  out.dims = dims;
  spec::SizeExpr stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    out.offset = out.offset + dims[d].offset * stride;
    for (const auto& [axis, factor] : dims[d].terms) {
      out.strides[axis] = out.strides[axis] + spec::SizeExpr(factor) * stride;
    }
    stride = stride * buffer.extents[d];
  }
  return out;
}

std::vector<spec::Aff> affineDims(spec::Expr load) {
  std::vector<spec::Aff> out;
  for (const spec::Dim& dim : load->dims) out.push_back(dim.aff);
  return out;
}

}  // namespace np::kernel_port::schedule
