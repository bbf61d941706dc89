// NPT3007 map-location-cuda
//
// torch.load(…, map_location="cuda") and the older lambda form. The string becomes the current accelerator; a lambda
// gets no fix, since it may do anything.

#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Kind;
using python::NodeId;

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
    out.add("NPT3007", value, "map_location=" + textOf(input, value),
            "loads to CUDA; give the device to load to instead of a function");
  }
}

}  // namespace np::analyzer
