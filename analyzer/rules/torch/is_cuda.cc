// NPT3006 is-cuda
//
// `x.is_cuda` is False on Neuron. It is the same question as `x.device.type == "cuda"`, asked here for the
// accelerator's type, which is "cuda" with CUDA and without any accelerator. A branch behind it that needs CUDA stays
// shut.

#include "analyzer/rules/torch/branch_need.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::AvailabilityTest;
using python::Field;
using python::Kind;
using python::NodeId;
using python::TestRole;

bool needsParentheses(const python::SyntaxTree& tree, NodeId attribute) {
  switch (tree.kind(tree[attribute].parent)) {
    case Kind::IfStatement:
    case Kind::ElifClause:
    case Kind::WhileStatement:
    case Kind::AssertStatement:
    case Kind::BooleanOperator:
    case Kind::NotOperator:
    case Kind::ParenthesizedExpression:
    case Kind::ArgumentList:
    case Kind::KeywordArgument:
    case Kind::Assignment:
    case Kind::ReturnStatement:
      return false;
    default:
      return true;
  }
}

void judge(const RuleInput& input, NodeId attribute, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  const AvailabilityTest test = python::roleOf(input.module, attribute);
  const BranchReport branch = branchNeed(input, out, test.guarded, test.condition);
  FixBuilder fix(input, FixSafety::Unsafe, "ask for the accelerator's type");
  const bool parentheses = needsParentheses(tree, attribute);
  if (parentheses) fix.insert(tree[attribute].range.start, "(", attribute);
  fix.replace(tree.child(attribute, Field::Attribute),
              "device.type == " + fix.deviceText(attribute) + (parentheses ? ")" : ""));
  for (const Fix* inner : branch.fixes) fix.include(*inner);

  Finding& finding =
      out.add("NPT3006", attribute, textOf(input, attribute), "False on neuron; ask for the accelerator's type");
  const bool guards_cuda = branch.need == BranchNeed::CudaOnly;
  if (guards_cuda) finding.notes.push_back("what it guards needs CUDA");
  const bool by_hand = test.role == TestRole::Choice && branch.need != BranchNeed::WithFixes;
  if (by_hand) finding.notes.push_back("picks one of two values; decide by hand which one fits neuron");
  const bool guards_nothing = branch.need == BranchNeed::Nothing && !test.guarded.empty();
  if (guards_nothing) {
    finding.notes.push_back("guards only calls without effect on neuron");
    finding.severity = Severity::Hint;
  }
  if (!guards_cuda && !guards_nothing && !by_hand && test.role != TestRole::Flag && test.decisive)
    std::move(fix).addTo(finding);
}

}  // namespace

void isCuda(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId id = static_cast<NodeId>(tree.nodes().size()); id-- > 0 && !out.full();) {
    if (!tree.is(id, Kind::Attribute) || textOf(input, tree.child(id, Field::Attribute)) != "is_cuda") continue;
    const bool assigned = tree.is(tree[id].parent, Kind::Assignment) && tree[id].field == Field::Left;
    const bool called = tree.is(tree[id].parent, Kind::Call) && tree[id].field == Field::Function;
    if (!assigned && !called && input.module.qualifiedName(id).empty()) judge(input, id, out);
  }
}

}  // namespace np::analyzer
