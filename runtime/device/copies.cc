// Copies between devices and within one. All are complete on return, `non_blocking` or not.
//
// Source and destination get a frame each: they may be two neuron devices, or one of them the CPU.

#include <ATen/ops/copy_ops.h>
#include <ATen/ops/resize.h>

#include "runtime/device/coverage.h"
#include "runtime/device/frame.h"
#include "runtime/device/native_ops.h"

namespace np::device {
namespace {

void copyBytes(const at::Tensor& to, const at::Tensor& from, bool non_blocking) {
  static OpRecord& record = coverage().record("aten::copy_");
  record.count();
  Frame destination, source;
  at::Tensor target = destination.alias(to, true);
  const at::Tensor origin = source.alias(from, false);
  const auto device = to.device().type() == kNeuron ? to.device().index() : from.device().index();
  KernelScope scope(device);
  at::_ops::copy_::redispatch(c10::DispatchKeySet(c10::DispatchKey::CPU), target, origin, non_blocking);
}

at::Tensor& copyInPlace(at::Tensor& to, const at::Tensor& from, bool non_blocking) {
  copyBytes(to, from, non_blocking);
  return to;
}

at::Tensor copyFrom(const at::Tensor& from, const at::Tensor& to, bool non_blocking) {
  copyBytes(to, from, non_blocking);
  return to;
}

at::Tensor copyFromAndResize(const at::Tensor& from, const at::Tensor& to) {
  to.resize_(from.sizes());
  copyBytes(to, from, false);
  return to;
}

}  // namespace

void registerCopies(torch::Library& aten) {
  aten.impl("copy_", TORCH_FN(copyInPlace));
  aten.impl("_copy_from", TORCH_FN(copyFrom));
  aten.impl("_copy_from_and_resize", TORCH_FN(copyFromAndResize));
}

}  // namespace np::device
