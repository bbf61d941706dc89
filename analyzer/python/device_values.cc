// Questions about devices: what an expression may mean, and which places of the file share one value.
//
// A flow is the set of slots (variables, attributes, results) joined by everything that hands a device on unchanged:
// assignments, either arm of a choice, torch.device() and str() around it, arguments and results of functions of this
// file. Parameters join only when their name or their argument speaks of a device: a helper `f(x)` that is called with
// many things would make one flow of all of them.

#include "analyzer/python/device_values.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "analyzer/python/calls.h"
#include "analyzer/python/device_evaluator.h"
#include "analyzer/python/project_names.h"
#include "analyzer/python/strings.h"

namespace np::analyzer::python {
namespace {

// A place that keeps a value: a symbol, an attribute of a class, the result of a function.
struct Slot {
  enum Kind { Variable, Attribute, Result } kind = Variable;
  std::uint32_t id = 0;   // SymbolId or NodeId of the class or function
  std::string attribute;  // of Attribute
  auto operator<=>(const Slot&) const = default;
};

bool speaksOfDevice(std::string_view name) {
  return name.find("dev") != std::string_view::npos || name.find("DEV") != std::string_view::npos;
}

}  // namespace

struct DeviceValues::Index {
  explicit Index(const Module& module) : module(module), tree(module.tree()), facts(module) { connect(); }

  const Module& module;
  const SyntaxTree& tree;
  DeviceIndex facts;
  std::map<Slot, std::uint32_t> slots;
  std::vector<Slot> slot_of;
  std::vector<std::uint32_t> parents;
  std::map<NodeId, std::uint32_t> source_of;            // literal or other origin → slot
  std::map<std::uint32_t, std::vector<NodeId>> places;  // by slot: where it is bound

  std::uint32_t slot(Slot key) {
    const auto [it, is_new] = slots.emplace(key, static_cast<std::uint32_t>(parents.size()));
    if (is_new) {
      parents.push_back(it->second);
      slot_of.push_back(std::move(key));
    }
    return it->second;
  }
  std::uint32_t root(std::uint32_t id) const {
    while (parents[id] != id) id = parents[id];
    return id;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t* at : {&a, &b})
      while (parents[*at] != *at) *at = parents[*at] = parents[parents[*at]];
    parents[std::max(a, b)] = std::min(a, b);
  }

  std::optional<std::uint32_t> slotOf(NodeId node) {
    if (tree.is(node, Kind::Identifier)) {
      const Symbol* symbol = module.symbolOf(node);
      if (!symbol) return std::nullopt;
      return slot({Slot::Variable, static_cast<std::uint32_t>(symbol - module.symbols().data()), ""});
    }
    if (tree.is(node, Kind::Attribute)) {
      const NodeId name = tree.child(node, Field::Attribute);
      const InstanceOf owner = facts.instanceOf(tree.child(node, Field::Object));
      if (owner.cls == kNoNode || name == kNoNode) return std::nullopt;
      return attributeSlot(owner.cls, std::string(module.slice(name)));
    }
    if (tree.is(node, Kind::Call)) {
      const NodeId function = calledFunction(node);
      if (function != kNoNode) return slot({Slot::Result, function, ""});
    }
    return std::nullopt;
  }
  // An attribute that the class body declares is the body's variable.
  std::uint32_t attributeSlot(NodeId cls, std::string name) {
    const NodeId body = tree.child(cls, Field::Body);
    const NodeId property = facts.method(cls, name);
    if (property != kNoNode && facts.isProperty(property)) return slot({Slot::Result, property, ""});
    if (body != kNoNode) {
      const auto& symbols = module.scopes()[module.scopeOf(body)].symbols;
      if (const auto found = symbols.find(name); found != symbols.end())
        return slot({Slot::Variable, found->second, ""});
    }
    return slot({Slot::Attribute, cls, std::move(name)});
  }
  NodeId calledFunction(NodeId call) const {
    const NodeId callee = tree.child(call, Field::Function);
    NodeId definition = kNoNode;
    if (tree.is(callee, Kind::Identifier)) {
      definition = facts.definitionOf(callee);
    } else if (tree.is(callee, Kind::Attribute)) {
      const InstanceOf owner = facts.instanceOf(tree.child(callee, Field::Object));
      const NodeId name = tree.child(callee, Field::Attribute);
      if (owner.cls != kNoNode && name != kNoNode) definition = facts.method(owner.cls, module.slice(name));
    }
    return tree.is(definition, Kind::FunctionDefinition) ? definition : kNoNode;
  }

  // What is inside a call that hands its argument on: torch.device(x), str(x).
  NodeId handedOn(NodeId call) const {
    const NodeId callee = tree.child(call, Field::Function);
    const bool is_str = tree.is(callee, Kind::Identifier) && module.slice(callee) == "str" && !module.symbolOf(callee);
    if (!is_str && module.calleeName(call) != "torch.device") return kNoNode;
    const auto arguments = argumentsOf(module, call);
    return arguments.empty() || !(arguments[0].name.empty() || arguments[0].name == "type") ? kNoNode
                                                                                            : arguments[0].value;
  }

