// NPT3023 cuda-availability-flag
//
//   use_cuda = not args.no_cuda and torch.cuda.is_available()
//   …
//   if use_cuda: model.cuda()
//
// The test is kept in a variable. It may be opened when every place that reads the variable is one we understand and
// what stands behind it is device-neutral; the fixes of those places are part of this one.

#include "analyzer/rules/torch/branch_need.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::AvailabilityTest;
using python::kNoNode;
using python::NodeId;
using python::TestRole;

constexpr const char* kRule = "NPT3023";

// A reader that is fine whatever the value: `pin_memory=use_cuda`.
bool isHarmlessReader(const RuleInput& input, NodeId reference) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId parent = tree[reference].parent;
  return tree.is(parent, python::Kind::KeywordArgument) &&
         textOf(input, tree.child(parent, python::Field::Name)) == "pin_memory";
}

void follow(const RuleInput& input, const AvailabilityTest& test, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId name = tree.child(test.holder, python::Field::Left);
  const python::Symbol* symbol = tree.is(name, python::Kind::Identifier) ? input.module.symbolOf(name) : nullptr;
  FixBuilder fix(input, FixSafety::Unsafe, "test for any accelerator");
  fix.replace(test.call, fix.isAvailable(test.call));

  std::string obstacle;
  if (!symbol || symbol->bindings.size() != 1 || !test.decisive || test.negated) obstacle = "who reads it is not known";
  for (std::size_t i = 0; obstacle.empty() && i < symbol->references.size(); ++i) {
    const NodeId reference = symbol->references[i];
    if (isHarmlessReader(input, reference)) continue;
    const AvailabilityTest use = python::roleOf(input.module, reference);
    const bool understood = (use.role == TestRole::Guard || use.role == TestRole::Choice) && use.decisive;
    const std::string line = std::to_string(input.module.text().position(tree[reference].range.start).line);
    if (!understood) {
      obstacle = "read in line " + line + " in a way that decides nothing visible";
      break;
    }
    const BranchReport branch = branchNeed(input, out, use.guarded, use.condition);
    if (branch.need == BranchNeed::CudaOnly) obstacle = "opens CUDA-only code in line " + line;
    for (const Fix* inner : branch.fixes) fix.include(*inner);
  }

  Finding& finding = out.add(kRule, test.call, textOf(input, test.holder),
                             "what this flag opens is skipped on neuron; test for any accelerator");
  if (!obstacle.empty()) {
    finding.notes.push_back(obstacle);
    return;
  }
  std::move(fix).addTo(finding);
}

}  // namespace

void cudaAvailabilityFlag(const RuleInput& input, FileFindings& out) {
  for (const AvailabilityTest& test : input.availability_tests) {
    if (test.role != TestRole::Flag || out.isClaimed(test.call)) continue;
    out.claim(test.call);
    follow(input, test, out);
  }
}

}  // namespace np::analyzer
