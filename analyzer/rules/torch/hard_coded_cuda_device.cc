// NPT3001 hard-coded-cuda-device
//
// "cuda" where a device is meant. Where torch itself reads the value it becomes the current accelerator; where other
// code may read it, it stays a string that is still "cuda" wherever it would have been of use before. What is evaluated
// while the file is imported is not `safe`: asking for the accelerator may touch the driver before a fork.
//
// Not handled: a device that comes from a configuration file or another module.

#include "analyzer/python/value_types.h"
#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::DeviceString;
using python::DeviceUse;
using python::Field;
using python::Kind;
using python::NodeId;

constexpr const char* kRule = "NPT3001";

void torchDevice(const RuleInput& input, const DeviceString& device, FileFindings& out) {
  const NodeId call = device.holder;
  Finding& finding = out.add(kRule, call, textOf(input, call), "device is fixed to CUDA; take the current accelerator");
  const auto arguments = python::argumentsOf(input.module, call);
  const bool alone = arguments.size() == 1;
  FixBuilder fix(input, alone && !runsAtImport(input, call) ? FixSafety::Safe : FixSafety::Unsafe,
                 "take the accelerator's device");
  if (alone) {
    fix.replace(call, parenthesizedFor(input, call, fix.deviceObject(call)));
  } else {
    fix.replace(device.node, fix.deviceText(device.node));  // torch.device("cuda", index)
  }
  std::move(fix).addTo(finding);
}

void argument(const RuleInput& input, const DeviceString& device, FileFindings& out) {
  Finding& finding =
      out.add(kRule, device.node, textOf(input, device.node), "device is fixed to CUDA; take the current accelerator");
  bool torch_reads_it = device.use == DeviceUse::FactoryKeyword || device.use == DeviceUse::DefaultDevice;
  if (device.use == DeviceUse::ToArgument) {
    const NodeId receiver = python::receiverOf(input.module, device.holder);
    torch_reads_it = python::valueType(input.module, receiver) != python::ValueType::Unknown;
  }
  const bool safe = (torch_reads_it || device.use == DeviceUse::ToArgument) && device.use != DeviceUse::DefaultDevice &&
                    !runsAtImport(input, device.node) && !insideTry(input, device.node);
  FixBuilder fix(input, safe ? FixSafety::Safe : FixSafety::Unsafe, "take the accelerator's device");
  fix.replace(device.node, torch_reads_it ? fix.deviceArgument(device.node) : fix.deviceText(device.node));
  std::move(fix).addTo(finding);
}

// A value with a name: the fix keeps it a string and goes with every other fix of the same name.
void named(const RuleInput& input, const DeviceString& device, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const Field role = device.use == DeviceUse::Default ? Field::Name : Field::Left;
  const NodeId name = tree.child(device.holder, role);
  Finding& finding = out.add(kRule, device.node, textOf(input, device.holder),
                             "\"" + device.name + "\" is fixed to CUDA; take the current accelerator");
  const bool is_identifier = tree.is(name, Kind::Identifier);
  const bool safe = is_identifier && device.use == DeviceUse::Assigned && !runsAtImport(input, device.node) &&
                    python::onlyUsedAsDevice(input.module, name);
  FixBuilder fix(input, safe ? FixSafety::Safe : FixSafety::Unsafe, "take the accelerator's device");
  fix.replace(device.node, fix.deviceText(device.node));
  fix.group(flowOf(input, is_identifier ? name : device.node));
  std::move(fix).addTo(finding);
}

void loose(const RuleInput& input, const DeviceString& device, FileFindings& out) {
  Finding& finding =
      out.add(kRule, device.node, textOf(input, device.node), "device is fixed to CUDA; take the current accelerator");
  // A list of allowed values would not know the accelerator's name.
  if (device.use == DeviceUse::CommandLine &&
      python::keywordValue(input.module, device.holder, "choices") != python::kNoNode)
    return;
  FixBuilder fix(input, FixSafety::Unsafe, "take the accelerator's device");
  fix.replace(device.node, fix.deviceText(device.node));
  std::move(fix).addTo(finding);
}

bool namesDevice(const RuleInput& input, const DeviceString& device) {
  const NodeId left = input.module.tree().child(device.holder, Field::Left);
  if (input.module.tree().is(left, Kind::Identifier)) return python::usedAsDevice(input.module, left);
  return device.name.ends_with("device") || device.name.ends_with("DEVICE");
}

}  // namespace

void hardCodedCudaDevice(const RuleInput& input, FileFindings& out) {
  for (const DeviceString& device : input.device_strings) {
    if (device.form != python::DeviceForm::Plain || out.isClaimed(device.node)) continue;
    switch (device.use) {
      case DeviceUse::TorchDevice:
        torchDevice(input, device, out);
        break;
      case DeviceUse::FactoryKeyword:
      case DeviceUse::ToArgument:
      case DeviceUse::DeviceKeyword:
      case DeviceUse::DefaultDevice:
        argument(input, device, out);
        break;
      case DeviceUse::Default:
        named(input, device, out);
        break;
      case DeviceUse::Assigned:
        if (!namesDevice(input, device)) continue;
        named(input, device, out);
        break;
      case DeviceUse::Returned:
      case DeviceUse::CommandLine:
        loose(input, device, out);
        break;
      case DeviceUse::OtherArgument:
        if (input.module.calleeName(device.holder) != "torch.Generator") continue;
        loose(input, device, out);
        break;
      default:
        continue;
    }
    out.claim(device.node);
  }
}

}  // namespace np::analyzer
