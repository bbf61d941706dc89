// NPT3025 skip-without-cuda
//
// @unittest.skipIf(not torch.cuda.is_available(), …): on Neuron the tests are skipped and the run looks green. The
// condition changes together with what the test itself needs.

#include <algorithm>

#include "analyzer/rules/torch/branch_need.h"
#include "analyzer/rules/torch/cuda_packages.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

void judge(const RuleInput& input, const python::AvailabilityTest& test, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const python::NodeId decorated = tree[test.holder].parent;
  const BranchReport branch = branchNeed(input, out, {tree.child(decorated, python::Field::Definition)});
  FixBuilder fix(input, FixSafety::Unsafe, "skip without any accelerator");
  fix.replace(test.call, fix.isAvailable(test.call));
  for (const Fix* inner : branch.fixes) fix.include(*inner);
  const std::string cuda_only = branch.cuda_only == python::kNoNode ? "" : textOf(input, branch.cuda_only);

  Finding& finding = out.add("NPT3025", test.call, textOf(input, test.holder),
                             "the test is skipped on neuron and the run looks green; test for any accelerator");
  const bool names_cuda =
      std::any_of(input.device_strings.begin(), input.device_strings.end(), [&](const python::DeviceString& device) {
        return tree.inside(device.node, test.holder) && device.use != python::DeviceUse::Fallback;
      });
  if (names_cuda) {
    finding.notes.push_back("the decorator hands \"cuda\" to the test; give it the accelerator's type as well");
    return;
  }
  if (branch.need == BranchNeed::CudaOnly) {
    finding.notes.push_back("the test needs CUDA: " + cuda_only.substr(0, cuda_only.find('\n')));
    return;
  }
  std::move(fix).addTo(finding);
}

// Marks and decorators of other packages that say CUDA by their name: `@pytest.mark.gpu`, `@require_torch_gpu` of
// transformers. A decorator of the project itself is changed where it is defined.
bool saysCuda(const RuleInput& input, python::NodeId decorator, std::string_view name) {
  const auto dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  if (name.starts_with("pytest.mark."))
    return last == "cuda" || last == "gpu" || last == "gpus" || last == "multi_gpu" || last == "multigpu";
  const std::string origin = input.module.qualifiedName(decorator);
  const std::string_view top = std::string_view(origin).substr(0, origin.find('.'));
  const bool of_others = top == "transformers" || top == "accelerate" || top == "diffusers" || top == "torch";
  if (!of_others || isOwnModule(input, origin)) return false;
  constexpr std::string_view kStarts[] = {"require", "skip", "needs", "only", "unless"};
  const bool starts = std::any_of(std::begin(kStarts), std::end(kStarts),
                                  [&](std::string_view start) { return last.starts_with(start); });
  std::string lower(last);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return starts && (lower.find("cuda") != std::string::npos || lower.find("gpu") != std::string::npos);
}

void markedByName(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (python::NodeId id = 0; id < tree.nodes().size() && !out.full(); ++id) {
    if (!tree.is(id, python::Kind::Decorator)) continue;
    python::NodeId name = tree.firstChild(id);
    if (tree.is(name, python::Kind::Call)) name = tree.child(name, python::Field::Function);
    const std::string text = textOf(input, name);
    const bool is_name = tree.is(name, python::Kind::Identifier) || tree.is(name, python::Kind::Attribute);
    if (!is_name || !saysCuda(input, name, text)) continue;
    Finding& finding =
        out.add("NPT3025", name, text, "by its name the test is meant for CUDA; see what it skips on neuron");
    finding.severity = Severity::Hint;
  }
}

}  // namespace

void skipWithoutCuda(const RuleInput& input, FileFindings& out) {
  for (const python::AvailabilityTest& test : input.availability_tests) {
    if (test.role != python::TestRole::Skip || out.isClaimed(test.call)) continue;
    out.claim(test.call);
    judge(input, test, out);
  }
  markedByName(input, out);
}

}  // namespace np::analyzer
