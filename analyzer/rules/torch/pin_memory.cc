// NPT3011 pin-memory
//
// Page-locked host memory is asked for with `pin_memory=True` (an argument, a default, a field, a key), `.pin_memory()`
// or `pin_memory_device="cuda"`. The first two are device-neutral; only the device name must go. What they gain on
// Neuron is not documented. A value that is passed on is judged where it is made.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

// The name of what is set to this value: of an argument, a parameter, a variable or field, a dictionary key.
std::string nameOf(const RuleInput& input, NodeId holder) {
  const python::SyntaxTree& tree = input.module.tree();
  switch (tree.kind(holder)) {
    case Kind::KeywordArgument:
    case Kind::DefaultParameter:
    case Kind::TypedDefaultParameter:
      return textOf(input, tree.child(holder, Field::Name));
    case Kind::Assignment: {
      NodeId left = tree.child(holder, Field::Left);
      if (tree.is(left, Kind::Subscript)) left = tree.child(left, Field::Subscript);
      if (tree.is(left, Kind::Attribute)) left = tree.child(left, Field::Attribute);
      return tree.is(left, Kind::String) ? python::literalText(input.module, left).value_or("") : textOf(input, left);
    }
    case Kind::Pair: {
      const NodeId key = tree.firstChild(holder);
      return tree.is(key, Kind::String) ? python::literalText(input.module, key).value_or("") : "";
    }
    default:
      return "";
  }
}

// `pin_memory: bool = Field(True)`: the first argument, or the default, of a field of a configuration class.
NodeId fieldOf(const RuleInput& input, NodeId value) {
  const python::SyntaxTree& tree = input.module.tree();
  NodeId list = tree[value].parent;
  if (tree.is(list, Kind::KeywordArgument)) {
    if (textOf(input, tree.child(list, Field::Name)) != "default") return kNoNode;
    list = tree[list].parent;
  } else if (!tree.is(list, Kind::ArgumentList) || tree.firstChild(list) != value) {
    return kNoNode;
  }
  const NodeId call = tree[list].parent;
  const std::string callee = tree.is(call, Kind::Call) ? textOf(input, tree.child(call, Field::Function)) : "";
  return callee == "Field" || callee == "field" || callee.ends_with(".field") || callee.ends_with(".Field") ? call
                                                                                                            : kNoNode;
}

}  // namespace

void pinMemory(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::DeviceString& device : input.device_strings) {
    if (device.use != python::DeviceUse::PinMemory) continue;
    out.claim(device.node);
    out.add("NPT3011", device.node, "pin_memory_device=" + textOf(input, device.node),
            "pins for CUDA by name; leave pin_memory_device out")
        .severity = Severity::Warning;
  }
  const std::string message = "pinned memory: accepted on neuron, its gain is not documented";
  for (NodeId id = 0; id < tree.nodes().size() && !out.full(); ++id) {
    if (tree.is(id, Kind::True)) {
      NodeId holder = tree[id].parent;
      if (const NodeId field = fieldOf(input, id); field != kNoNode) holder = tree[field].parent;
      if (nameOf(input, holder) == "pin_memory") out.add("NPT3011", holder, textOf(input, holder), message);
    } else if (tree.is(id, Kind::Call) && python::methodName(input.module, id) == "pin_memory" &&
               python::argumentsOf(input.module, id).empty()) {
      out.add("NPT3011", id, textOf(input, id), message);
    }
  }
}

}  // namespace np::analyzer
