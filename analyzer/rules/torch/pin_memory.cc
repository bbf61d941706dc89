// NPT3011 pin-memory
//
// Page-locked host memory is asked for with `pin_memory=True`, `.pin_memory()` or `pin_memory_device="cuda"`. The first
// two are device-neutral; only the device name must go. What they gain on Neuron is not documented.

#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::NodeId;

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
  for (NodeId id = 0; id < tree.nodes().size() && !out.full(); ++id) {
    const NodeId value = tree.is(id, Kind::KeywordArgument) ? tree.child(id, python::Field::Value) : python::kNoNode;
    const bool is_keyword = value != python::kNoNode && !tree.is(value, Kind::False) && !tree.is(value, Kind::None) &&
                            textOf(input, tree.child(id, python::Field::Name)) == "pin_memory";
    const bool is_call = tree.is(id, Kind::Call) && python::methodName(input.module, id) == "pin_memory" &&
                         python::argumentsOf(input.module, id).empty();
    if (is_keyword || is_call)
      out.add("NPT3011", id, textOf(input, id), "pinned memory: accepted on neuron, its gain is not documented");
  }
}

}  // namespace np::analyzer
