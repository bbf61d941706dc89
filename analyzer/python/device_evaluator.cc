// Not flow sensitive: a name means what any of its bindings gives it. A cycle (`device = torch.device(device)`) adds
// nothing to the other bindings. Whatever the file does not say is Unknown, never left out: a parameter is Unknown
// besides its default and the arguments seen here, since callers may stand elsewhere.

#include "analyzer/python/device_evaluator.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "analyzer/python/calls.h"
#include "analyzer/python/strings.h"

namespace np::analyzer::python {
namespace {

// Names under which programs keep what the command line or a configuration file said.
bool isOptionsName(std::string_view name) {
  constexpr std::array<std::string_view, 14> kNames = {"args",  "opt",    "opts",     "options", "hparams",
                                                       "hps",   "cfg",    "conf",     "config",  "flags",
                                                       "FLAGS", "params", "settings", "argv"};
  while (name.starts_with('_')) name.remove_prefix(1);
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || name.ends_with("_args") ||
         name.ends_with("_cfg") || name.ends_with("_config");
}

bool isAcceleratorCall(std::string_view name) {
  return name == "torch.accelerator.current_accelerator" || name == "torch.accelerator.current_device_index" ||
         name == "torch.accelerator.current_device_idx";
}

bool isDeviceKeeper(std::string_view name) {
  return name == "accelerate.Accelerator" || name == "accelerate.PartialState" ||
         name == "accelerate.state.PartialState" || name == "accelerate.state.AcceleratorState" ||
         name == "accelerate.accelerator.Accelerator";
}

// A field of a dataclass, pydantic model or typed command line; `from_outside` when a user may set it.
bool isField(std::string_view name, bool& from_outside) {
  const std::string_view last = name.substr(name.rfind('.') + 1);
  from_outside = name.starts_with("typer.") || name.starts_with("fire.") || name.starts_with("tyro.");
  return last == "field" || last == "Field" || last == "ib" || last == "attrib" ||
         (from_outside && (last == "Option" || last == "Argument"));
}

}  // namespace

Related DeviceEvaluator::step(NodeId at, std::string message) const {
  const SourceText& text = module_.text();
  const Range range = tree_[at].range;
  return {text.path(), range, text.position(range.start), text.position(range.end), std::move(message)};
}

void DeviceEvaluator::addStep(DeviceTerms& terms, NodeId at, const std::string& message) const {
  for (DeviceTerm& term : terms)
    if ((term.device != Device::Unknown || !term.name.empty()) && term.trace.size() < kMostSteps)
      term.trace.push_back(step(at, message));
}

DeviceTerms DeviceEvaluator::single(Device device, NodeId at, const char* message) const {
  DeviceTerm term;
  term.device = device;
  term.trace.push_back(step(at, message));
  return {term};
}

DeviceTerms DeviceEvaluator::named(std::string name, NodeId at) const {
  DeviceTerm term;
  term.trace.push_back(step(at, "\"" + name + "\" is read from another file"));
  term.name = std::move(name);
  return {term};
}

DeviceTerms DeviceEvaluator::of(NodeId id) {
  if (id == kNoNode || --budget_ < 0) return unknown();
  id = tree_.unparenthesized(id);
  switch (tree_.kind(id)) {
    case Kind::String:
    case Kind::ConcatenatedString:
      return ofLiteral(id);
    case Kind::None:
      return single(Device::Unset, id, "None: where it is already");
    case Kind::Identifier:
      return ofName(id);
    case Kind::Attribute:
      return ofAttributeNode(id);
    case Kind::Call:
      return ofCall(id);
    case Kind::Subscript:
      return ofSubscript(id);
    case Kind::ConditionalExpression: {
      const std::vector<NodeId> parts = tree_.children(id);
      if (parts.size() != 3) return unknown();
      DeviceTerms out = of(parts[0]);
      join(out, of(parts[2]));
      return out;
    }
    case Kind::BooleanOperator: {
      DeviceTerms out = of(tree_.child(id, Field::Left));
      // `device or "cuda"`: an unset left side is what the right side is for.
      std::erase_if(out, [](const DeviceTerm& term) { return term.device == Device::Unset; });
      join(out, of(tree_.child(id, Field::Right)));
      return out;
    }
    case Kind::NamedExpression:
      return of(tree_.child(id, Field::Value));
    case Kind::BinaryOperator: {
      // "cuda:" + str(i), "cuda:%d" % i
      const NodeId left = tree_.unparenthesized(tree_.child(id, Field::Left));
      const bool is_cuda = tree_.is(left, Kind::String) && leadingText(module_, left).starts_with("cuda:");
      return is_cuda ? single(Device::Cuda, id, "a CUDA device by number") : unknown();
    }
    default:
      return unknown();
  }
}

DeviceTerms DeviceEvaluator::ofLiteral(NodeId id) const {
  const auto text = literalText(module_, id);
  if (!text) {
    if (tree_.is(id, Kind::String) && leadingText(module_, id).starts_with("cuda:"))
      return single(Device::Cuda, id, "a CUDA device by number");
    return unknown();
  }
  DeviceTerm term = termOfWord(*text);
  if (term.device == Device::Unknown) return {term};
  term.trace.push_back(step(id, "\"" + *text + "\" is written here"));
  return {term};
}

DeviceTerms DeviceEvaluator::ofName(NodeId id) {
  const Symbol* symbol = module_.symbolOf(id);
  if (symbol) return ofSymbol(*symbol);
  const std::string name = module_.qualifiedName(id);  // from a star import
  return name.empty() ? unknown() : named(name, id);
}

DeviceTerms DeviceEvaluator::ofSymbol(const Symbol& symbol) {
  const std::pair<const void*, std::string> slot{&symbol, ""};
  if (!open_.insert(slot).second) return {};
  DeviceTerms out;
  for (const Binding& binding : symbol.bindings) join(out, ofBinding(symbol, binding));
  open_.erase(slot);
  return out;
}

DeviceTerms DeviceEvaluator::ofBinding(const Symbol& symbol, const Binding& binding) {
  switch (binding.kind) {
    case BindingKind::Import:
      return named(binding.path, binding.node);
    case BindingKind::Parameter:
      return ofParameter(symbol, binding);
    case BindingKind::Assignment: {
      if (binding.value == kNoNode) return unknown();
      DeviceTerms out = of(binding.value);
      addStep(out, binding.node, "assigned to \"" + symbol.name + "\"");
      return out;
    }
    case BindingKind::Deleted:
      return {};
    default:
      return unknown();
  }
}

DeviceTerms DeviceEvaluator::ofParameter(const Symbol& symbol, const Binding& binding) {
  DeviceTerms out;
  if (binding.value != kNoNode) {
    out = of(binding.value);
    addStep(out, binding.node, "default of parameter \"" + symbol.name + "\"");
  }
  const NodeId function = index_.functionOfParameter(binding.node);
  if (function != kNoNode) {
    NodeId called = function;  // constructor calls name the class
    const ScopeId around = module_.scopeOf(function);
    const NodeId name = tree_.child(function, Field::Name);
    if (name != kNoNode && module_.slice(name) == "__init__" && module_.scopes()[around].kind == ScopeKind::Class)
      called = module_.scopes()[around].node;
    for (NodeId call : index_.callsOf(called)) {
      const NodeId argument = index_.argumentFor(call, function, binding.node);
      if (argument == kNoNode || budget_ < 0) continue;
      DeviceTerms given = of(argument);
      addStep(given, call, "passed as \"" + symbol.name + "\"");
      join(out, std::move(given));
    }
    if (tree_.is(tree_[function].parent, Kind::DecoratedDefinition)) {
      const std::string_view decorators =
          module_.slice(tree_[function].parent)
              .substr(0, tree_[function].range.start - tree_[tree_[function].parent].range.start);
      if (decorators.find(".option(") != std::string_view::npos) join(out, ofOption(binding.node, symbol.name));
    }
  }
  join(out, unknown());
  return out;
}

DeviceTerms DeviceEvaluator::ofResults(NodeId function) {
  const std::pair<const void*, std::string> slot{&tree_[function], "()"};
  if (!open_.insert(slot).second) return {};
  DeviceTerms out;
  const NodeId name = tree_.child(function, Field::Name);
  const std::string shown = name == kNoNode ? "" : std::string(module_.slice(name));
  for (NodeId value : index_.returnsOf(function)) {
    if (value == kNoNode) continue;
    DeviceTerms returned = of(value);
    addStep(returned, value, "returned by \"" + shown + "\"");
    join(out, std::move(returned));
  }
  open_.erase(slot);
  return out.empty() ? unknown() : out;
}

DeviceTerms DeviceEvaluator::ofAttribute(NodeId cls, const std::string& name) {
  const std::pair<const void*, std::string> slot{&tree_[cls], name};
  if (!open_.insert(slot).second) return {};
  DeviceTerms out;
  bool found = false;
  if (const auto* bindings = index_.attribute(cls, name)) {
    found = true;
    for (const AttributeBinding& binding : *bindings) {
      DeviceTerms given = binding.value == kNoNode ? unknown() : of(binding.value);
      addStep(given, binding.node, "assigned to \"" + std::string(module_.slice(binding.node).substr(0, 80)) + "\"");
      join(out, std::move(given));
    }
  }
  const NodeId body = tree_.child(cls, Field::Body);
  const auto& symbols = module_.scopes()[body == kNoNode ? 0 : module_.scopeOf(body)].symbols;
  if (const auto in_body = symbols.find(name); body != kNoNode && in_body != symbols.end()) {
    found = true;
    const NodeId property = index_.method(cls, name);
    if (property != kNoNode && index_.isProperty(property)) {
      join(out, ofResults(property));
    } else {
      join(out, ofSymbol(module_.symbols()[in_body->second]));
      // Fields of a dataclass take what its constructor calls give.
      for (NodeId call : index_.callsOf(cls)) {
        const NodeId value = keywordValue(module_, call, name);
        if (value == kNoNode || budget_ < 0) continue;
        DeviceTerms given = of(value);
        addStep(given, call, "passed as \"" + name + "\"");
        join(out, std::move(given));
      }
    }
  }
  for (NodeId base : index_.bases(cls)) {
    if (found || budget_ < 0) break;
    const NodeId definition = tree_.is(base, Kind::Identifier) ? index_.definitionOf(base) : kNoNode;
    if (tree_.is(definition, Kind::ClassDefinition)) {
      DeviceTerms inherited = ofAttribute(definition, name);
      found = !inherited.empty();
      join(out, std::move(inherited));
      continue;
    }
    const std::string qualified = module_.qualifiedName(base);
    if (qualified.ends_with("LightningModule") || qualified.ends_with("DiffusionPipeline")) {
      found = true;
      join(out, single(Device::Accelerator, base, "the device that Lightning gives"));
    } else if (!qualified.empty() && !qualified.starts_with("torch.")) {
      found = true;
      join(out, named(qualified + "." + name, base));
    }
  }
  open_.erase(slot);
  return out;
}

bool DeviceEvaluator::isOptions(NodeId object) const {
  object = tree_.unparenthesized(object);
  if (tree_.is(object, Kind::Attribute)) {
    const NodeId name = tree_.child(object, Field::Attribute);
    return name != kNoNode && isOptionsName(module_.slice(name));
  }
  if (tree_.is(object, Kind::Subscript)) return isOptions(tree_.child(object, Field::Value));
  if (!tree_.is(object, Kind::Identifier)) return false;
  const NodeId value = module_.assignedValue(object);
  if (tree_.is(value, Kind::Call)) {
    const std::string_view method = methodName(module_, value);
    if (method == "parse_args" || method == "parse_args_into_dataclasses" || method == "parse_known_args") return true;
  }
  return isOptionsName(module_.slice(object));
}

DeviceTerms DeviceEvaluator::ofOption(NodeId at, std::string_view dest) {
  DeviceTerms out = single(Device::FromConfig, at, "decided by arguments or configuration");
  if (const std::vector<Option>* options = index_.option(dest)) {
    for (const Option& option : *options) {
      if (option.value == kNoNode) continue;
      DeviceTerms given = of(option.value);
      std::erase_if(given, [](const DeviceTerm& t) { return t.device == Device::Unknown && t.name.empty(); });
      addStep(given, option.call, "default of option \"" + std::string(dest) + "\"");
      join(out, std::move(given));
    }
  }
  return out;
}

DeviceTerms DeviceEvaluator::ofConfig(NodeId at, NodeId fallback) {
  DeviceTerms out = single(Device::FromConfig, at, "decided by arguments, environment or configuration");
  if (fallback == kNoNode) return out;
  DeviceTerms given = of(fallback);
  std::erase_if(given, [](const DeviceTerm& t) { return t.device == Device::Unknown && t.name.empty(); });
  join(out, std::move(given));
  return out;
}

DeviceTerms DeviceEvaluator::ofAttributeNode(NodeId id) {
  const NodeId object = tree_.child(id, Field::Object), name_node = tree_.child(id, Field::Attribute);
  if (object == kNoNode || name_node == kNoNode) return unknown();
  const std::string name(module_.slice(name_node));
  const std::string qualified = module_.qualifiedName(id);
  if (!qualified.empty()) {
    if (qualified.starts_with("torch.")) return unknown();
    if (qualified == "absl.flags.FLAGS." + name) return ofOption(id, name);
    return named(qualified, id);
  }
  if (name == "type") return of(object);
  const InstanceOf owner = index_.instanceOf(object);
  if (owner.cls != kNoNode) {
    DeviceTerms out = ofAttribute(owner.cls, name);
    if (!out.empty()) return out;
  }
  if (name == "device" && isDeviceKeeper(owner.imported))
    return single(Device::Accelerator, id, "the device that Accelerate gives");
  const bool is_options = isOptions(object);
  if (!owner.imported.empty() && !owner.imported.starts_with("torch.") && !owner.imported.starts_with("argparse.")) {
    // What holds when the class is none of the project's.
    DeviceTerms out = named(owner.imported + "." + name, id);
    out.back().device = is_options ? Device::FromConfig : name == "device" ? Device::SameAs : Device::Unknown;
    return out;
  }
  if (is_options) return ofOption(id, name);
  if (name == "device") return single(Device::SameAs, id, "the device of another value");
  return unknown();
}

DeviceTerms DeviceEvaluator::ofTorchDevice(NodeId call) {
  const std::vector<Argument> arguments = argumentsOf(module_, call);
  DeviceTerms out;
  int index = -1;
  bool indexed = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (argument.name.starts_with("*")) return unknown();
    if (argument.name == "index" || (argument.name.empty() && i == 1)) {
      const std::string_view text = module_.slice(argument.value);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
      if (error != std::errc() || end != text.data() + text.size()) index = -1;
      indexed = true;
    } else if (tree_.is(argument.value, Kind::Integer)) {
      out = single(Device::Cuda, call, "a CUDA device by number");
      const std::string_view text = module_.slice(argument.value);
      std::from_chars(text.data(), text.data() + text.size(), out[0].index);
    } else {
      out = of(argument.value);
    }
  }
  if (indexed)
    for (DeviceTerm& term : out)
      if (term.device == Device::Cuda) term.index = index;
  return out;
}

