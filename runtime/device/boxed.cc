// Runs one op on the device: the arguments on the stack become CPU aliases, the op is dispatched again to its CPU
// kernel, and the results become neuron tensors.
//
// Boxed means one function for two thousand ops, free of signatures, at about 0.5 us an op; what the report wants to
// know of a call (bytes, types, shapes) is gathered on the way. Written arguments come back
// as the very tensor objects that were passed. Random ops run on a throw-away CPU generator seeded from the device's
// state; those without a generator argument borrow the default CPU generator under a lock and put its state back.

#include "runtime/device/boxed.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <mutex>
#include <optional>

#include "runtime/device/call_facts.h"
#include "runtime/device/frame.h"
#include "runtime/device/generator.h"
#include "runtime/device/op_traits.h"
#include "runtime/device/precision.h"
#include "runtime/device/stream_order.h"
#include "runtime/device/unboxed.h"

namespace np::device {
namespace {

using c10::IValue;
using torch::jit::Stack;

const c10::DispatchKeySet kCpuKernel(c10::DispatchKey::CPU);

// The arguments of one call: the originals, kept alive and at fixed addresses while the stack holds their aliases.
class BoxedCall {
 public:
  BoxedCall(const OpTraits& traits, Stack& stack)
      : traits_(traits), stack_(stack), first_argument_(stack.size() - traits.argument_count) {
    originals_.reserve(traits.argument_count);
    lists_.reserve(traits.list_count);
  }

  void aliasArguments();
  void checkPolicy() const;
  void runKernel(const c10::OperatorHandle& op);
  void adoptResults();
  void tell() const { traits_.record->add(facts_); }

 private:
  void aliasArgument(size_t position);
  IValue aliasList(std::vector<at::Tensor> tensors, bool written);
  IValue aliasOptionalList(const std::vector<std::optional<at::Tensor>>& tensors);
  void dispatch(const c10::OperatorHandle& op);
  void runWithBorrowedGenerator(const c10::OperatorHandle& op);
  at::Tensor aliasTensor(const at::Tensor& tensor, bool written);
  at::Tensor adoptTensor(at::Tensor tensor);