  // Joins everything that `value` may come from with `target`.
  void feed(std::uint32_t target, NodeId value) {
    std::vector<NodeId> todo{value};
    for (int steps = 0; !todo.empty() && steps < 64; ++steps) {
      const NodeId at = todo.back() == kNoNode ? kNoNode : tree.unparenthesized(todo.back());
      todo.pop_back();
      if (at == kNoNode) continue;
      if (tree.is(at, Kind::ConditionalExpression)) {
        const std::vector<NodeId> parts = tree.children(at);
        if (parts.size() == 3) todo.insert(todo.end(), {parts[0], parts[2]});
      } else if (tree.is(at, Kind::BooleanOperator)) {
        todo.insert(todo.end(), {tree.child(at, Field::Left), tree.child(at, Field::Right)});
      } else if (tree.is(at, Kind::NamedExpression)) {
        todo.push_back(tree.child(at, Field::Value));
      } else if (tree.is(at, Kind::String)) {
        if (termOfWord(literalText(module, at).value_or("")).device != Device::Unknown) source_of[at] = target;
      } else if (const NodeId inner = tree.is(at, Kind::Call) ? handedOn(at) : kNoNode; inner != kNoNode) {
        todo.push_back(inner);
      } else if (const auto other = slotOf(at)) {
        unite(target, *other);
      } else if (tree.is(at, Kind::Call)) {
        source_of[at] = target;
      }
    }
  }

  void connect() {
    for (std::size_t id = 0; id < module.symbols().size(); ++id) {
      const std::uint32_t here = slot({Slot::Variable, static_cast<std::uint32_t>(id), ""});
      for (const Binding& binding : module.symbols()[id].bindings) {
        if (binding.node != kNoNode) places[here].push_back(binding.node);
        if (binding.value != kNoNode && binding.kind != BindingKind::Function && binding.kind != BindingKind::Class)
          feed(here, binding.value);
        if (binding.kind == BindingKind::Parameter) feedArguments(here, binding.node);
      }
    }
    for (NodeId cls : facts.classes())
      for (const std::string& name : facts.attributesOf(cls)) {
        const std::uint32_t here = attributeSlot(cls, name);
        for (const AttributeBinding& binding : *facts.attribute(cls, name)) {
          places[here].push_back(binding.node);
          feed(here, binding.value);
        }
      }
    for (NodeId function : facts.functions())
      for (NodeId value : facts.returnsOf(function)) feed(slot({Slot::Result, function, ""}), value);
  }

  void feedArguments(std::uint32_t here, NodeId parameter) {
    if (!speaksOfDevice(module.slice(parameter))) return;
    const NodeId function = facts.functionOfParameter(parameter);
    if (function == kNoNode) return;
    NodeId called = function;
    const ScopeId around = module.scopeOf(function);
    const NodeId name = tree.child(function, Field::Name);
    if (name != kNoNode && module.slice(name) == "__init__" && module.scopes()[around].kind == ScopeKind::Class)
      called = module.scopes()[around].node;
    for (NodeId call : facts.callsOf(called)) feed(here, facts.argumentFor(call, function, parameter));
  }

  std::vector<NodeId> readsOf(std::uint32_t id) const {
    const Slot& slot = slot_of[id];
    if (slot.kind == Slot::Result) return facts.callsOf(slot.id);
    if (slot.kind == Slot::Attribute) {
      const auto* reads = facts.attributeReads(slot.id, slot.attribute);
      return reads ? *reads : std::vector<NodeId>{};
    }
    const Symbol& symbol = module.symbols()[slot.id];
    std::vector<NodeId> out = symbol.references;
    const Scope& scope = module.scopes()[symbol.scope];
    if (scope.kind == ScopeKind::Class)
      if (const auto* reads = facts.attributeReads(scope.node, symbol.name))
        out.insert(out.end(), reads->begin(), reads->end());
    return out;
  }

