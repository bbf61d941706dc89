// NPT3008 cuda-autocast
//
// torch.cuda.amp.autocast() and torch.autocast("cuda") do nothing on Neuron: the code runs in float32. The device type
// becomes the accelerator's, and "cuda" where there is none, so that CUDA and CPU do what they did. `unsafe`, because
// the lower precision is another one: bfloat16 on Neuron where CUDA takes float16.

#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::NodeId;

constexpr const char* kRule = "NPT3008";
constexpr const char* kMessage = "casts on CUDA only; give the accelerator's device type";

// autocast(enabled, dtype, cache_enabled): the device type comes first, so positional arguments get their names.
bool giveDeviceType(const RuleInput& input, NodeId call, FixBuilder& fix) {
  constexpr const char* kNames[] = {"enabled", "dtype", "cache_enabled"};
  const python::SyntaxTree& tree = input.module.tree();
  const std::string device_type = "device_type=" + fix.deviceText(call);
  const std::vector<python::Argument> arguments = python::argumentsOf(input.module, call);
  if (arguments.empty())
    fix.insert(tree[tree.child(call, python::Field::Arguments)].range.start + 1, device_type, call);
  std::size_t position = 0;
  for (const python::Argument& argument : arguments) {
    if (argument.name == "*" || argument.name == "**" || position == 3) return false;
    std::string before = &argument == &arguments.front() ? device_type + ", " : "";
    if (argument.name.empty()) before += std::string(kNames[position++]) + "=";
    if (!before.empty()) fix.insert(tree[argument.node].range.start, before, call);
  }
  return true;
}

// The loss scaler of CUDA switches itself off elsewhere, and float16 needs one.
void warnOfHalf(const RuleInput& input, NodeId call, Finding& finding) {
  const NodeId dtype = call == python::kNoNode ? python::kNoNode : python::keywordValue(input.module, call, "dtype");
  const std::string name = dtype == python::kNoNode ? "" : input.module.qualifiedName(dtype);
  if (name == "torch.float16" || name == "torch.half")
    finding.notes.push_back("float16 needs loss scaling, which is off on neuron; use torch.bfloat16 there");
}

void cudaAmpAutocast(const RuleInput& input, const python::ApiUse& use, FileFindings& out) {
  out.claim(use.node);
  Finding& finding = out.add(kRule, use.node, textOf(input, use.node), kMessage);
  if (use.call == python::kNoNode) return;
  warnOfHalf(input, use.call, finding);
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId list = tree.child(use.call, python::Field::Arguments);
  if (!tree.is(list, python::Kind::ArgumentList)) return;
  FixBuilder fix(input, FixSafety::Unsafe, "cast on any accelerator");
  fix.replace(use.node, fix.torchAt(use.node) + ".autocast");
  if (giveDeviceType(input, use.call, fix)) std::move(fix).addTo(finding);
}

}  // namespace

void cudaAutocast(const RuleInput& input, FileFindings& out) {
  for (const python::ApiUse& use : input.uses)
    if (use.name == "torch.cuda.amp.autocast" || use.name == "torch.cuda.amp.autocast_mode.autocast")
      cudaAmpAutocast(input, use, out);
  for (const python::DeviceString& device : input.device_strings) {
    if (device.use != python::DeviceUse::Autocast || device.form != python::DeviceForm::Plain) continue;
    out.claim(device.node);
    Finding& finding = out.add(kRule, device.node, textOf(input, device.holder), kMessage);
    warnOfHalf(input, device.holder, finding);
    FixBuilder fix(input, FixSafety::Unsafe, "cast on any accelerator");
    fix.replace(device.node, fix.deviceText(device.node));
    std::move(fix).addTo(finding);
  }
}

}  // namespace np::analyzer
