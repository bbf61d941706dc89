// NPT3022 cuda-availability-guard
//
// `if torch.cuda.is_available():` is False on Neuron, so whatever it guards silently disappears. Replacing the call is
// right only when every statement behind it is device-neutral once its own findings are fixed, so those fixes are part
// of this one. A branch that needs CUDA stays shut. Inner guards are judged before outer ones.
//
// Not handled: guards stored in a variable and tested elsewhere (NPT3023 follows those).

#include <algorithm>

#include "analyzer/rules/torch/branch_need.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::AvailabilityTest;

void judge(const RuleInput& input, const AvailabilityTest& test, FileFindings& out) {
  const BranchReport branch = branchNeed(input, out, test.guarded, test.condition);
  // The fixes are copied before the list of findings grows.
  FixBuilder fix(input, FixSafety::Unsafe, "test for any accelerator");
  fix.replace(test.call, fix.isAvailable(test.call));
  for (const Fix* inner : branch.fixes) fix.include(*inner);
  const std::string cuda_only = branch.cuda_only == python::kNoNode ? "" : textOf(input, branch.cuda_only);

  Finding& finding =
      out.add("NPT3022", test.call, textOf(input, test.call), "branch is skipped on neuron; test for any accelerator");
  if (!test.decisive) {
    finding.notes.push_back("the test is one of several that open the branch; decide by hand");
    return;
  }
  switch (branch.need) {
    case BranchNeed::Nothing:
      finding.severity = Severity::Hint;
      finding.message =
          test.guarded.empty() ? "the other way is taken on neuron" : "guards only calls without effect on neuron";
      break;
    case BranchNeed::Neutral:
    case BranchNeed::WithFixes:
      std::move(fix).addTo(finding);
      break;
    case BranchNeed::CudaOnly:
      finding.message = "branch is skipped on neuron and holds CUDA-only code";
      finding.notes.push_back("needs CUDA: " + cuda_only.substr(0, cuda_only.find('\n')));
      finding.effort = Effort::Hours;
      break;
  }
}

}  // namespace

void cudaAvailabilityGuard(const RuleInput& input, FileFindings& out) {
  std::vector<const AvailabilityTest*> guards;
  for (const AvailabilityTest& test : input.availability_tests)
    if (test.role == python::TestRole::Guard && !out.isClaimed(test.call)) guards.push_back(&test);
  // Later in the file first: an inner guard comes after the one around it.
  std::reverse(guards.begin(), guards.end());
  for (const AvailabilityTest* test : guards) {
    out.claim(test->call);
    judge(input, *test, out);
  }
}

}  // namespace np::analyzer
