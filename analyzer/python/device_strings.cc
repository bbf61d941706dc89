// Classifies each "cuda" by the node around it. The order of the questions matters only where one node answers two of
// them: our own fallback before torch.device, keyword names before callees.

#include "analyzer/python/device_strings.h"

#include <algorithm>
#include <charconv>

#include "analyzer/python/calls.h"
#include "analyzer/python/strings.h"
#include "analyzer/python/value_types.h"

namespace np::analyzer::python {
namespace {

bool isDeviceName(std::string_view name) {
  return name == "device" || name == "dev" || name == "DEVICE" || name.ends_with("_device") ||
         name.starts_with("device_") || name.ends_with("_DEVICE");
}

// `device.startswith("cuda:")`, `"cuda:" in device`, `device.removeprefix("cuda:")`
bool isAsked(const Module& module, NodeId literal) {
  const SyntaxTree& tree = module.tree();
  const NodeId parent = tree[literal].parent;
  if (tree.is(parent, Kind::ComparisonOperator)) return true;
  const NodeId call = tree.is(parent, Kind::ArgumentList) ? tree[parent].parent : kNoNode;
  const std::string_view method = methodName(module, call);
  for (std::string_view asks : {"startswith", "find", "index", "count", "split", "replace", "removeprefix", "partition",
                                "rsplit", "strip", "lstrip"})
    if (method == asks) return true;
  return false;
}

// Fills form and index; false when the literal names no CUDA device.
bool readForm(const Module& module, DeviceString& out) {
  const SyntaxTree& tree = module.tree();
  out.whole = out.node;
  const std::optional<std::string> text = literalText(module, out.node);
  if (!text) {
    out.form = DeviceForm::Formatted;
    return tree.is(out.node, Kind::String) && hasHoles(module, out.node) && leadingText(module, out.node) == "cuda:";
  }
  if (*text == "cuda") return true;
  if (!text->starts_with("cuda:")) return false;
  const std::string_view rest = std::string_view(*text).substr(5);
  const NodeId parent = tree[out.node].parent;
  if (rest.empty() && isAsked(module, out.node)) {
    out.form = DeviceForm::Formatted;
    return true;
  }
  if (rest.empty() || rest == "%d" || rest == "%s") {
    out.form = DeviceForm::Formatted;
    out.whole = parent;
    return tree.is(parent, Kind::BinaryOperator);
  }
  if (rest.starts_with("{")) {
    out.form = DeviceForm::Formatted;
    const NodeId call = tree[parent].parent;
    if (tree.is(parent, Kind::Attribute) && tree.is(call, Kind::Call) && methodName(module, call) == "format")
      out.whole = call;
    return true;
  }
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), out.index);
  out.form = DeviceForm::Indexed;
  return error == std::errc() && end == rest.data() + rest.size();
}

bool isFallback(const Module& module, NodeId device_call) {
  const SyntaxTree& tree = module.tree();
  const NodeId parent = tree[tree.withParentheses(device_call)].parent;
  if (!tree.is(parent, Kind::BooleanOperator)) return false;
  const NodeId left = tree.unparenthesized(tree.child(parent, Field::Left));
  return tree.is(left, Kind::Call) &&
         module.slice(left).find("accelerator.current_accelerator(") != std::string_view::npos;
}

bool isAutocast(std::string_view name) {
  return name == "torch.autocast" || name == "torch.amp.autocast" || name == "torch.amp.custom_fwd" ||
         name == "torch.amp.custom_bwd" || name == "torch.amp.autocast_mode.autocast";
}

bool isGradScaler(std::string_view name) { return name == "torch.amp.GradScaler" || name == "torch.GradScaler"; }

DeviceUse useOfKeyword(const Module& module, NodeId call, const std::string& keyword) {
  const std::string callee = module.calleeName(call);
  if (isGradScaler(callee)) return DeviceUse::OtherArgument;
  if (isAutocast(callee) || (keyword == "device_type" && callee.starts_with("torch."))) return DeviceUse::Autocast;
  if (keyword == "map_location") return DeviceUse::MapLocation;
  if (keyword == "pin_memory_device") return DeviceUse::PinMemory;
  if (keyword == "default" && methodName(module, call) == "add_argument") return DeviceUse::CommandLine;
  if (keyword == "device") {
    if (takesDevice(callee)) return DeviceUse::FactoryKeyword;
    if (methodName(module, call) == "to" && callee.empty()) return DeviceUse::ToArgument;
    return DeviceUse::DeviceKeyword;
  }
  return isDeviceName(keyword) ? DeviceUse::DeviceKeyword : DeviceUse::OtherArgument;
}

DeviceUse useOfArgument(const Module& module, NodeId call, NodeId value) {
  const std::string callee = module.calleeName(call);
  const bool first = isFirstArgument(module, call, value);
  if (first && callee == "torch.device") return isFallback(module, call) ? DeviceUse::Fallback : DeviceUse::TorchDevice;
  if (first && isAutocast(callee)) return DeviceUse::Autocast;
  if (first && callee == "torch.set_default_device") return DeviceUse::DefaultDevice;
  if (first && callee.ends_with(".init_device_mesh")) return DeviceUse::DeviceMesh;
  if (!callee.empty()) return DeviceUse::OtherArgument;
  const std::string_view method = methodName(module, call);
  if (first && method == "to") return DeviceUse::ToArgument;
  if (method == "startswith" || method == "find" || method == "count") return DeviceUse::Comparison;
  return DeviceUse::OtherArgument;
}

