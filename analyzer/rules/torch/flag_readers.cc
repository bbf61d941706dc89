// A flag may be opened when every place that reads it is one we understand and what stands behind it is device-neutral.

#include "analyzer/rules/torch/flag_readers.h"

#include "analyzer/rules/torch/branch_need.h"
#include "analyzer/rules/torch/places.h"

namespace np::analyzer {
namespace {

using python::NodeId;
using python::TestRole;

// A reader that is fine whatever the value: `pin_memory=use_cuda`, `GradScaler(enabled=use_cuda)`, a message.
bool isHarmlessReader(const RuleInput& input, NodeId reference) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId parent = tree[reference].parent;
  if (tree.ancestor(reference, python::Kind::Interpolation) != python::kNoNode) return true;
  if (tree.is(parent, python::Kind::ArgumentList)) {
    const std::string callee = textOf(input, tree.child(tree[parent].parent, python::Field::Function));
    return callee == "print" || callee.starts_with("logging.") || callee.starts_with("logger.");
  }
  if (!tree.is(parent, python::Kind::KeywordArgument)) return false;
  const std::string name = textOf(input, tree.child(parent, python::Field::Name));
  return name == "pin_memory" || name == "non_blocking" || name == "enabled";
}

}  // namespace

std::string flagObstacle(const RuleInput& input, FileFindings& out, const python::AvailabilityTest& test,
                         FixBuilder& fix) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId name = tree.child(test.holder, python::Field::Left);
  const python::Symbol* symbol = tree.is(name, python::Kind::Identifier) ? input.module.symbolOf(name) : nullptr;
  if (!symbol || symbol->bindings.size() != 1 || !test.decisive || test.negated) return "who reads it is not known";
  for (const NodeId reference : symbol->references) {
    if (isHarmlessReader(input, reference)) continue;
    const python::AvailabilityTest use = python::roleOf(input.module, reference);
    const std::string line = std::to_string(input.module.text().position(tree[reference].range.start).line);
    if ((use.role != TestRole::Guard && use.role != TestRole::Choice) || !use.decisive)
      return "read in line " + line + " in a way that decides nothing visible";
    const BranchReport branch = branchNeed(input, out, use.guarded, use.condition);
    if (branch.need == BranchNeed::CudaOnly) return "opens CUDA-only code in line " + line;
    for (const Fix* inner : branch.fixes) fix.include(*inner);
  }
  return "";
}

}  // namespace np::analyzer
