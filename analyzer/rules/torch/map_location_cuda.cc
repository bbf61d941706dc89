// NPT3007 map-location-cuda
//
// torch.load(…, map_location="cuda") and the older lambda form. The string becomes the current accelerator, and so does
// a lambda that does nothing but `.cuda()`; any other may do anything.

#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::NodeId;

// `lambda storage, loc: storage.cuda()`, also with the number of the current device.
bool movesToCurrentDevice(const RuleInput& input, NodeId lambda) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId body = tree.unparenthesized(tree.child(lambda, python::Field::Body));
  const NodeId parameters = tree.child(lambda, python::Field::Parameters);
  if (parameters == python::kNoNode || python::methodName(input.module, body) != "cuda") return false;
  const std::string first = textOf(input, tree.firstChild(parameters));
  if (textOf(input, python::receiverOf(input.module, body)) != first) return false;
  const auto arguments = python::argumentsOf(input.module, body);
  if (arguments.empty()) return true;
  const std::string number = textOf(input, arguments[0].value);
  return arguments.size() == 1 && (number == "0" || becomesCurrentDevice(input, number));
}

}  // namespace

void mapLocationCuda(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::DeviceString& device : input.device_strings) {
    if (device.use != python::DeviceUse::MapLocation || device.form != python::DeviceForm::Plain) continue;
    out.claim(device.node);
    Finding& finding = out.add("NPT3007", device.node, "map_location=" + textOf(input, device.node),
                               "loads to CUDA; load to the current accelerator");
    FixBuilder fix(input, FixSafety::Unsafe, "load to the current accelerator");
    fix.replace(device.node, fix.deviceArgument(device.node));
    std::move(fix).addTo(finding);
  }
  for (NodeId id = 0; id < tree.nodes().size(); ++id) {
    if (!tree.is(id, Kind::KeywordArgument)) continue;
    const NodeId name = tree.child(id, python::Field::Name), value = tree.child(id, python::Field::Value);
    if (!tree.is(value, Kind::Lambda) || textOf(input, name) != "map_location") continue;
    const std::string body = textOf(input, tree.child(value, python::Field::Body));
    if (body.find(".cuda(") == std::string::npos) continue;
    Finding& finding = out.add("NPT3007", value, "map_location=" + textOf(input, value),
                               "loads to CUDA; give the device to load to instead of a function");
    if (!movesToCurrentDevice(input, value)) continue;
    FixBuilder fix(input, FixSafety::Unsafe, "load to the current accelerator");
    fix.replace(value, fix.deviceArgument(value));
    std::move(fix).addTo(finding);
  }
}

}  // namespace np::analyzer