  // True when the value read at `node` goes on to another slot of this file, which has its own readers.
  bool isHandedOn(NodeId node, NodeId& outer) const {
    for (NodeId at = tree.withParentheses(node);; at = tree.withParentheses(at)) {
      outer = at;
      const NodeId parent = tree[at].parent;
      switch (tree.kind(parent)) {
        case Kind::ConditionalExpression:
        case Kind::BooleanOperator:
          at = parent;
          continue;
        case Kind::Attribute: {
          const NodeId name = tree.child(parent, Field::Attribute);
          if (name == kNoNode || module.slice(name) != "type") return false;
          at = parent;
          continue;
        }
        case Kind::ArgumentList:
        case Kind::KeywordArgument: {
          const NodeId list = tree.is(parent, Kind::KeywordArgument) ? tree[parent].parent : parent;
          const NodeId call = tree[list].parent;
          if (!tree.is(call, Kind::Call)) return false;
          if (handedOn(call) == tree.unparenthesized(at)) {
            at = call;
            continue;
          }
          return passesToParameter(call, at);
        }
        case Kind::Assignment:
          return tree[at].field == Field::Right;
        case Kind::NamedExpression:
        case Kind::ReturnStatement:
        case Kind::DefaultParameter:
        case Kind::TypedDefaultParameter:
          return true;
        default:
          return false;
      }
    }
  }
  bool passesToParameter(NodeId call, NodeId argument) const {
    NodeId function = calledFunction(call);
    const NodeId callee = tree.child(call, Field::Function);
    if (function == kNoNode && tree.is(callee, Kind::Identifier)) {
      const NodeId cls = facts.definitionOf(callee);
      if (tree.is(cls, Kind::ClassDefinition)) function = facts.method(cls, "__init__");
    }
    if (function == kNoNode) return false;
    for (NodeId parameter : tree.children(tree.child(function, Field::Parameters))) {
      NodeId name = tree.child(parameter, Field::Name);
      if (name == kNoNode) name = tree.is(parameter, Kind::Identifier) ? parameter : tree.firstChild(parameter);
      if (name != kNoNode && facts.argumentFor(call, function, name) == argument)
        return speaksOfDevice(module.slice(name));
    }
    return false;
  }
};

bool DeviceFlow::onlyRead() const {
  if (escape != kNoNode) return false;
  return std::all_of(sinks.begin(), sinks.end(), [](const Sink& sink) {
    switch (sink.use) {
      case DeviceUse::TorchDevice:
      case DeviceUse::FactoryKeyword:
      case DeviceUse::ToArgument:
      case DeviceUse::MapLocation:
      case DeviceUse::DefaultDevice:
      case DeviceUse::Autocast:
        return true;
      default:
        return false;
    }
  });
}

DeviceValues::DeviceValues(const Module& module, const ProjectNames* project) : module_(module), project_(project) {}

const DeviceValues::Index& DeviceValues::index() const {
  if (!index_) index_ = std::make_shared<Index>(module_);
  return *index_;
}

DeviceValue DeviceValues::of(NodeId expression) const {
  if (expression == kNoNode) return {};
  DeviceEvaluator evaluator(module_, index().facts);
  DeviceTerms out;
  for (DeviceTerm& term : evaluator.of(expression)) {
    if (project_) {
      join(out, project_->deviceTerms(module_.text().path(), term));
    } else {
      term.name.clear();
      join(out, {std::move(term)});
    }
  }
  if (out.empty()) out.push_back(DeviceTerm{});
  return valueOf(out);
}

DeviceFlow DeviceValues::flowOf(NodeId node) const {
  DeviceFlow out;
  if (node == kNoNode) return out;
  index();
  Index& flows = *index_;
  node = module_.tree().unparenthesized(node);
  std::optional<std::uint32_t> start = flows.slotOf(node);
  if (const auto source = flows.source_of.find(node); source != flows.source_of.end()) start = source->second;
  if (!start) return out;
  const std::uint32_t root = flows.root(*start);
  for (const auto& [source, slot] : flows.source_of)
    if (flows.root(slot) == root) out.sources.push_back(source);
  std::set<NodeId> reads;
  for (std::uint32_t slot = 0; slot < flows.parents.size(); ++slot) {
    if (flows.root(slot) != root) continue;
    if (const auto found = flows.places.find(slot); found != flows.places.end())
      out.places.insert(out.places.end(), found->second.begin(), found->second.end());
    for (NodeId read : flows.readsOf(slot)) reads.insert(read);
  }
  std::sort(out.places.begin(), out.places.end());
  for (NodeId read : reads) {
    NodeId outer = read;
    if (flows.isHandedOn(read, outer)) continue;
    if (module_.tree().is(module_.tree()[outer].parent, Kind::ExpressionStatement)) continue;  // a result not taken
    const DeviceString use = useOfValue(module_, outer);
    const bool plain = use.use == DeviceUse::Data || use.use == DeviceUse::OtherArgument ||
                       use.use == DeviceUse::DeviceKeyword || use.use == DeviceUse::CommandLine;
    out.sinks.push_back({outer, use.use, use.holder});
    if (plain && out.escape == kNoNode) out.escape = outer;
  }
  const NodeId first = !out.places.empty() ? out.places.front() : out.sources.empty() ? node : out.sources.front();
  out.name = "device-flow " + std::string(module_.slice(first).substr(0, 60)) + "@" +
             std::to_string(module_.tree()[first].range.start);
  return out;
}

}  // namespace np::analyzer::python
