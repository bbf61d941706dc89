// Climbs from the call through `not`, `and`, `or` and parentheses to whatever tests the value.
//
// `if not torch.cuda.is_available(): return` guards the rest of its block: the early exit is the guard that real code
// uses most after the plain `if`.

#include "analyzer/python/guards.h"

#include "analyzer/python/calls.h"

namespace np::analyzer::python {
namespace {

// `sys.exit()`, `pytest.skip()`, `self.skipTest()`: calls that do not come back.
bool isExit(const Module& module, NodeId call) {
  const NodeId callee = module.tree().child(call, Field::Function);
  if (callee == kNoNode) return false;
  const std::string_view text = module.slice(callee);
  const std::string_view last = text.substr(text.rfind('.') + 1);
  return last == "exit" || last == "_exit" || last == "quit" || last == "skip" || last == "skipTest" ||
         last == "fail" || last == "abort";
}

bool leavesBlock(const Module& module, NodeId block) {
  const SyntaxTree& tree = module.tree();
  const std::vector<NodeId> statements = tree.children(block);
  if (statements.empty()) return false;
  NodeId last = statements.back();
  if (tree.is(last, Kind::ReturnStatement) || tree.is(last, Kind::RaiseStatement)) return true;
  if (tree.is(last, Kind::ExpressionStatement)) last = tree.firstChild(last);
  return tree.is(last, Kind::OtherStatement) || (tree.is(last, Kind::Call) && isExit(module, last));
}

// The class whose tests do not run when this statement of its set-up leaves; kNoNode anywhere else.
NodeId testClassAround(const Module& module, NodeId statement) {
  const SyntaxTree& tree = module.tree();
  const NodeId function = tree.ancestor(statement, Kind::FunctionDefinition);
  if (function == kNoNode) return kNoNode;
  const NodeId name = tree.child(function, Field::Name);
  const std::string_view text = name == kNoNode ? std::string_view{} : module.slice(name);
  const bool sets_up = text == "setUp" || text == "setUpClass" || text == "setup_method" || text == "setup_class";
  return sets_up ? tree.ancestor(function, Kind::ClassDefinition) : kNoNode;
}

void guardedByIf(const Module& module, AvailabilityTest& out) {
  const SyntaxTree& tree = module.tree();
  const NodeId holder = out.holder;
  if (!out.negated) {
    out.guarded.push_back(tree.child(holder, Field::Consequence));
    if (out.guarded.back() == kNoNode) out.guarded.back() = tree.child(holder, Field::Body);
    return;
  }
  const NodeId alternative = tree.child(holder, Field::Alternative);
  if (alternative != kNoNode) {
    out.guarded.push_back(alternative);
    return;
  }
  if (!tree.is(holder, Kind::IfStatement) || !leavesBlock(module, tree.child(holder, Field::Consequence))) return;
  for (NodeId next = tree[holder].next_sibling; next != kNoNode; next = tree[next].next_sibling)
    if (tree[next].named && tree.kind(next) != Kind::Comment) out.guarded.push_back(next);
  if (const NodeId tests = testClassAround(module, holder); tests != kNoNode) out.guarded.push_back(tests);
}

}  // namespace

AvailabilityTest roleOf(const Module& module, NodeId test) {
  const SyntaxTree& tree = module.tree();
  AvailabilityTest out;
  out.call = test;
  NodeId at = test;
  while (true) {
    const NodeId parent = tree[at].parent;
    if (parent == kNoNode) return out;
    const Kind kind = tree.kind(parent);
    if (kind == Kind::ParenthesizedExpression) {
      at = parent;
      continue;
    }
    if (kind == Kind::NotOperator) {
      out.negated = !out.negated;
      at = parent;
      continue;
    }
    if (kind == Kind::BooleanOperator) {
      const NodeId word = tree.child(parent, Field::Operator);
      const bool is_and = word != kNoNode && module.slice(word) == "and";
      // Under `not`, `or` is what narrows.
      if (is_and == out.negated) out.decisive = false;
      at = parent;
      continue;
    }
    out.holder = parent;
    out.condition = at;
    const bool is_condition = tree[at].field == Field::Condition;
    if ((kind == Kind::IfStatement || kind == Kind::ElifClause || kind == Kind::WhileStatement) && is_condition) {
      out.role = TestRole::Guard;
      guardedByIf(module, out);
      return out;
    }
    if (kind == Kind::AssertStatement) {
      out.role = TestRole::Guard;
      for (NodeId next = tree[parent].next_sibling; next != kNoNode; next = tree[next].next_sibling)
        if (tree[next].named && tree.kind(next) != Kind::Comment) out.guarded.push_back(next);
      return out;
    }
    if (kind == Kind::ConditionalExpression) {
      const std::vector<NodeId> parts = tree.children(parent);
      if (parts.size() == 3 && parts[1] == at) {
        out.role = TestRole::Choice;
        out.guarded.push_back(out.negated ? parts[2] : parts[0]);
      }
      return out;
    }
    if (kind == Kind::Assignment && tree[at].field == Field::Right) {
      out.role = TestRole::Flag;
      return out;
    }
    const NodeId decorator = tree.is(parent, Kind::Decorator) ? parent : tree.ancestor(parent, Kind::Decorator);
    if (decorator != kNoNode && tree.statementOf(at) == tree.statementOf(decorator)) {
      out.role = TestRole::Skip;
      out.holder = decorator;
    }
    return out;
  }
}

std::vector<AvailabilityTest> findAvailabilityTests(const Module& module) {
  std::vector<AvailabilityTest> out;
  for (const ApiUse& use : findApiUses(module))
    if (use.name == "torch.cuda.is_available" && use.call != kNoNode && out.size() < kMostTests)
      out.push_back(roleOf(module, use.call));
  return out;
}

}  // namespace np::analyzer::python