void classify(const Module& module, DeviceString& out) {
  const SyntaxTree& tree = module.tree();
  const NodeId outer = tree.withParentheses(out.whole);
  const NodeId parent = tree[outer].parent;
  out.holder = parent;
  switch (tree.kind(parent)) {
    case Kind::KeywordArgument: {
      const NodeId name = tree.child(parent, Field::Name);
      out.name = name == kNoNode ? "" : std::string(module.slice(name));
      const NodeId call = tree[tree[parent].parent].parent;
      out.holder = call;
      out.use = tree.is(call, Kind::Call) ? useOfKeyword(module, call, out.name) : DeviceUse::OtherArgument;
      return;
    }
    case Kind::ArgumentList: {
      const NodeId call = tree[parent].parent;
      out.holder = call;
      if (!tree.is(call, Kind::Call)) return;
      out.use = useOfArgument(module, call, outer);
      const NodeId callee = tree.child(call, Field::Function);
      if (callee != kNoNode) out.name = std::string(module.slice(callee));
      // `x.device == torch.device("cuda")` asks rather than places.
      const NodeId around = tree[tree.withParentheses(call)].parent;
      if (out.use == DeviceUse::TorchDevice && tree.is(around, Kind::ComparisonOperator)) {
        out.use = DeviceUse::Comparison;
        out.whole = call;
        out.holder = around;
      }
      return;
    }
    case Kind::ComparisonOperator:
      out.use = DeviceUse::Comparison;
      return;
    case Kind::ConditionalExpression:
      out.use = DeviceUse::Choice;
      return;
    case Kind::DefaultParameter:
    case Kind::TypedDefaultParameter: {
      out.use = DeviceUse::Default;
      const NodeId name = tree.child(parent, Field::Name);
      if (name != kNoNode) out.name = std::string(module.slice(name));
      return;
    }
    case Kind::Assignment: {
      out.use = DeviceUse::Assigned;
      const NodeId left = tree.child(parent, Field::Left);
      if (left != kNoNode) out.name = std::string(module.slice(left));
      return;
    }
    case Kind::ReturnStatement:
      out.use = DeviceUse::Returned;
      return;
    default:
      // `x in ("cuda", "xpu")` compares; any other collection is data.
      if (tree.is(parent, Kind::Tuple) || tree.is(parent, Kind::List) || tree.is(parent, Kind::Set)) {
        const NodeId around = tree[tree.withParentheses(parent)].parent;
        if (tree.is(around, Kind::ComparisonOperator)) {
          out.use = DeviceUse::Comparison;
          out.holder = around;
        }
      }
      return;
  }
}

enum class NameUse { Device, DeviceElsewhere, Other };

NameUse useOfName(const Module& module, NodeId reference) {
  const SyntaxTree& tree = module.tree();
  const NodeId outer = tree.withParentheses(reference);
  const NodeId parent = tree[outer].parent;
  NodeId call = kNoNode;
  std::string keyword;
  if (tree.is(parent, Kind::KeywordArgument)) {
    const NodeId name = tree.child(parent, Field::Name);
    if (name != kNoNode) keyword = std::string(module.slice(name));
    call = tree[tree[parent].parent].parent;
  } else if (tree.is(parent, Kind::ArgumentList)) {
    call = tree[parent].parent;
  }
  if (!tree.is(call, Kind::Call)) return NameUse::Other;
  const DeviceUse use = keyword.empty() ? useOfArgument(module, call, outer) : useOfKeyword(module, call, keyword);
  switch (use) {
    case DeviceUse::TorchDevice:
    case DeviceUse::FactoryKeyword:
    case DeviceUse::ToArgument:
    case DeviceUse::MapLocation:
    case DeviceUse::DefaultDevice:
    case DeviceUse::Autocast:
      return NameUse::Device;
    case DeviceUse::DeviceKeyword:
      return NameUse::DeviceElsewhere;
    default:
      return NameUse::Other;
  }
}

}  // namespace

std::vector<DeviceString> findDeviceStrings(const Module& module) {
  const SyntaxTree& tree = module.tree();
  std::vector<DeviceString> out;
  for (NodeId id = 0; id < tree.nodes().size(); ++id) {
    if (!tree.is(id, Kind::String) || tree.is(tree[id].parent, Kind::ConcatenatedString)) continue;
    if (module.slice(id).find("cuda") == std::string_view::npos || isDocstring(module, id)) continue;
    DeviceString found;
    found.node = id;
    if (!readForm(module, found)) continue;
    classify(module, found);
    out.push_back(std::move(found));
    if (out.size() == kMostDeviceStrings) break;
  }
  return out;
}

DeviceString useOfValue(const Module& module, NodeId expression) {
  DeviceString out;
  out.node = out.whole = expression;
  classify(module, out);
  return out;
}

bool onlyUsedAsDevice(const Module& module, NodeId identifier) {
  const Symbol* symbol = module.symbolOf(identifier);
  if (!symbol || symbol->bindings.size() != 1) return false;
  return std::all_of(symbol->references.begin(), symbol->references.end(),
                     [&](NodeId reference) { return useOfName(module, reference) == NameUse::Device; });
}

bool usedAsDevice(const Module& module, NodeId identifier) {
  if (isDeviceName(module.slice(identifier))) return true;
  const Symbol* symbol = module.symbolOf(identifier);
  if (!symbol) return false;
  return std::any_of(symbol->references.begin(), symbol->references.end(),
                     [&](NodeId reference) { return useOfName(module, reference) != NameUse::Other; });
}

}  // namespace np::analyzer::python
