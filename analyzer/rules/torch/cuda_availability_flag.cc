// NPT3023 cuda-availability-flag
//
//   use_cuda = not args.no_cuda and torch.cuda.is_available()
//   …
//   if use_cuda: model.cuda()
//
// The test is kept in a variable. It may be opened when every place that reads the variable is one we understand and
// what stands behind it is device-neutral; the fixes of those places are part of this one.

#include "analyzer/rules/torch/flag_readers.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::AvailabilityTest;
using python::TestRole;

constexpr const char* kRule = "NPT3023";

void follow(const RuleInput& input, const AvailabilityTest& test, FileFindings& out) {
  FixBuilder fix(input, FixSafety::Unsafe, "test for any accelerator");
  fix.replace(test.call, fix.isAvailable(test.call));

  const std::string obstacle = flagObstacle(input, out, test, fix);
  Finding& finding = out.add(kRule, test.call, textOf(input, test.holder),
                             "what this flag opens is skipped on neuron; test for any accelerator");
  if (!obstacle.empty()) {
    finding.notes.push_back(obstacle);
    return;
  }
  std::move(fix).addTo(finding);
}

// `True if torch.cuda.is_available() else False` is the flag itself.
AvailabilityTest asFlag(const RuleInput& input, AvailabilityTest test) {
  const python::SyntaxTree& tree = input.module.tree();
  if (test.role != TestRole::Choice) return test;
  const std::vector<python::NodeId> parts = tree.children(test.holder);
  const python::NodeId around = tree[tree.withParentheses(test.holder)].parent;
  const bool is_flag =
      parts.size() == 3 && tree.is(parts[0], python::Kind::True) && tree.is(parts[2], python::Kind::False);
  if (!is_flag || !tree.is(around, python::Kind::Assignment)) return test;
  test.role = TestRole::Flag;
  test.holder = around;
  return test;
}

}  // namespace

void cudaAvailabilityFlag(const RuleInput& input, FileFindings& out) {
  for (const AvailabilityTest& one : input.availability_tests) {
    const AvailabilityTest test = asFlag(input, one);
    if (test.role != TestRole::Flag || out.isClaimed(test.call)) continue;
    out.claim(test.call);
    follow(input, test, out);
  }
}

}  // namespace np::analyzer
