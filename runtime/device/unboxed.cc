// The boxed kernel's work for the signatures of the most frequent ops, without its stack.
//
// PyTorch boxes an argument by counting one more owner of the tensor. Where Python holds the only one, its object is
// then kept alive too, and letting go again takes the interpreter's lock: twice for an addition, which costs more than
// the whole crossing. Here arguments stay references. Everything that is rare (other precision, random Scalars) goes to
// the boxed kernel; both cross by the same Frame.

#include "runtime/device/unboxed.h"

#include <ATen/core/boxing/impl/boxing.h>

#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "runtime/device/boxed.h"
#include "runtime/device/call_facts.h"
#include "runtime/device/frame.h"
#include "runtime/device/precision.h"
#include "runtime/device/stream_order.h"

namespace np::device {
namespace {

using at::Scalar;
using at::Tensor;
using OptionalDims = at::OptionalIntArrayRef;
using OptionalType = std::optional<at::ScalarType>;

const c10::DispatchKeySet kCpuKernel(c10::DispatchKey::CPU);

// What an argument becomes while the kernel runs: an alias for a tensor, itself for the rest.
Tensor aliased(Frame& frame, CallFacts& facts, const Tensor& tensor) {
  addArgument(facts, tensor, false);
  return frame.alias(tensor, false);
}
Tensor aliased(Frame& frame, CallFacts& facts, Tensor& tensor) {
  addArgument(facts, tensor, true);
  return frame.alias(tensor, true);
}
template <typename Other>
Other aliased(Frame&, CallFacts&, const Other& other) {
  return other;
}

Tensor adopted(Frame& frame, CallFacts& facts, Tensor result) {
  addResult(facts, result);
  return frame.adopt(std::move(result));
}

template <typename First, typename... Rest>
First first(First&& argument, Rest&&...) {
  return std::forward<First>(argument);
}

template <typename Signature>
class UnboxedKernel;

template <typename Result, typename... Arguments>
class UnboxedKernel<Result(Arguments...)> final : public c10::OperatorKernel {
 public:
  UnboxedKernel(const c10::OperatorHandle& op, OpTraits traits)
      : op_(op.typed<Result(Arguments...)>()), traits_(std::move(traits)) {}

  Result operator()(Arguments... arguments) {
    if (precision() != Precision::Exact) return runBoxed(arguments...);
    OpRecord& record = *traits_.record;
    admit(record);
    record.count();
    Frame frame;
    CallFacts facts;
    // Braces: from left to right, as messages and facts expect.
    std::tuple<decltype(aliased(frame, facts, std::declval<Arguments>()))...> aliases{
        aliased(frame, facts, static_cast<Arguments>(arguments))...};
    if (!traits_.takes_cpu_tensors) frame.refuseMixedDevices(traits_.name);
    admitTypes(record, facts.types);
    if constexpr (std::is_same_v<Result, Tensor&>) {
      run(frame, aliases);
      frame.finishWritten();
      record.add(facts);
      return first(static_cast<Arguments>(arguments)...);
    } else {
      Result result = run(frame, aliases);
      frame.finishWritten();
      Result ours = adopted(frame, facts, std::move(result));
      record.add(facts);
      return ours;
    }
  }

 private:
  template <typename Aliases>
  Result run(Frame& frame, Aliases& aliases) {
    KernelScope scope(frame.device());
    if (streamsMatter() && traits_.record->synchronises)
      state().streams.synchronizeStream(currentStream(frame.device()));
    return std::apply(
        [&](auto&... each) -> Result { return op_.redispatch(kCpuKernel, static_cast<Arguments>(each)...); }, aliases);
  }

  Result runBoxed(Arguments... arguments) {
    torch::jit::Stack stack;
    torch::jit::push(stack, static_cast<Arguments>(arguments)...);
    runOnHost(traits_, op_, &stack);
    if constexpr (std::is_same_v<Result, Tensor&>)
      return first(static_cast<Arguments>(arguments)...);
    else
      return c10::impl::PopResult<Result>::call(stack);
  }

  const c10::TypedOperatorHandle<Result(Arguments...)> op_;
  const OpTraits traits_;
};

// An op's types as its schema writes them: "Tensor! Tensor Scalar > Tensor!", where ! is a tensor that is written.
std::string signatureOf(const c10::FunctionSchema& schema) {
  std::string text;
  auto add = [&](const c10::Argument& argument) {
    text += argument.real_type()->str();
    if (argument.alias_info() && argument.alias_info()->isWrite()) text += "!";
    text += " ";
  };
  for (const auto& argument : schema.arguments()) {
    if (argument.alias_info() && !argument.alias_info()->isWrite()) return "";  // a view
    add(argument);
  }
  text += ">";
  for (const auto& result : schema.returns()) text += " " + result.real_type()->str();
  return text;
}

using Maker = c10::KernelFunction (*)(const c10::OperatorHandle&, const OpTraits&);

template <typename Signature>
c10::KernelFunction make(const c10::OperatorHandle& op, const OpTraits& traits) {
  return c10::KernelFunction::makeFromUnboxedFunctor<false, UnboxedKernel<Signature>>(
      std::make_unique<UnboxedKernel<Signature>>(op, traits));
}

using T = const Tensor&;
using S = const Scalar&;

// Written arguments come first in these, and are what the op returns.
const std::unordered_map<std::string, Maker>& makers() {
  static const std::unordered_map<std::string, Maker> known{
      {"Tensor > Tensor", &make<Tensor(T)>},
      {"Tensor! > Tensor", &make<Tensor&(Tensor&)>},
      {"Tensor Tensor > Tensor", &make<Tensor(T, T)>},
      {"Tensor! Tensor > Tensor", &make<Tensor&(Tensor&, T)>},
      {"Tensor Scalar > Tensor", &make<Tensor(T, S)>},
      {"Tensor! Scalar > Tensor", &make<Tensor&(Tensor&, S)>},
      {"Tensor Tensor Scalar > Tensor", &make<Tensor(T, T, S)>},
      {"Tensor! Tensor Scalar > Tensor", &make<Tensor&(Tensor&, T, S)>},
      {"Tensor Scalar Scalar > Tensor", &make<Tensor(T, S, S)>},
      {"Tensor Tensor Tensor > Tensor", &make<Tensor(T, T, T)>},
      {"Tensor Tensor Tensor Scalar > Tensor", &make<Tensor(T, T, T, S)>},
      {"Tensor! Tensor Tensor Scalar > Tensor", &make<Tensor&(Tensor&, T, T, S)>},
      {"Tensor Tensor Tensor Scalar Scalar > Tensor", &make<Tensor(T, T, T, S, S)>},
      {"Tensor int bool > Tensor", &make<Tensor(T, int64_t, bool)>},
      {"Tensor int[]? bool ScalarType? > Tensor", &make<Tensor(T, OptionalDims, bool, OptionalType)>},
      {"Tensor ScalarType? > Tensor", &make<Tensor(T, OptionalType)>},
      {"Tensor Tensor int ScalarType > Tensor", &make<Tensor(T, T, int64_t, at::ScalarType)>},
  };
  return known;
}

}  // namespace

std::optional<c10::KernelFunction> unboxedKernel(const c10::OperatorHandle& op, const OpTraits& traits) {
  if (traits.seeded || traits.host_result != SIZE_MAX) return std::nullopt;
  const auto found = makers().find(signatureOf(op.schema()));
  if (found == makers().end()) return std::nullopt;
  return found->second(op, traits);
}

}  // namespace np::device
