// The library's face: a namespace of control ops that Python calls after torch.ops.load_library.
//
// Loading the library defines these ops and nothing else; `initialize` installs the device, in order, so that every
// failure is an exception with a text. No Python headers are needed: strings, integers, generators and tensors cross as
// op arguments.

#include <ATen/ops/from_blob.h>
#include <torch/library.h>

#include <map>
#include <memory>

#include "runtime/device/allocators.h"
#include "runtime/device/boxed.h"
#include "runtime/device/coverage.h"
#include "runtime/device/device_state.h"
#include "runtime/device/fault.h"
#include "runtime/device/frame.h"
#include "runtime/device/generator.h"
#include "runtime/device/guard.h"
#include "runtime/device/hooks.h"
#include "runtime/device/native_ops.h"
#include "runtime/device/precision.h"
#include "runtime/device/stream_order.h"

namespace np::device {
namespace {

using Key = c10::DispatchKey;

torch::Library& implementations(const char* ns, Key key) {
  // Never destroyed: unregistering kernels while the interpreter shuts down would pull them from under live tensors.
  return *new torch::Library(torch::Library::IMPL, ns, key, __FILE__, __LINE__);
}

void refuseKind(const c10::OperatorHandle&, c10::DispatchKeySet keys, torch::jit::Stack*) { refuseTensorKind(keys); }

// Returns the number of ops that run by the boxed kernel.
int64_t initialize(int64_t devices, int64_t memory_mb, bool host_readable, bool explain_faults) {
  TORCH_CHECK(devices >= 1 && devices <= kMaxDevices, "the number of neuron devices must be 1 to ", kMaxDevices,
              ", got ", devices, "; set NEURON_RT_NUM_CORES");
  TORCH_CHECK(memory_mb >= 16, "a neuron device needs at least 16 MiB, got ", memory_mb,
              "; set NEURON_PORT_DEVICE_MEMORY_MB");
  const AddressSpaceOptions options{static_cast<int>(devices), static_cast<size_t>(memory_mb) << 20, host_readable};
  const auto result = openDevices(options);
  TORCH_CHECK(result.ok(), result.error().text());
  if (explain_faults && state().space.isGuarded()) installFaultHandler(&state().space);

  c10::register_privateuse1_backend("neuron");
  registerAllocators();
  registerGuard();
  registerHooks();

  torch::Library& aten = implementations("aten", Key::PrivateUse1);
  registerFactories(aten);
  registerViews(aten);
  registerCopies(aten);
  registerAttention(aten);
  registerRnnCells(aten);
  registerHistogram(aten);
  registerAutocast(implementations("aten", Key::AutocastPrivateUse1), implementations("_", Key::AutocastPrivateUse1));
  for (Key kind :
       {Key::SparsePrivateUse1, Key::SparseCsrPrivateUse1, Key::QuantizedPrivateUse1, Key::NestedTensorPrivateUse1})
    implementations("_", kind).fallback(torch::CppFunction::makeFromBoxedFunction<&refuseKind>());
  return registerBoxedKernels(aten, implementations("_", Key::PrivateUse1));
}

int64_t deviceCount() { return isOpen() ? state().space.deviceCount() : 0; }

at::Generator generatorOf(int64_t device) { return defaultGenerator(static_cast<c10::DeviceIndex>(device)); }

bool isGuarded(const at::Tensor& tensor) {
  return state().space.isGuarded() && state().space.isDeviceAddress(tensor.storage().data());
}

// A CPU tensor over a neuron tensor's bytes, which it keeps alive: what kernels written for the host (NKI's
// interpreter, Gloo) read and, if `writes`, write. Counts as a use by the thread's current stream.
at::Tensor hostView(const at::Tensor& tensor, bool writes) {
  TORCH_CHECK(tensor.device().type() == kNeuron, "host_view takes a neuron tensor, got one on ", tensor.device());
  TORCH_CHECK(!tensor.is_conj() && !tensor.is_neg(),
              "host_view takes a tensor without a pending conjugation or negation");
  if (streamsMatter()) orderUse(tensor.storage().unsafeGetStorageImpl(), writes);
  char* bytes = static_cast<char*>(state().space.toHost(tensor.storage().data()));
  if (bytes) bytes += tensor.storage_offset() * static_cast<int64_t>(tensor.itemsize());
  return at::from_blob(
      bytes, tensor.sizes(), tensor.strides(), [kept = tensor](void*) {}, tensor.options().device(c10::kCPU));
}

std::vector<std::string> opRecords() { return coverage().lines(); }
std::vector<std::string> opStacks(std::string name) { return coverage().stacks(name); }
void clearOps() { coverage().clear(); }

void setOpTable(std::vector<std::string> names, std::vector<int64_t> placements, c10::List<bool> synchronises) {
  TORCH_CHECK(names.size() == placements.size() && names.size() == synchronises.size(), "columns of unequal length");
  coverage().setTable(names, placements, std::vector<bool>(synchronises.begin(), synchronises.end()));
}

// The value that `name` has in `names`; says what is possible otherwise.
template <typename Value>
Value named(const std::string& what, const std::string& name, const std::map<std::string, Value>& names) {
  auto found = names.find(name);
  std::string possible;
  for (const auto& [each, value] : names) possible += (possible.empty() ? "'" : ", '") + each + "'";
  TORCH_CHECK_VALUE(found != names.end(), "the ", what, " is '", name, "'; choose one of ", possible);
  return found->second;
}

void setPolicy(std::string name) {
  coverage().setPolicy(
      named<Policy>("policy", name, {{"warn", Policy::Warn}, {"strict", Policy::Strict}, {"silent", Policy::Silent}}));
}
void setPrecisionByName(std::string name) {
  setPrecision(named<Precision>("precision", name, {{"exact", Precision::Exact}, {"device", Precision::Device}}));
}
void setStreams(std::string name) {
  state().streams.setMode(named<StreamMode>(
      "stream mode", name, {{"sync", StreamMode::Sync}, {"async", StreamMode::Async}, {"chaos", StreamMode::Chaos}}));
}

}  // namespace
}  // namespace np::device

TORCH_LIBRARY(neuron_port, m) {
  using namespace np::device;  // NOLINT: the ops of this library
  m.def("initialize(int devices, int memory_mb, bool host_readable, bool explain_faults) -> int", &initialize);
  m.def("device_count() -> int", &deviceCount);
  m.def("default_generator(int device) -> Generator?", &generatorOf);
  m.def("op_records() -> str[]", &opRecords);
  m.def("op_stacks(str name) -> str[]", &opStacks);
  m.def("set_op_table(str[] names, int[] placements, bool[] synchronises) -> ()", &setOpTable);
  m.def("set_policy(str name) -> ()", &setPolicy);
  m.def("set_precision(str name) -> ()", &setPrecisionByName);
  m.def("set_streams(str name) -> ()", &setStreams);
  m.def("clear_ops() -> ()", &clearOps);
  m.def("is_guarded(Tensor tensor) -> bool");
  m.def("host_view(Tensor tensor, bool writes=False) -> Tensor");
}

TORCH_LIBRARY_IMPL(neuron_port, PrivateUse1, m) {
  using namespace np::device;  // NOLINT
  m.impl("is_guarded", &isGuarded);
  m.impl("host_view", &hostView);
}
