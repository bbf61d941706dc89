// NPT3301 dynamic-shape, NPT3302 host-read-in-loop, NPT3303 float64-value, NPT3305 large-integer, NPT3309
// half-precision
//
// What is legal torch on any device and yet slow or different on Neuron, where the table (NPT33xx rows) does not see
// it: methods instead of functions. Only in files that import torch, always a hint, never changed, and one hint a file
// and rule. A float16 dtype alone says nothing of a device; half precision counts where mixed precision or a move to
// CUDA chooses it.

#include <algorithm>

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

bool insideLoop(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId at = node; at != kNoNode; at = tree[at].parent) {
    if (tree.is(at, Kind::FunctionDefinition) || tree.is(at, Kind::Lambda)) return false;
    const NodeId parent = tree[at].parent;
    if ((tree.is(parent, Kind::ForStatement) || tree.is(parent, Kind::WhileStatement)) && tree[at].field == Field::Body)
      return true;
  }
  return false;
}

// `x.cpu().double()`
bool onHost(const RuleInput& input, NodeId call) {
  const NodeId receiver = python::receiverOf(input.module, call);
  return input.module.tree().is(receiver, Kind::Call) && python::methodName(input.module, receiver) == "cpu";
}

// `model.cuda().half()`, `model.half().to("cuda")`: half precision that was chosen for a GPU.
bool goesToCuda(const RuleInput& input, NodeId call) {
  const python::SyntaxTree& tree = input.module.tree();
  const auto moves = [&](NodeId at) {
    const std::string_view method = python::methodName(input.module, at);
    return method == "cuda" ||
           (method == "to" && std::any_of(input.device_strings.begin(), input.device_strings.end(),
                                          [&](const python::DeviceString& device) { return device.holder == at; }));
  };
  for (NodeId at = python::receiverOf(input.module, call); tree.is(at, Kind::Call);
       at = python::receiverOf(input.module, at))
    if (moves(at)) return true;
  for (NodeId at = call;
       tree.is(tree[at].parent, Kind::Attribute) && tree.is(tree[tree[at].parent].parent, Kind::Call);) {
    at = tree[tree[at].parent].parent;
    if (moves(at)) return true;
  }
  return false;
}

// Mixed precision in float16: `torch.autocast(device, dtype=torch.float16)`, `MixedPrecision(param_dtype=torch.half)`.
bool mixesInHalf(const RuleInput& input, NodeId call) {
  const std::string callee = input.module.calleeName(call);
  const bool mixes = callee == "torch.autocast" || callee == "torch.amp.autocast" ||
                     callee == "torch.amp.autocast_mode.autocast" || callee.ends_with(".MixedPrecision") ||
                     callee.ends_with(".MixedPrecisionPolicy");
  if (!mixes) return false;
  for (const python::Argument& argument : python::argumentsOf(input.module, call)) {
    const std::string dtype = input.module.qualifiedName(argument.value);
    if (dtype == "torch.float16" || dtype == "torch.half") return true;
  }
  return false;
}

// A call of a method on something that is no module: `mask.nonzero()`, not `np.nonzero()`.
void judgeMethod(const RuleInput& input, NodeId call, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const std::string_view method = python::methodName(input.module, call);
  if (method.empty() || !input.module.calleeName(call).empty()) return;
  const NodeId name = tree.child(tree.child(call, Field::Function), Field::Attribute);
  const auto arguments = python::argumentsOf(input.module, call);
  if ((method == "nonzero" && arguments.empty()) || method == "masked_select") {
    out.add("NPT3301", name, std::string(method),
            "the size of the result depends on the data: every new size compiles again");
  } else if (method == "item" && arguments.empty() && insideLoop(input, call)) {
    out.add("NPT3302", name, textOf(input, call),
            "waits for the device in every round; collect on the device and read once");
  } else if (method == "double" && arguments.empty() && !onHost(input, call)) {
    out.add("NPT3303", name, textOf(input, call), "computed in float32 and cast back on neuron");
  } else if (method == "half" && arguments.empty() && goesToCuda(input, call)) {
    out.add("NPT3309", name, textOf(input, call), "float16; neuron trains in bfloat16, which needs no loss scaling");
  }
}

// `x[x > 0]`
void judgeSubscript(const RuleInput& input, NodeId id, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId index = tree.unparenthesized(tree.child(id, Field::Subscript));
  if (!tree.is(index, Kind::ComparisonOperator) || !input.module.qualifiedName(tree.child(id, Field::Value)).empty())
    return;
  const bool assigned =
      (tree.is(tree[id].parent, Kind::Assignment) || tree.is(tree[id].parent, Kind::AugmentedAssignment)) &&
      tree[id].field == Field::Left;
  if (!assigned)
    out.add("NPT3301", index, textOf(input, id), "a boolean mask: the size of the result depends on the data");
}

// `all_reduce(torch.tensor(n, dtype=torch.int64))`, also through a name that is bound once.
bool reducesIntegers(const RuleInput& input, NodeId call) {
  const auto arguments = python::argumentsOf(input.module, call);
  if (arguments.empty()) return false;
  NodeId value = arguments[0].value;
  if (input.module.tree().is(value, Kind::Identifier)) value = input.module.assignedValue(value);
  if (!input.module.tree().is(value, Kind::Call)) return false;
  const NodeId dtype = python::keywordValue(input.module, value, "dtype");
  const std::string name = dtype == kNoNode ? "" : input.module.qualifiedName(dtype);
  return name == "torch.int64" || name == "torch.long";
}

}  // namespace

void hazards(const RuleInput& input, FileFindings& out) {
  if (!input.imports_torch) return;
  for (NodeId call : input.calls) {
    if (out.full()) return;
    judgeMethod(input, call, out);
    // A CUDA device in the call is reported by its own rule, which speaks of float16 as well.
    const bool names_cuda = std::any_of(input.device_strings.begin(), input.device_strings.end(),
                                        [&](const python::DeviceString& device) { return device.holder == call; });
    if (!names_cuda && mixesInHalf(input, call))
      out.add("NPT3309", call, textOf(input, call),
              "mixed precision in float16 needs loss scaling; neuron trains in bfloat16, which needs none");
  }
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId id = 0; id < tree.nodes().size() && !out.full(); ++id)
    if (tree.is(id, Kind::Subscript)) judgeSubscript(input, id, out);
  for (const python::ApiUse& use : input.uses) {
    if (use.name == "torch.distributed.all_reduce" && use.call != kNoNode && reducesIntegers(input, use.call))
      out.add("NPT3305", use.node, textOf(input, use.call),
              "reducing 64-bit integers is an error of the compiler (NCC_EVRF061); use float32 or int32");
    const NodeId list = tree[use.node].parent;
    if ((use.name == "torch.int64" || use.name == "torch.long") && tree.is(list, Kind::ArgumentList) &&
        input.module.calleeName(tree[list].parent) == "torch.iinfo")
      out.add("NPT3305", use.node, textOf(input, tree[list].parent),
              "integers above 2^31 may overflow on neuron, where int64 is emulated in part");
  }
}

}  // namespace np::analyzer
