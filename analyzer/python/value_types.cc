// Positive lists only: what is not known to be a tensor or a module stays Unknown, and a fix that relies on it is
// unsafe.

#include "analyzer/python/value_types.h"

#include <algorithm>
#include <array>

#include "analyzer/python/calls.h"

namespace np::analyzer::python {
namespace {

// Steps that one question may take: names bound to each other many times over must not cost exponential time.
constexpr int kMaxSteps = 64;

constexpr std::array<std::string_view, 34> kFactories = {"arange",
                                                         "as_tensor",
                                                         "asarray",
                                                         "bartlett_window",
                                                         "blackman_window",
                                                         "empty",
                                                         "empty_like",
                                                         "empty_strided",
                                                         "eye",
                                                         "full",
                                                         "full_like",
                                                         "hamming_window",
                                                         "hann_window",
                                                         "kaiser_window",
                                                         "linspace",
                                                         "logspace",
                                                         "normal",
                                                         "ones",
                                                         "ones_like",
                                                         "rand",
                                                         "rand_like",
                                                         "randint",
                                                         "randint_like",
                                                         "randn",
                                                         "randn_like",
                                                         "randperm",
                                                         "range",
                                                         "scalar_tensor",
                                                         "tensor",
                                                         "tril_indices",
                                                         "triu_indices",
                                                         "zeros",
                                                         "zeros_like",
                                                         "sparse_coo_tensor"};

constexpr std::array<std::string_view, 24> kTensorFunctions = {
    "from_numpy", "cat", "stack",   "matmul",  "mm",     "bmm",         "einsum",     "where",
    "exp",        "log", "sigmoid", "softmax", "tanh",   "sqrt",        "sum",        "mean",
    "clamp",      "abs", "gather",  "cumsum",  "Tensor", "FloatTensor", "LongTensor", "meshgrid"};

constexpr std::array<std::string_view, 46> kTensorMethods = {
    "abs",        "bool",      "byte",    "clamp",       "clone",
    "contiguous", "cpu",       "detach",  "double",      "exp",
    "expand",     "expand_as", "float",   "half",        "bfloat16",
    "int",        "log",       "long",    "masked_fill", "matmul",
    "mean",       "mul",       "permute", "repeat",      "requires_grad_",
    "reshape",    "sigmoid",   "softmax", "sqrt",        "squeeze",
    "sum",        "t",         "tanh",    "to",          "transpose",
    "type_as",    "unsqueeze", "view",    "view_as",     "cuda",
    "zero_",      "fill_",     "normal_", "uniform_",    "pin_memory",
    "flatten"};

constexpr std::array<std::string_view, 12> kModuleMethods = {
    "eval",   "train",    "half",  "float",          "to",          "cuda", "cpu",
    "double", "bfloat16", "apply", "requires_grad_", "share_memory"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

ValueType ofCallee(std::string_view name) {
  if (!name.starts_with("torch.")) return ValueType::Unknown;
  const std::string_view last = name.substr(name.rfind('.') + 1);
  if (name.starts_with("torch.nn.functional.")) return ValueType::Tensor;
  if (name == "torch.nn.Parameter" || name == "torch.nn.parameter.Parameter") return ValueType::Tensor;
  if (name.starts_with("torch.nn.") && !last.empty() && isUpper(last[0]) &&
      name.find(".utils.") == std::string_view::npos)
    return ValueType::NnModule;
  const bool top_level = name.find('.', 6) == std::string_view::npos;
  if (top_level && (contains(kFactories, last) || contains(kTensorFunctions, last)))
    return last == "meshgrid" ? ValueType::Unknown : ValueType::Tensor;
  return ValueType::Unknown;
}

// A class of this file that derives from torch.nn.Module and does not replace `cuda` or `to`.
bool isModuleClass(const Module& module, NodeId definition, int& budget) {
  const SyntaxTree& tree = module.tree();
  if (--budget < 0 || !tree.is(definition, Kind::ClassDefinition)) return false;
  const NodeId body = tree.child(definition, Field::Body);
  for (NodeId statement : tree.children(body)) {
    if (tree.is(statement, Kind::DecoratedDefinition)) statement = tree.child(statement, Field::Definition);
    const NodeId name = tree.is(statement, Kind::FunctionDefinition) ? tree.child(statement, Field::Name) : kNoNode;
    if (name != kNoNode &&
        (module.slice(name) == "cuda" || module.slice(name) == "to" || module.slice(name) == "__new__"))
      return false;
  }
  for (NodeId base : tree.children(tree.child(definition, Field::Superclasses))) {
    const std::string name = module.qualifiedName(base);
    if (name == "torch.nn.Module" || name == "torch.nn.modules.Module" || ofCallee(name) == ValueType::NnModule)
      return true;
    const Symbol* symbol = tree.is(base, Kind::Identifier) ? module.symbolOf(base) : nullptr;
    if (symbol && symbol->bindings.size() == 1 && isModuleClass(module, symbol->bindings[0].value, budget)) return true;
  }
  return false;
}

ValueType ofAnnotation(const Module& module, NodeId type) {
  const NodeId name = module.tree().is(type, Kind::TypeNode) ? module.tree().firstChild(type) : type;
  const std::string qualified = module.qualifiedName(name);
  if (qualified == "torch.Tensor" || qualified == "torch.nn.Parameter") return ValueType::Tensor;
  if (qualified == "torch.nn.Module") return ValueType::NnModule;
  return ValueType::Unknown;
}

ValueType ofExpression(const Module& module, NodeId id, int& budget);

ValueType ofName(const Module& module, NodeId id, int& budget) {
  const SyntaxTree& tree = module.tree();
  const Symbol* symbol = module.symbolOf(id);
  if (!symbol || symbol->bindings.empty()) return ValueType::Unknown;
  ValueType type = ValueType::Unknown;
  for (const Binding& binding : symbol->bindings) {
    ValueType here = ValueType::Unknown;
    if (binding.kind == BindingKind::Assignment && binding.value != kNoNode) {
      if (tree.inside(id, binding.value) && symbol->bindings.size() > 1) continue;  // `x = x.cuda()`: says nothing new
      here = ofExpression(module, binding.value, budget);
    } else if (binding.kind == BindingKind::Parameter) {
      const NodeId parameter = tree[binding.node].parent;
      here = ofAnnotation(module, tree.child(parameter, Field::Type));
    }
    if (here == ValueType::Unknown || (type != ValueType::Unknown && here != type)) return ValueType::Unknown;
    type = here;
  }
  return type;
}

ValueType ofExpression(const Module& module, NodeId id, int& budget) {
  const SyntaxTree& tree = module.tree();
  if (id == kNoNode || --budget < 0) return ValueType::Unknown;
  id = tree.unparenthesized(id);
  if (tree.is(id, Kind::Identifier)) return ofName(module, id, budget);
  if (!tree.is(id, Kind::Call)) return ValueType::Unknown;

  const NodeId callee = tree.child(id, Field::Function);
  const std::string name = module.qualifiedName(callee);
  if (!name.empty()) return ofCallee(name);
  if (tree.is(callee, Kind::Identifier)) {
    const Symbol* symbol = module.symbolOf(callee);
    if (symbol && symbol->bindings.size() == 1 && isModuleClass(module, symbol->bindings[0].value, budget))
      return ValueType::NnModule;
    return ValueType::Unknown;
  }
  const std::string_view method = methodName(module, id);
  if (method.empty() || !(contains(kTensorMethods, method) || contains(kModuleMethods, method)))
    return ValueType::Unknown;
  const ValueType receiver = ofExpression(module, receiverOf(module, id), budget);
  if (receiver == ValueType::Tensor && contains(kTensorMethods, method)) return receiver;
  if (receiver == ValueType::NnModule && contains(kModuleMethods, method)) return receiver;
  return ValueType::Unknown;
}

}  // namespace

ValueType valueType(const Module& module, NodeId expression) {
  int budget = kMaxSteps;
  return ofExpression(module, expression, budget);
}

bool takesDevice(std::string_view name) {
  if (!name.starts_with("torch.")) return false;
  const std::string_view last = name.substr(name.rfind('.') + 1);
  const bool top_level = name.find('.', 6) == std::string_view::npos;
  if (top_level && contains(kFactories, last)) return true;
  return name.starts_with("torch.nn.") && !last.empty() && isUpper(last[0]) &&
         name.find("parallel") == std::string_view::npos && name.find(".utils.") == std::string_view::npos;
}

}  // namespace np::analyzer::python