  const OpTraits& traits_;
  Stack& stack_;
  const size_t first_argument_;
  Frame frame_;
  c10::SmallVector<IValue, 12> originals_;
  c10::SmallVector<std::vector<at::Tensor>, 2> lists_;  // frame_ points into these
  CallFacts facts_;
  bool has_generator_ = false;
};

// TorchScript types a list of indices by what it inferred, which is neither of PyTorch's two tensor list types.
bool holdsTensors(const IValue& list) {
  for (const IValue& element : list.toListRef())
    if (element.isTensor()) return true;
  return false;
}

std::vector<std::optional<at::Tensor>> optionalTensors(const IValue& list) {
  std::vector<std::optional<at::Tensor>> tensors;
  for (const IValue& element : list.toListRef())
    tensors.push_back(element.isTensor() ? std::make_optional(element.toTensor()) : std::nullopt);
  return tensors;
}

at::Tensor BoxedCall::aliasTensor(const at::Tensor& tensor, bool written) {
  addArgument(facts_, tensor, written);
  return frame_.alias(tensor, written);
}

at::Tensor BoxedCall::adoptTensor(at::Tensor tensor) {
  addResult(facts_, tensor);
  return frame_.adopt(std::move(tensor));
}

void BoxedCall::aliasArguments() {
  for (size_t k = 0; k < traits_.argument_count; ++k) {
    originals_.push_back(std::move(stack_[first_argument_ + k]));
    aliasArgument(k);
  }
  if (!traits_.takes_cpu_tensors) frame_.refuseMixedDevices(traits_.name);
}

void BoxedCall::aliasArgument(size_t position) {
  IValue& original = originals_[position];
  IValue& argument = stack_[first_argument_ + position];
  if (original.isTensor()) {
    argument = aliasTensor(original.toTensor(), traits_.written[position]);
  } else if (original.isTensorList()) {
    argument = aliasList(original.toTensorVector(), traits_.written[position]);
  } else if (original.isOptionalTensorList()) {
    argument = aliasOptionalList(original.toOptionalTensorVector());
  } else if (original.isList() && holdsTensors(original)) {
    argument = aliasOptionalList(optionalTensors(original));
  } else if (original.isDevice() && original.toDevice().type() == kNeuron) {
    frame_.preferDevice(original.toDevice());
    argument = c10::Device(c10::kCPU);
  } else if (original.isGenerator()) {
    argument = nextCpuGenerator(original.toGenerator());
    has_generator_ = true;
  } else {
    argument = original;
  }
}

IValue BoxedCall::aliasList(std::vector<at::Tensor> tensors, bool written) {
  const auto& kept = lists_.emplace_back(std::move(tensors));
  c10::List<at::Tensor> aliases;
  aliases.reserve(kept.size());
  for (const at::Tensor& tensor : kept) aliases.push_back(aliasTensor(tensor, written));
  return aliases;
}

IValue BoxedCall::aliasOptionalList(const std::vector<std::optional<at::Tensor>>& tensors) {
  auto& kept = lists_.emplace_back();
  for (const auto& tensor : tensors) kept.push_back(tensor.value_or(at::Tensor()));
  c10::List<std::optional<at::Tensor>> aliases;
  for (const at::Tensor& tensor : kept)
    aliases.push_back(tensor.defined() ? std::make_optional(aliasTensor(tensor, false)) : std::nullopt);
  return aliases;
}

void BoxedCall::checkPolicy() const {
  admitTypes(*traits_.record, facts_.types);
  if (traits_.format_argument == SIZE_MAX) return;
  const IValue& format = stack_[first_argument_ + traits_.format_argument];
  if (format.isInt()) noteMemoryFormat(static_cast<at::MemoryFormat>(format.toInt()));
}

void BoxedCall::runKernel(const c10::OperatorHandle& op) {
  KernelScope scope(frame_.device());
  if (precision() == Precision::Exact) {
    dispatch(op);
  } else {
    DevicePrecision detour(traits_, stack_, first_argument_);
    dispatch(op);
    detour.restore();
  }
  if (streamsMatter() && traits_.record->synchronises)
    state().streams.synchronizeStream(currentStream(frame_.device()));
}

void BoxedCall::dispatch(const c10::OperatorHandle& op) {
  if (traits_.seeded && !has_generator_)
    runWithBorrowedGenerator(op);
  else
    op.redispatchBoxed(kCpuKernel, &stack_);
}

void BoxedCall::runWithBorrowedGenerator(const c10::OperatorHandle& op) {
  static std::mutex borrowed;
  const uint64_t seed = nextSeed(defaultGenerator(frame_.device()));
  std::lock_guard lock(borrowed);
  at::Generator cpu = at::detail::getDefaultCPUGenerator();
  at::Tensor saved;
  {
    std::lock_guard generator_lock(cpu.mutex());
    saved = cpu.get_state();
    cpu.set_current_seed(seed);
  }
  struct GiveBack {
    at::Generator& cpu;
    const at::Tensor& saved;
    ~GiveBack() {
      std::lock_guard generator_lock(cpu.mutex());
      cpu.set_state(saved);
    }
  } give_back{cpu, saved};
  op.redispatchBoxed(kCpuKernel, &stack_);
}

void BoxedCall::adoptResults() {
  frame_.finishWritten();
  const size_t first_result = stack_.size() - traits_.return_count;
  for (size_t k = 0; k < traits_.return_count; ++k) {
    IValue& result = stack_[first_result + k];
    if (traits_.returns_argument[k] >= 0) {
      result = originals_[static_cast<size_t>(traits_.returns_argument[k])];
    } else if (k == traits_.host_result) {
      continue;
    } else if (result.isTensor()) {
      result = adoptTensor(std::move(result).toTensor());
    } else if (result.isTensorList()) {
      c10::List<at::Tensor> adopted;
      for (const at::Tensor& tensor : result.toTensorVector()) adopted.push_back(adoptTensor(tensor));
      result = std::move(adopted);
    }
  }
}

class BoxedKernel final : public c10::OperatorKernel {
 public:
  explicit BoxedKernel(OpTraits traits) : traits_(std::move(traits)) {}
  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) { runOnHost(traits_, op, stack); }

 private:
  const OpTraits traits_;
};

// Ops that appear after registration (other libraries' CPU ops) and those with nothing but a device argument.
void fallback(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  TORCH_CHECK_NOT_IMPLEMENTED(op.hasKernelForDispatchKey(c10::DispatchKey::CPU) ||
                                  op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd),
                              "Could not run '", op.schema().name(),
                              "' on device neuron: the op has no kernel for it and none for the CPU to fall back to");
  runOnHost(readOpTraits(op), op, stack);
}

}  // namespace

void runOnHost(const OpTraits& traits, const c10::OperatorHandle& op, Stack* stack) {
  admit(*traits.record);
  traits.record->count();
  BoxedCall call(traits, *stack);
  call.aliasArguments();
  call.checkPolicy();
  call.runKernel(op);
  call.adoptResults();
  call.tell();
}

int64_t registerBoxedKernels(torch::Library& aten, torch::Library& any) {
  auto& dispatcher = c10::Dispatcher::singleton();
  // Never destroyed, as the libraries are not.
  static auto* registrations = new std::vector<c10::RegistrationHandleRAII>;
  int64_t count = 0;
  for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
    const auto op = dispatcher.findSchema(name);
    if (!op || !wantsBoxedKernel(*op)) continue;
    ++count;
    OpTraits traits = readOpTraits(*op);
    if (auto unboxed = unboxedKernel(*op, traits)) {
      registrations->push_back(dispatcher.registerImpl(name, c10::DispatchKey::PrivateUse1, std::move(*unboxed),
                                                       std::nullopt, nullptr, "runtime/device/unboxed.cc"));
      continue;
    }
    const std::string local = c10::toString(name).substr(std::string("aten::").size());
    aten.impl(local.c_str(),
              torch::CppFunction::makeFromBoxedFunctor(std::make_unique<BoxedKernel>(std::move(traits))));
  }
  any.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
  return count;
}

}  // namespace np::device
