// Which variable a place reads or writes, and whether it does.
//
// The holder is judged by its text (`os.environ`, `environ`, `monkeypatch.setenv`, a copy called `env`): the methods of
// a mapping have no meaning of their own that imports could tell.

#include "analyzer/rules/torch/environment_access.h"

#include <algorithm>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"

namespace np::analyzer {

using python::BindingKind;
using python::Field;
using python::Kind;
using python::NodeId;

bool inEnvironmentAccess(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId parent = tree[node].parent;
  std::string holder;
  if (tree.is(parent, Kind::Subscript)) {
    holder = textOf(input, tree.child(parent, Field::Value));
  } else if (tree.is(parent, Kind::ComparisonOperator)) {
    holder = textOf(input, parent);
  } else if (tree.is(parent, Kind::ArgumentList) && tree.firstChild(parent) == node) {
    holder = textOf(input, tree.child(tree[parent].parent, Field::Function));
  }
  return holder.find("environ") != std::string::npos || holder.find("getenv") != std::string::npos ||
         holder.find("setenv") != std::string::npos || holder.find("delenv") != std::string::npos || holder == "env";
}

std::vector<NamedVariable> environmentAccessesByName(const RuleInput& input) {
  std::vector<NamedVariable> out;
  for (const python::Symbol& symbol : input.module.symbols()) {
    if (symbol.bindings.size() != 1 || symbol.bindings.front().kind != BindingKind::Assignment) continue;
    const NodeId value = symbol.bindings.front().value;
    if (value == python::kNoNode || !input.module.tree().is(value, Kind::String)) continue;
    const std::optional<std::string> text = python::literalText(input.module, value);
    if (!text) continue;
    for (NodeId reference : symbol.references)
      if (inEnvironmentAccess(input, reference)) out.push_back({reference, *text});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
  return out;
}

}  // namespace np::analyzer
