// NPT3004 cuda-device-index
//
// "cuda:1", f"cuda:{rank}". On Neuron an index names a logical NeuronCore, a process of a distributed job owns one, and
// which index it has is the launcher's business. "cuda:0" is nearly always "the GPU" and becomes the current
// accelerator; any other index needs a decision and gets no fix.

#include "analyzer/python/strings.h"
#include "analyzer/python/value_types.h"
#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::DeviceForm;
using python::DeviceString;
using python::DeviceUse;
using python::NodeId;

bool isDevicePlace(const RuleInput& input, const DeviceString& device) {
  switch (device.use) {
    case DeviceUse::Comparison:
    case DeviceUse::Data:
    case DeviceUse::OtherArgument:
    case DeviceUse::Autocast:
    case DeviceUse::DeviceMesh:
    case DeviceUse::PinMemory:
    case DeviceUse::Fallback:
      return device.form == DeviceForm::Formatted || device.use == DeviceUse::OtherArgument ||
             device.use == DeviceUse::Data;
    default:
      return true;
  }
}

void replaceFirstDevice(const RuleInput& input, const DeviceString& device, Finding& finding) {
  if (indexIsRead(input, device.node)) {
    finding.notes.push_back("its index is read elsewhere; decide by hand what it is on neuron");
    return;
  }
  FixBuilder fix(input, FixSafety::Unsafe, "take the accelerator's device");
  const python::SyntaxTree& tree = input.module.tree();
  if (device.use == DeviceUse::TorchDevice && python::argumentsOf(input.module, device.holder).size() == 1) {
    fix.replace(device.holder, parenthesizedFor(input, device.holder, fix.deviceObject(device.holder)));
  } else if (device.use == DeviceUse::FactoryKeyword || device.use == DeviceUse::MapLocation) {
    fix.replace(device.node, fix.deviceArgument(device.node));
  } else {
    fix.replace(device.node, fix.deviceText(device.node));
  }
  if (device.use == DeviceUse::Assigned) {
    const NodeId left = tree.child(device.holder, python::Field::Left);
    if (tree.is(left, python::Kind::Identifier)) fix.group(flowOf(input, left));
  }
  std::move(fix).addTo(finding);
}

void offerType(const RuleInput& input, const DeviceString& device, Finding& finding) {
  FixBuilder fix(input, FixSafety::Unsafe, "take the accelerator's type");
  if (!replaceType(input, device, fix)) return;
  if (device.use != DeviceUse::TorchDevice) fix.group(flowOf(input, device.whole));
  std::move(fix).addTo(finding);
}

}  // namespace

void cudaDeviceIndex(const RuleInput& input, FileFindings& out) {
  for (const DeviceString& device : input.device_strings) {
    // `device.startswith("cuda:")` asks about a device of any index.
    const bool asks = device.use == DeviceUse::Comparison && python::literalText(input.module, device.node) == "cuda:";
    if (device.form == DeviceForm::Plain || asks || out.isClaimed(device.node) || !isDevicePlace(input, device))
      continue;
    out.claim(device.node);
    const std::string subject = textOf(input, device.whole);
    const bool first = device.form == DeviceForm::Indexed && device.index == 0;
    Finding& finding =
        out.add("NPT3004", device.whole, subject,
                first ? "device is fixed to the first GPU; take the current accelerator"
                      : "an index names a logical NeuronCore on neuron; decide which one a process uses");
    const bool is_argument = device.use == DeviceUse::OtherArgument || device.use == DeviceUse::Data;
    if (first && !is_argument) replaceFirstDevice(input, device, finding);
    if (device.form == DeviceForm::Formatted && !is_argument) offerType(input, device, finding);
  }
}

}  // namespace np::analyzer
