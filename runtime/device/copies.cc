// Copies between devices and within one.
//
// Source and destination get a frame each: they may be two neuron devices, or one of them the CPU. Only a
// `non_blocking` copy between the device and pinned memory may be put off (see stream_board); all others are complete
// on return. In chaos mode a put-off copy makes two mistakes visible: its destination on the host holds 0xFF bytes
// until it ran, and a source on the host that changed in between is reported.

#include <ATen/ops/copy_ops.h>
#include <ATen/ops/resize.h>

#include <cstring>

#include "runtime/device/coverage.h"
#include "runtime/device/frame.h"
#include "runtime/device/native_ops.h"
#include "runtime/device/stream_order.h"

namespace np::device {
namespace {

bool onNeuron(const at::Tensor& tensor) { return tensor.device().type() == kNeuron; }

void count(const at::Tensor& to, const at::Tensor& from) {
  static OpRecord& all = coverage().record("aten::copy_");
  static OpRecord& to_host = coverage().record("neuron::copy_to_host");
  static OpRecord& to_device = coverage().record("neuron::copy_to_device");
  all.count();
  const auto bytes = static_cast<uint64_t>(from.numel()) * from.itemsize();
  CallFacts facts{bytes, bytes, uint64_t{1} << static_cast<int>(from.scalar_type()), 0};
  all.add(facts);
  if (onNeuron(to) == onNeuron(from)) return;
  OpRecord& direction = onNeuron(to) ? to_device : to_host;
  direction.synchronises = true;  // every call site is of interest
  direction.count();
  direction.add(facts);
}

void copyNow(const at::Tensor& to, const at::Tensor& from) {
  Frame destination, source;
  at::Tensor target = destination.alias(to, true);
  const at::Tensor origin = source.alias(from, false);
  const auto device = onNeuron(to) ? to.device().index() : from.device().index();
  KernelScope scope(device);
  at::_ops::copy_::redispatch(c10::DispatchKeySet(c10::DispatchKey::CPU), target, origin, false);
}

// A tensor of its own over the same storage, without Python object: it may be freed in any thread.
at::Tensor keep(const at::Tensor& tensor) {
  return at::Tensor(tensor.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), false));
}

bool mayBePutOff(const at::Tensor& to, const at::Tensor& from) {
  const at::Tensor& host = onNeuron(to) ? from : to;
  return onNeuron(to) != onNeuron(from) && to.sizes() == from.sizes() && to.scalar_type() == from.scalar_type() &&
         host.is_contiguous() && host.numel() > 0 && state().pinned.holds(host.const_data_ptr());
}

uint64_t checksum(const at::Tensor& host) {
  auto* bytes = static_cast<const unsigned char*>(host.const_data_ptr());
  uint64_t sum = 14695981039346656037ull;
  for (size_t k = 0; k < host.nbytes(); ++k) sum = (sum ^ bytes[k]) * 1099511628211ull;
  return sum;
}

void putOff(const at::Tensor& to, const at::Tensor& from, StreamKey stream) {
  StreamBoard& board = state().streams;
  orderUse((onNeuron(to) ? to : from).storage().unsafeGetStorageImpl(), onNeuron(to));
  const bool chaos = board.mode() == StreamMode::Chaos;
  const uint64_t before = chaos && !onNeuron(from) ? checksum(from) : 0;
  if (chaos && !onNeuron(to)) std::memset(to.mutable_data_ptr(), 0xFF, to.nbytes());
  board.defer(stream, [target = keep(to), source = keep(from), before, chaos] {
    DeferredWork now;
    if (chaos && !onNeuron(source) && checksum(source) != before)
      state().streams.complain(
          "the pinned source of a non_blocking copy to device neuron changed before the copy ran; synchronise the "
          "stream "
          "before writing to the source");
    copyNow(target, source);
  });
}

void copyBytes(const at::Tensor& to, const at::Tensor& from, bool non_blocking) {
  count(to, from);
  if (!streamsMatter()) return copyNow(to, from);
  const StreamKey stream = currentStream(onNeuron(to) ? to.device().index() : from.device().index());
  if (non_blocking && mayBePutOff(to, from)) return putOff(to, from, stream);
  copyNow(to, from);
  if (onNeuron(to) != onNeuron(from)) state().streams.synchronizeStream(stream);  // the host waited for it
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
