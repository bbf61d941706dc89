// NPT3005 cuda-device-comparison
//
// `x.device.type == "cuda"`, `device == "cuda"`, `device.startswith("cuda")`. The string becomes the accelerator's
// type, which is "cuda" with CUDA and without any accelerator, so both sides of the comparison move together; when the
// other side is a variable of this file that is rewritten too, the two fixes form one group. What the comparison guards
// decides: a fast path written for CUDA must not be taken on Neuron.

#include <algorithm>

#include "analyzer/rules/torch/branch_need.h"
#include "analyzer/rules/torch/flag_readers.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::AvailabilityTest;
using python::DeviceString;
using python::Kind;
using python::kNoNode;
using python::NodeId;
using python::TestRole;

// What the literal is compared with; kNoNode for membership in a collection and chained comparisons.
NodeId otherSide(const RuleInput& input, const DeviceString& device) {
  const python::SyntaxTree& tree = input.module.tree();
  if (tree.is(device.holder, Kind::Call)) return python::receiverOf(input.module, device.holder);
  const std::vector<NodeId> operands = tree.children(device.holder);
  if (operands.size() != 2) return kNoNode;
  const NodeId literal = tree.withParentheses(device.whole);
  if (operands[0] == literal) return operands[1];
  return operands[1] == literal ? operands[0] : kNoNode;
}

bool isNegative(const RuleInput& input, NodeId comparison) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId op = tree.child(comparison, python::Field::Operators);
  const std::string text = textOf(input, op);
  return tree.is(comparison, Kind::ComparisonOperator) && (text == "!=" || text == "not in" || text == "is not");
}

bool looksLikeDevice(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.find("device") != std::string::npos || text.ends_with(".type") || text == "dev";
}

bool hasCudaSource(const RuleInput& input, const python::DeviceFlow& flow) {
  return std::any_of(flow.sources.begin(), flow.sources.end(), [&](NodeId source) {
    return std::any_of(input.device_strings.begin(), input.device_strings.end(), [&](const DeviceString& device) {
      return (device.node == source || device.whole == source || input.module.tree().inside(device.node, source)) &&
             device.use != python::DeviceUse::Comparison && device.use != python::DeviceUse::Fallback;
    });
  });
}

void judge(const RuleInput& input, const DeviceString& device, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId other = otherSide(input, device);
  AvailabilityTest test = python::roleOf(input.module, device.holder);
  if (isNegative(input, device.holder) && test.role == TestRole::Guard) {
    // `if x != "cuda": return` guards what follows: judge the same place the other way round.
    test.guarded.clear();
    const NodeId alternative = tree.child(test.holder, python::Field::Alternative);
    if (alternative != kNoNode)
      test.guarded.push_back(alternative);
    else
      for (NodeId next = tree[test.holder].next_sibling; next != kNoNode; next = tree[next].next_sibling)
        if (tree[next].named) test.guarded.push_back(next);
  }
  const BranchReport branch = branchNeed(input, out, test.guarded, test.condition);
  FixBuilder fix(input, FixSafety::Unsafe, "compare with the accelerator's type");
  if (tree.is(device.whole, Kind::Call)) {
    fix.replace(device.whole, "(" + fix.deviceObject(device.whole) + ")");  // torch.device("cuda")
  } else {
    fix.replace(device.node, fix.deviceText(device.node));
  }
  for (const Fix* inner : branch.fixes) fix.include(*inner);
  const python::DeviceFlow flow = other == kNoNode ? python::DeviceFlow{} : input.devices.flowOf(other);
  fix.group(flow.name);
  // The value comes from a literal of this file that is rewritten too: both change together or neither does.
  const bool joined = hasCudaSource(input, flow);
  std::string obstacle;
  if (joined && test.role == TestRole::Flag) obstacle = flagObstacle(input, out, test, fix);

  Finding& finding = out.add("NPT3005", device.holder, textOf(input, device.holder),
                             "never true on neuron; compare with the accelerator's type");
  const python::DeviceValue value = other == kNoNode ? python::DeviceValue{} : input.devices.of(other);
  finding.trace = value.trace;
  const bool is_call = tree.is(other, Kind::Call);
  const bool is_device =
      other != kNoNode && ((!is_call && looksLikeDevice(textOf(input, other))) || value.may(python::Device::Cuda));
  // `device == "cuda" and not torch.cuda.is_available()`: two questions about CUDA that belong together.
  const bool asks_both =
      test.condition != kNoNode &&
      std::any_of(input.availability_tests.begin(), input.availability_tests.end(),
                  [&](const AvailabilityTest& one) { return tree.inside(one.call, test.condition); });
  if (branch.need == BranchNeed::CudaOnly) {
    finding.notes.push_back("what it guards needs CUDA");
  } else if (!is_device || device.form != python::DeviceForm::Plain) {
    finding.notes.push_back("what is compared is not known to be a device");
    finding.severity = Severity::Hint;
  } else if (asks_both) {
    finding.notes.push_back("asked together with torch.cuda.is_available(); decide by hand what both mean on neuron");
    out.blockFlow(flow.name, "line " + std::to_string(finding.start.line));
  } else if (joined && obstacle.empty()) {
    std::move(fix).addTo(finding);
    if (finding.fixes.empty()) out.blockFlow(flow.name, "line " + std::to_string(finding.start.line));
  } else if (joined) {
    finding.notes.push_back(obstacle);
    out.blockFlow(flow.name, "line " + std::to_string(finding.start.line));
  } else if (test.role == TestRole::Query) {
    finding.notes.push_back("the answer goes somewhere else; see who uses it");
  } else if (test.role == TestRole::Choice || test.role == TestRole::Flag) {
    finding.notes.push_back("the answer picks a value; decide by hand which one fits neuron");
  } else if (branch.need == BranchNeed::Nothing && !test.guarded.empty()) {
    finding.notes.push_back("guards only calls without effect on neuron");
    finding.severity = Severity::Hint;
  } else if (test.decisive) {
    std::move(fix).addTo(finding);
  }
}

}  // namespace

void cudaDeviceComparison(const RuleInput& input, FileFindings& out) {
  for (auto device = input.device_strings.rbegin(); device != input.device_strings.rend(); ++device) {
    if (device->use != python::DeviceUse::Comparison || out.isClaimed(device->node)) continue;
    out.claim(device->node);
    judge(input, *device, out);
  }
}

}  // namespace np::analyzer