DeviceTerms DeviceEvaluator::ofCall(NodeId id) {
  const NodeId callee = tree_.child(id, Field::Function);
  const std::string name = module_.qualifiedName(callee);
  const auto argument = [&](std::size_t position) {
    const std::vector<Argument> all = argumentsOf(module_, id);
    return position < all.size() && all[position].name.empty() ? all[position].value : kNoNode;
  };
  if (name == "torch.device") return ofTorchDevice(id);
  if (isAcceleratorCall(name)) return single(Device::Accelerator, id, "the current accelerator");
  if (name == "torch.cuda.current_device") return single(Device::Cuda, id, "the current CUDA device");
  if (name == "os.getenv" || name == "os.environ.get") return ofConfig(id, argument(1));
  if (bool from_outside = false; isField(name, from_outside)) {
    NodeId value = keywordValue(module_, id, "default");
    if (value == kNoNode && !name.ends_with(".field")) value = argument(0);
    if (from_outside) return ofConfig(id, value);
    return value == kNoNode ? unknown() : of(value);
  }
  if (!name.empty()) {
    if (name.starts_with("torch.")) return unknown();
    return named(name + "()", id);
  }
  if (tree_.is(callee, Kind::Identifier)) {
    const std::string_view plain = module_.slice(callee);
    if (plain == "str" && !module_.symbolOf(callee)) return of(argument(0));
    if (plain == "getattr" && !module_.symbolOf(callee)) {
      const NodeId object = argument(0);
      if (object != kNoNode && isOptions(object)) return ofConfig(id, argument(2));
      return argument(2) == kNoNode ? unknown() : ofConfig(id, argument(2));
    }
    const NodeId definition = index_.definitionOf(callee);
    if (tree_.is(definition, Kind::FunctionDefinition)) return ofResults(definition);
    return unknown();
  }
  const std::string_view method = methodName(module_, id);
  const NodeId receiver = receiverOf(module_, id);
  if (method == "format" && tree_.is(receiver, Kind::String) && leadingText(module_, receiver).starts_with("cuda:"))
    return single(Device::Cuda, id, "a CUDA device by number");
  const InstanceOf owner = receiver == kNoNode ? InstanceOf{} : index_.instanceOf(receiver);
  if (owner.cls != kNoNode) {
    const NodeId called = index_.method(owner.cls, method);
    if (called != kNoNode) return ofResults(called);
  }
  if ((method == "get" || method == "pop" || method == "setdefault") && literalText(module_, argument(0)))
    return isOptions(receiver) || argument(1) != kNoNode ? ofConfig(id, argument(1)) : unknown();
  if (method == "get_device") return single(Device::SameAs, id, "the device of another value");
  return unknown();
}

DeviceTerms DeviceEvaluator::ofSubscript(NodeId id) {
  const NodeId object = tree_.child(id, Field::Value), key = tree_.child(id, Field::Subscript);
  if (object == kNoNode || key == kNoNode) return unknown();
  if (module_.qualifiedName(object) == "os.environ") return ofConfig(id, kNoNode);
  const auto word = literalText(module_, key);
  if (!word) return unknown();
  const NodeId value = tree_.is(object, Kind::Identifier) ? module_.assignedValue(object) : kNoNode;
  if (tree_.is(value, Kind::Dictionary)) {
    for (NodeId pair : tree_.children(value)) {
      const std::vector<NodeId> sides = tree_.children(pair);
      if (!tree_.is(pair, Kind::Pair) || sides.size() != 2 || literalText(module_, sides[0]) != word) continue;
      DeviceTerms out = of(sides[1]);
      addStep(out, pair, "kept under \"" + *word + "\"");
      join(out, unknown());  // the dictionary may be changed
      return out;
    }
  }
  return isOptions(object) ? ofOption(id, *word) : unknown();
}

}  // namespace np::analyzer::python
