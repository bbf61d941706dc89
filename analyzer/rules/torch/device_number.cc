// NPT3015 device-number
//
// `.to(0)`, `.to(local_rank)`, `device=0`, `torch.device(rank)`: a bare number has always meant "that GPU". Torch gives
// it to the accelerator of the build, so on Neuron it names a logical core, and a process of a distributed job owns
// one. A literal 0 nearly always means "the GPU" and becomes the current accelerator; so does a rank when the same file
// makes it the current device. Every other number needs a decision.

#include <array>

#include "analyzer/python/value_types.h"
#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Argument;
using python::Kind;
using python::kNoNode;
using python::NodeId;

bool isRankName(std::string_view text) {
  constexpr std::array<std::string_view, 12> kNames = {"rank",    "local_rank", "gpu",        "gpu_id",
                                                       "gpu_idx", "gpu_index",  "local_id",   "device_id",
                                                       "dev_id",  "LOCAL_RANK", "device_idx", "cuda_id"};
  const auto dot = text.rfind('.');
  if (dot != std::string_view::npos) text = text.substr(dot + 1);
  for (std::string_view name : kNames)
    if (text == name) return true;
  return false;
}

// A value that is a number by its look: a literal, the name of a rank, `x.get_device()`.
bool isNumber(const RuleInput& input, NodeId value) {
  const python::SyntaxTree& tree = input.module.tree();
  if (tree.is(value, Kind::Integer)) return true;
  if (tree.is(value, Kind::Identifier) || tree.is(value, Kind::Attribute)) return isRankName(textOf(input, value));
  return tree.is(value, Kind::Call) && python::methodName(input.module, value) == "get_device" &&
         python::argumentsOf(input.module, value).empty();
}

void offerFix(const RuleInput& input, NodeId call, NodeId value, bool is_device, Finding& finding) {
  const std::string text = textOf(input, value);
  if (text != "0" && !becomesCurrentDevice(input, text)) return;
  FixBuilder fix(input, FixSafety::Unsafe, "take the current accelerator");
  if (is_device)
    fix.replace(call, parenthesizedFor(input, call, fix.deviceObject(call)));
  else
    fix.replace(value, fix.deviceArgument(value));
  std::move(fix).addTo(finding);
}

// The argument of this call that is a device; kNoNode when there is none.
NodeId deviceArgumentOf(const RuleInput& input, NodeId call, std::string_view callee) {
  const auto arguments = python::argumentsOf(input.module, call);
  const bool moves = callee.empty() && python::methodName(input.module, call) == "to";
  for (const Argument& argument : arguments) {
    if (argument.name == "device" && (moves || python::takesDevice(callee) || callee == "torch.Generator"))
      return argument.value;
    if (argument.name.empty() && &argument == &arguments.front() && (moves || callee == "torch.device"))
      return argument.value;
  }
  return kNoNode;
}

}  // namespace

void deviceNumber(const RuleInput& input, FileFindings& out) {
  if (!input.imports_torch) return;
  for (NodeId call : input.calls) {
    if (out.full()) return;
    const std::string callee = input.module.calleeName(call);
    const NodeId value = deviceArgumentOf(input, call, callee);
    if (value == kNoNode || !isNumber(input, value)) continue;
    Finding& finding = out.add("NPT3015", value, textOf(input, value),
                               "a bare number names a logical NeuronCore on neuron; take the current accelerator");
    finding.trace = input.devices.of(value).trace;
    offerFix(input, call, value, callee == "torch.device", finding);
  }
}

}  // namespace np::analyzer
