// Histograms of integers. The accelerators take them, and mixture-of-experts models count tokens per expert that way on
// any device but the CPU, whose kernel takes floating-point numbers only. Integers go through float64 and back: counts
// and edges are exact below 2^53.

#include <ATen/ops/histc_ops.h>

#include "runtime/device/coverage.h"
#include "runtime/device/frame.h"
#include "runtime/device/native_ops.h"

namespace np::device {
namespace {

at::Tensor histc(const at::Tensor& input, int64_t bins, const at::Scalar& low, const at::Scalar& high) {
  static OpRecord& record = coverage().record("aten::histc");
  admit(record);
  record.count();
  Frame frame;
  const at::Tensor values = frame.alias(input, false);
  at::Tensor counts;
  {
    KernelScope scope(frame.device());
    const bool whole = at::isIntegralType(values.scalar_type(), /*includeBool=*/false);
    counts = at::_ops::histc::redispatch(c10::DispatchKeySet(c10::DispatchKey::CPU),
                                         whole ? values.to(at::kDouble) : values, bins, low, high);
    if (whole) counts = counts.to(values.scalar_type());
  }
  return frame.adopt(counts);
}

}  // namespace

void registerHistogram(torch::Library& aten) { aten.impl("histc", TORCH_FN(histc)); }

}  // namespace np::device
