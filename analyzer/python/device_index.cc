// One pass over the tree. Only what is said by the file itself counts: an attribute set from outside
// (`model.device = …`) is bound only when the file shows what `model` is.

#include "analyzer/python/device_index.h"

#include <algorithm>

#include "analyzer/python/calls.h"
#include "analyzer/python/strings.h"

namespace np::analyzer::python {
namespace {

const std::vector<NodeId> kNothing;

// "--local-rank" → "local_rank"; empty for short options and positional names keep themselves.
std::string destOf(std::string_view option) {
  const bool is_long = option.starts_with("--");
  if (option.starts_with("-") && !is_long) return "";
  std::string out(is_long ? option.substr(2) : option);
  out = out.substr(0, out.find('/'));  // click: "--cuda/--no-cuda"
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

}  // namespace

NodeId functionAround(const SyntaxTree& tree, NodeId id) {
  for (NodeId at = tree[id].parent; at != kNoNode; at = tree[at].parent)
    if (tree.is(at, Kind::FunctionDefinition) || tree.is(at, Kind::Lambda)) return at;
  return kNoNode;
}

DeviceIndex::DeviceIndex(const Module& module) : module_(module), tree_(module.tree()) {
  for (NodeId id = 0; id < tree_.nodes().size(); ++id) {
    switch (tree_.kind(id)) {
      case Kind::ClassDefinition:
        classes_.push_back(id);
        break;
      case Kind::FunctionDefinition:
        functions_.push_back(id);
        break;
      case Kind::ReturnStatement:
        addReturn(id);
        break;
      case Kind::Assignment: {
        NodeId value = tree_.child(id, Field::Right);
        while (tree_.is(value, Kind::Assignment)) value = tree_.child(value, Field::Right);
        bindAttribute(tree_.child(id, Field::Left), value);
        break;
      }
      case Kind::AugmentedAssignment:
        bindAttribute(tree_.child(id, Field::Left), kNoNode);
        break;
      case Kind::Attribute: {
        const NodeId object = tree_.child(id, Field::Object), name = tree_.child(id, Field::Attribute);
        const bool is_target = tree_[id].field == Field::Left && tree_.is(tree_[id].parent, Kind::Assignment);
        if (is_target || name == kNoNode || !tree_.is(object, Kind::Identifier)) break;
        const InstanceOf owner = instanceOf(object);
        if (owner.cls != kNoNode) reads_[{owner.cls, std::string(module_.slice(name))}].push_back(id);
        break;
      }
      case Kind::Call: {
        const NodeId callee = tree_.child(id, Field::Function);
        if (tree_.is(callee, Kind::Identifier)) {
          const NodeId definition = definitionOf(callee);
          if (definition != kNoNode) calls_[definition].push_back(id);
        } else if (tree_.is(callee, Kind::Attribute)) {
          const InstanceOf owner = instanceOf(tree_.child(callee, Field::Object));
          const NodeId name = tree_.child(callee, Field::Attribute);
          if (owner.cls != kNoNode && name != kNoNode) {
            const NodeId called = method(owner.cls, module_.slice(name));
            if (called != kNoNode) calls_[called].push_back(id);
          }
        }
        addOption(id);
        break;
      }
      default:
        break;
    }
  }
}

void DeviceIndex::addReturn(NodeId statement) {
  const NodeId function = functionAround(tree_, statement), value = tree_.firstChild(statement);
  if (function != kNoNode) returns_[function].push_back(value);
}

void DeviceIndex::bindAttribute(NodeId target, NodeId value) {
  if (tree_.is(target, Kind::PatternList) || tree_.is(target, Kind::TuplePattern)) {
    const std::vector<NodeId> names = tree_.children(target);
    std::vector<NodeId> values;
    if (tree_.is(value, Kind::Tuple)) values = tree_.children(value);
    for (std::size_t i = 0; i < names.size(); ++i)
      bindAttribute(names[i], values.size() == names.size() ? values[i] : kNoNode);
    return;
  }
  if (!tree_.is(target, Kind::Attribute)) return;
  const NodeId object = tree_.child(target, Field::Object), name = tree_.child(target, Field::Attribute);
  if (name == kNoNode || !tree_.is(object, Kind::Identifier)) return;
  const InstanceOf owner = instanceOf(object);
  if (owner.cls != kNoNode) attributes_[{owner.cls, std::string(module_.slice(name))}].push_back({target, value});
}

void DeviceIndex::addOption(NodeId call) {
  const NodeId callee = tree_.child(call, Field::Function);
  const std::string_view text = callee == kNoNode ? std::string_view{} : module_.slice(callee);
  const std::string_view last = text.substr(text.rfind('.') + 1);
  const bool is_flag = last.starts_with("DEFINE_") && last.size() < 32;
  if (last != "add_argument" && last != "option" && last != "set_defaults" && last != "add_option" && !is_flag) return;
  std::string dest;
  NodeId value = kNoNode;
  std::size_t position = 0;
  for (const Argument& argument : argumentsOf(module_, call)) {
    if (last == "set_defaults") {
      if (!argument.name.empty()) options_[std::string(argument.name)].push_back({call, argument.value});
      continue;
    }
    const auto word = literalText(module_, argument.value);
    if (argument.name.empty() && is_flag && position++ == 1) value = argument.value;
    if (argument.name.empty() && word && (dest.empty() || (word->starts_with("--") && !is_flag && position == 0)))
      if (std::string name = destOf(*word); dest.empty()) dest = std::move(name);
    if (argument.name == "dest" && word) dest = *word;
    if (argument.name == "default") value = argument.value;
  }
  if (!dest.empty()) options_[dest].push_back({call, value});
}

NodeId DeviceIndex::definitionOf(NodeId identifier) const {
  const Symbol* symbol = module_.symbolOf(identifier);
  if (!symbol || symbol->bindings.size() != 1) return kNoNode;
  const Binding& binding = symbol->bindings.front();
  return binding.kind == BindingKind::Function || binding.kind == BindingKind::Class ? binding.value : kNoNode;
}

NodeId DeviceIndex::functionOfParameter(NodeId name) const {
  for (NodeId at = tree_[name].parent; at != kNoNode; at = tree_[at].parent) {
    if (tree_.is(at, Kind::Parameters) || tree_.is(at, Kind::LambdaParameters)) return tree_[at].parent;
    if (tree_.is(at, Kind::Block)) return kNoNode;
  }
  return kNoNode;
}

InstanceOf DeviceIndex::instanceOf(NodeId object) const {
  object = object == kNoNode ? kNoNode : tree_.unparenthesized(object);
  NodeId constructed = tree_.is(object, Kind::Call) ? object : kNoNode;
  if (constructed == kNoNode) {
    const Symbol* symbol = tree_.is(object, Kind::Identifier) ? module_.symbolOf(object) : nullptr;
    if (!symbol || symbol->bindings.size() != 1) return {};
    const Binding& binding = symbol->bindings.front();
    if (binding.kind == BindingKind::Parameter) {
      const NodeId function = functionOfParameter(binding.node);
      if (function == kNoNode) return {};
      const ScopeId around = module_.scopeOf(function);
      const NodeId first = tree_.firstChild(tree_.child(function, Field::Parameters));
      const bool is_first = first == binding.node || tree_.firstChild(first) == binding.node;
      if (is_first && module_.scopes()[around].kind == ScopeKind::Class) return {module_.scopes()[around].node, ""};
      NodeId type = tree_.child(tree_[binding.node].parent, Field::Type);
      if (tree_.is(type, Kind::TypeNode)) type = tree_.firstChild(type);
      if (type == kNoNode) return {};
      const NodeId definition = tree_.is(type, Kind::Identifier) ? definitionOf(type) : kNoNode;
      if (tree_.is(definition, Kind::ClassDefinition)) return {definition, ""};
      return {kNoNode, module_.qualifiedName(type)};
    }
    if (binding.kind != BindingKind::Assignment || !tree_.is(binding.value, Kind::Call)) return {};
    constructed = binding.value;
  }
  const NodeId callee = tree_.child(constructed, Field::Function);
  const NodeId definition = tree_.is(callee, Kind::Identifier) ? definitionOf(callee) : kNoNode;
  if (definition != kNoNode) return {tree_.is(definition, Kind::ClassDefinition) ? definition : kNoNode, ""};
  const std::string name = module_.qualifiedName(callee);
  const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
  if (!last.empty() && last[0] >= 'A' && last[0] <= 'Z') return {kNoNode, name};
  return {};
}

const std::vector<AttributeBinding>* DeviceIndex::attribute(NodeId cls, std::string_view name) const {
  const auto found = attributes_.find({cls, std::string(name)});
  return found == attributes_.end() ? nullptr : &found->second;
}

std::set<std::string> DeviceIndex::attributesOf(NodeId cls) const {
  std::set<std::string> out;
  for (auto it = attributes_.lower_bound({cls, ""}); it != attributes_.end() && it->first.first == cls; ++it)
    out.insert(it->first.second);
  return out;
}

const std::vector<NodeId>* DeviceIndex::attributeReads(NodeId cls, std::string_view name) const {
  const auto found = reads_.find({cls, std::string(name)});
  return found == reads_.end() ? nullptr : &found->second;
}

NodeId DeviceIndex::method(NodeId cls, std::string_view name) const {
  const NodeId body = tree_.child(cls, Field::Body);
  if (body == kNoNode) return kNoNode;
  const auto& symbols = module_.scopes()[module_.scopeOf(body)].symbols;
  const auto found = symbols.find(name);
  if (found == symbols.end() || module_.symbols()[found->second].bindings.size() != 1) return kNoNode;
  const Binding& binding = module_.symbols()[found->second].bindings.front();
  return binding.kind == BindingKind::Function ? binding.value : kNoNode;
}

bool DeviceIndex::isProperty(NodeId function) const {
  const NodeId outer = tree_[function].parent;
  if (!tree_.is(outer, Kind::DecoratedDefinition)) return false;
  for (NodeId child : tree_.children(outer))
    if (tree_.is(child, Kind::Decorator) && module_.slice(child).find("property") != std::string_view::npos)
      return true;
  return false;
}

std::vector<NodeId> DeviceIndex::bases(NodeId cls) const {
  std::vector<NodeId> out;
  for (NodeId base : tree_.children(tree_.child(cls, Field::Superclasses)))
    if (tree_.is(base, Kind::Identifier) || tree_.is(base, Kind::Attribute)) out.push_back(base);
  return out;
}

const std::vector<NodeId>& DeviceIndex::returnsOf(NodeId function) const {
  const auto found = returns_.find(function);
  return found == returns_.end() ? kNothing : found->second;
}

const std::vector<NodeId>& DeviceIndex::callsOf(NodeId definition) const {
  const auto found = calls_.find(definition);
  return found == calls_.end() ? kNothing : found->second;
}

NodeId DeviceIndex::argumentFor(NodeId call, NodeId function, NodeId parameter_name) const {
  const std::string_view wanted = module_.slice(parameter_name);
  const std::vector<NodeId> parameters = tree_.children(tree_.child(function, Field::Parameters));
  std::size_t position = 0;
  while (position < parameters.size() && !tree_.inside(parameter_name, parameters[position])) ++position;
  // A method's first parameter is not in the parentheses of the call.
  const NodeId callee = tree_.child(call, Field::Function), outer = tree_[function].parent;
  const bool is_static = tree_.is(outer, Kind::DecoratedDefinition) &&
                         module_.slice(outer).substr(0, 200).find("@staticmethod") != std::string_view::npos;
  const bool bound =
      !is_static && (tree_.is(callee, Kind::Attribute) || tree_.is(definitionOf(callee), Kind::ClassDefinition));
  std::size_t at = bound ? 1 : 0;
  for (const Argument& argument : argumentsOf(module_, call)) {
    if (argument.name == wanted) return argument.value;
    if (argument.name.starts_with("*")) return kNoNode;
    if (argument.name.empty() && at++ == position) return argument.value;
  }
  return kNoNode;
}

const std::vector<Option>* DeviceIndex::option(std::string_view dest) const {
  const auto found = options_.find(dest);
  return found == options_.end() ? nullptr : &found->second;
}

}  // namespace np::analyzer::python
