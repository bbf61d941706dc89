// NPT3003 cuda-or-cpu-choice
//
//   "cuda" if torch.cuda.is_available() else "cpu"
//
// The commonest way to pick a device. On Neuron it silently picks the CPU. Condition and result change together: the
// accelerator if one is there, else what the program picks today. Never `safe`: machines with MPS or XPU now use them.
//
// A condition that is not the test itself (`"cuda" if use_cuda else "cpu"`) changes only the string; NPT3023 follows
// the flag.

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::DeviceForm;
using python::DeviceString;
using python::DeviceUse;
using python::Kind;
using python::kNoNode;
using python::NodeId;

constexpr const char* kRule = "NPT3003";
constexpr const char* kMessage = "picks the CPU on neuron; ask for any accelerator";

// The device string that a branch is: "cuda", or torch.device("cuda"); null when it is neither.
const DeviceString* deviceOf(const RuleInput& input, NodeId branch) {
  const NodeId inner = input.module.tree().unparenthesized(branch);
  for (const DeviceString& device : input.device_strings) {
    if (device.whole == inner && device.use == DeviceUse::Choice) return &device;
    if (device.use == DeviceUse::TorchDevice && device.holder == inner &&
        python::argumentsOf(input.module, inner).size() == 1)
      return &device;
  }
  return nullptr;
}

bool isCpu(const RuleInput& input, NodeId branch) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId inner = tree.unparenthesized(branch);
  if (python::literalText(input.module, inner) == "cpu") return true;
  if (input.module.calleeName(inner) != "torch.device") return false;
  const auto arguments = python::argumentsOf(input.module, inner);
  return arguments.size() == 1 && python::literalText(input.module, arguments[0].value) == "cpu";
}

// The call torch.device(CHOICE) around the choice, else kNoNode.
NodeId deviceCallAround(const RuleInput& input, NodeId choice) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId list = tree[tree.withParentheses(choice)].parent;
  if (!tree.is(list, Kind::ArgumentList)) return kNoNode;
  const NodeId call = tree[list].parent;
  if (input.module.calleeName(call) != "torch.device" || python::argumentsOf(input.module, call).size() != 1)
    return kNoNode;
  return call;
}

// `"cuda" if torch.cuda.is_available() else "cpu"` as a whole.
void replaceWhole(const RuleInput& input, NodeId choice, bool is_object, FixBuilder& fix) {
  const NodeId call = is_object ? kNoNode : deviceCallAround(input, choice);
  NodeId place = call != kNoNode ? call : input.module.tree().withParentheses(choice);
  if (input.target == Target::Neuron) {
    const std::string torch = fix.torchAt(place);
    std::string text = "\"neuron\" if " + torch + ".neuron.is_available() else \"cpu\"";
    if (is_object || call != kNoNode)
      text = torch + ".device(" + text + ")";
    else
      text = parenthesizedFor(input, place, text);
    fix.replace(place, text);
    return;
  }
  const std::string device = fix.deviceArgument(place) + " or " + fix.torchAt(place) + ".device(\"cpu\")";
  const bool wants_object = is_object || call != kNoNode;
  fix.replace(place, wants_object ? parenthesizedFor(input, place, device) : "(" + device + ").type");
}

void tested(const RuleInput& input, const python::AvailabilityTest& test, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId choice = test.holder;
  const std::vector<NodeId> parts = tree.children(choice);
  const NodeId taken = test.negated ? parts[2] : parts[0], other = test.negated ? parts[0] : parts[2];
  const DeviceString* device = deviceOf(input, taken);
  if (!device) return;
  const bool is_object = device->use == DeviceUse::TorchDevice;
  Finding& finding = out.add(kRule, choice, textOf(input, choice), kMessage);
  out.claim(test.call);
  out.claim(device->node);
  const bool indexed = device->form == DeviceForm::Indexed && device->index != 0;
  const bool index_read = device->form == DeviceForm::Indexed && indexIsRead(input, choice);
  if (!test.decisive || indexed || index_read) {
    finding.notes.push_back("the index names one device; decide by hand which one a process uses on neuron");
    return;
  }
  FixBuilder fix(input, FixSafety::Unsafe, "pick any accelerator");
  const NodeId condition = tree.unparenthesized(parts[1]);
  const bool bare =
      condition == test.call || (tree.is(condition, Kind::NotOperator) && test.negated &&
                                 tree.unparenthesized(tree.child(condition, python::Field::Argument)) == test.call);
  if (device->form == DeviceForm::Formatted) {
    if (is_object || !replaceType(input, *device, fix)) return;
    fix.replace(test.call, fix.isAvailable(test.call));
  } else if (bare && isCpu(input, other)) {
    replaceWhole(input, choice, is_object, fix);
  } else {
    fix.replace(test.call, fix.isAvailable(test.call));
    if (is_object)
      fix.replace(device->holder, "(" + fix.deviceObject(choice) + ")");
    else
      fix.replace(device->node, fix.deviceText(choice));
  }
  std::move(fix).addTo(finding);
}

// The "cuda" that the condition of this choice compares with, when the condition is nothing but that comparison.
const DeviceString* comparedWithCuda(const RuleInput& input, const DeviceString& chosen) {
  const python::SyntaxTree& tree = input.module.tree();
  const std::vector<NodeId> parts = tree.children(chosen.holder);
  if (parts.size() != 3 || tree.withParentheses(chosen.whole) != parts[0] || !isCpu(input, parts[2])) return nullptr;
  const NodeId condition = tree.unparenthesized(parts[1]);
  for (const DeviceString& device : input.device_strings)
    if (device.use == DeviceUse::Comparison && device.form == DeviceForm::Plain && device.holder == condition &&
        device.whole == device.node)
      return &device;
  return nullptr;
}

}  // namespace

void cudaOrCpuChoice(const RuleInput& input, FileFindings& out) {
  for (const python::AvailabilityTest& test : input.availability_tests)
    if (test.role == python::TestRole::Choice) tested(input, test, out);
  for (const DeviceString& device : input.device_strings) {
    if (device.use != DeviceUse::Choice || device.form != DeviceForm::Plain || out.isClaimed(device.node)) continue;
    out.claim(device.node);
    Finding& finding = out.add(kRule, device.node, textOf(input, device.holder),
                               "the choice knows only CUDA; take the current accelerator");
    FixBuilder fix(input, FixSafety::Unsafe, "pick any accelerator");
    fix.replace(device.node, fix.deviceText(device.node));
    if (const DeviceString* compared = comparedWithCuda(input, device)) {
      // `"cuda" if "cuda" in device else "cpu"`: the test and what it picks change together.
      out.claim(compared->node);
      fix.replace(compared->node, fix.deviceText(compared->node));
      finding.message = "knows only CUDA and the CPU; compare with the current accelerator and take its type";
      const std::vector<NodeId> operands = input.module.tree().children(compared->holder);
      for (NodeId operand : operands)
        if (operand != compared->whole && input.module.tree().kind(operand) != Kind::String)
          fix.group(input.devices.flowOf(operand).name);
    }
    std::move(fix).addTo(finding);
  }
}

}  // namespace np::analyzer
