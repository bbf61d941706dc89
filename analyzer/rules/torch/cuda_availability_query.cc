// NPT3024 cuda-availability-query
//
// torch.cuda.is_available() whose answer goes somewhere we do not follow: returned, passed on, stored in an attribute.
// One that picks between two values changes together with them. A printed answer decides nothing, and shows False.

#include "analyzer/rules/torch/branch_need.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

bool isPrinted(const RuleInput& input, python::NodeId call) {
  const python::SyntaxTree& tree = input.module.tree();
  if (tree.ancestor(call, python::Kind::Interpolation) != python::kNoNode) return true;
  const python::NodeId list = tree[tree.withParentheses(call)].parent;
  if (!tree.is(list, python::Kind::ArgumentList)) return false;
  const python::NodeId outer = tree[list].parent;
  const std::string callee = textOf(input, tree.child(outer, python::Field::Function));
  return callee == "print" || callee.starts_with("logging.") || callee.find("log") != std::string::npos;
}

// `x.cuda() if torch.cuda.is_available() else x`: the question changes together with what it picks, when that runs on
// any device once its own findings are fixed.
bool judgeChoice(const RuleInput& input, const python::AvailabilityTest& test, FileFindings& out) {
  if (test.role != python::TestRole::Choice || !test.decisive) return false;
  const BranchReport branch = branchNeed(input, out, test.guarded, test.condition);
  if (branch.need != BranchNeed::WithFixes) return false;
  FixBuilder fix(input, FixSafety::Unsafe, "ask for any accelerator");
  fix.replace(test.call, fix.isAvailable(test.call));
  for (const Fix* inner : branch.fixes) fix.include(*inner);
  std::move(fix).addTo(out.add("NPT3024", test.call, textOf(input, test.call),
                               "False on neuron, where the other value is taken; ask for any accelerator"));
  return true;
}

}  // namespace

void cudaAvailabilityQuery(const RuleInput& input, FileFindings& out) {
  for (const python::AvailabilityTest& test : input.availability_tests) {
    if (out.isClaimed(test.call)) continue;
    out.claim(test.call);
    if (judgeChoice(input, test, out)) continue;
    const bool printed = isPrinted(input, test.call);
    out.add("NPT3024", test.call, textOf(input, test.call),
            printed ? "prints False on neuron" : "False on neuron; see who uses the answer");
  }
  for (const python::ApiUse& use : input.uses)
    if (use.name == "torch.cuda.is_available" && use.call == python::kNoNode) {
      const bool negated = input.module.tree().is(input.module.tree()[use.node].parent, python::Kind::NotOperator);
      out.add("NPT3024", use.node, use.name,
              negated ? "the function is tested, not its answer: this is never true; call it"
                      : "False on neuron; see who calls it");
    }
}

}  // namespace np::analyzer
