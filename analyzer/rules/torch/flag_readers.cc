// A flag may be opened when every place that reads it is one we understand and what stands behind it is device-neutral.
// A flag that is handed to a function of the file is followed into it, three calls deep.

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

// The parameter that receives this argument, when the callee is a function of this file that is defined once.
const python::Symbol* parameterFor(const RuleInput& input, NodeId reference) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId parent = tree[reference].parent;
  const bool by_name = tree.is(parent, python::Kind::KeywordArgument);
  const NodeId list = by_name ? tree[parent].parent : parent;
  if (!tree.is(list, python::Kind::ArgumentList)) return nullptr;
  const NodeId call = tree[list].parent, callee = tree.child(call, python::Field::Function);
  const python::Symbol* function = tree.is(callee, python::Kind::Identifier) ? input.module.symbolOf(callee) : nullptr;
  if (!function || function->bindings.size() != 1 || function->bindings[0].kind != python::BindingKind::Function)
    return nullptr;
  const NodeId definition = tree.ancestor(function->bindings[0].node, python::Kind::FunctionDefinition);
  const auto arguments = python::argumentsOf(input.module, call);
  std::size_t position = 0;
  while (position < arguments.size() && arguments[position].value != reference) {
    if (!arguments[position].name.empty()) break;  // a splat or a keyword before it
    ++position;
  }
  for (const python::Scope& scope : input.module.scopes()) {
    if (scope.kind != python::ScopeKind::Function || scope.node != definition) continue;
    if (by_name) {
      const auto found = scope.symbols.find(input.module.slice(tree.child(parent, python::Field::Name)));
      return found == scope.symbols.end() ? nullptr : &input.module.symbols()[found->second];
    }
    const NodeId parameters = tree.child(definition, python::Field::Parameters);
    const std::vector<NodeId> names = parameters == python::kNoNode ? std::vector<NodeId>{} : tree.children(parameters);
    if (position >= names.size() || position >= arguments.size() || arguments[position].value != reference)
      return nullptr;
    for (std::size_t i = 0; i <= position; ++i)
      if (tree.is(names[i], python::Kind::ListSplatPattern) || tree.is(names[i], python::Kind::DictionarySplatPattern))
        return nullptr;
    for (const auto& [name, id] : scope.symbols)
      for (const python::Binding& binding : input.module.symbols()[id].bindings)
        if (binding.kind == python::BindingKind::Parameter && tree.inside(binding.node, names[position]))
          return &input.module.symbols()[id];
  }
  return nullptr;
}

// Why the readers of one name stand in the way; empty when they do not.
std::string obstacleOf(const RuleInput& input, FileFindings& out, const python::Symbol& symbol, FixBuilder& fix,
                       int depth) {
  const python::SyntaxTree& tree = input.module.tree();
  if (symbol.bindings.size() != 1) return "\"" + symbol.name + "\" is set in several places";
  for (const NodeId reference : symbol.references) {
    if (isHarmlessReader(input, reference)) continue;
    if (!out.spend(static_cast<std::int64_t>(input.module.scopes().size()) + 10)) return "too many readers";
    const std::string line = std::to_string(input.module.text().position(tree[reference].range.start).line);
    const python::AvailabilityTest use = python::roleOf(input.module, reference);
    if ((use.role == TestRole::Guard || use.role == TestRole::Choice) && use.decisive) {
      const BranchReport branch = branchNeed(input, out, use.guarded, use.condition);
      if (branch.need == BranchNeed::CudaOnly) return "opens CUDA-only code in line " + line;
      for (const Fix* inner : branch.fixes) fix.include(*inner);
      continue;
    }
    const python::Symbol* parameter = depth > 0 ? parameterFor(input, reference) : nullptr;
    if (!parameter) return "read in line " + line + " in a way that decides nothing visible";
    const std::string obstacle = obstacleOf(input, out, *parameter, fix, depth - 1);
    if (!obstacle.empty()) return obstacle;
  }
  return "";
}

}  // namespace

std::string flagObstacle(const RuleInput& input, FileFindings& out, const python::AvailabilityTest& test,
                         FixBuilder& fix) {
  constexpr int kMostCalls = 3;
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId name = tree.child(test.holder, python::Field::Left);
  const python::Symbol* symbol = tree.is(name, python::Kind::Identifier) ? input.module.symbolOf(name) : nullptr;
  if (!symbol || symbol->bindings.size() != 1 || !test.decisive || test.negated) return "who reads it is not known";
  return obstacleOf(input, out, *symbol, fix, kMostCalls);
}

}  // namespace np::analyzer
