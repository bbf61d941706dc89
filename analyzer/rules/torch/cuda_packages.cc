// Names are followed through the project only where the imported name is one that such packages are known by: every
// other import would have each file of a project parsed twice.

#include "analyzer/rules/torch/cuda_packages.h"

#include <algorithm>
#include <array>

#include "analyzer/python/gpu_code.h"
#include "analyzer/python/project_names.h"
#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

// Names under which CUDA-only functions are handed on; modules of the table count as well.
constexpr std::array<std::string_view, 22> kHandedOn = {"flash_attn_func",
                                                        "flash_attn_varlen_func",
                                                        "flash_attn_unpadded_func",
                                                        "flash_attn_qkvpacked_func",
                                                        "flash_attn_varlen_qkvpacked_func",
                                                        "flash_attn_with_kvcache",
                                                        "memory_efficient_attention",
                                                        "selective_scan_fn",
                                                        "selective_state_update",
                                                        "causal_conv1d_fn",
                                                        "causal_conv1d_update",
                                                        "mamba_inner_fn",
                                                        "pad_input",
                                                        "unpad_input",
                                                        "index_first_axis",
                                                        "FusedAdam",
                                                        "FusedLayerNorm",
                                                        "FusedRMSNorm",
                                                        "bnb",
                                                        "xops",
                                                        "tl",
                                                        "amp"};

std::string topOf(std::string_view name) { return std::string(name.substr(0, name.find('.'))); }

// ".compat.flash_attn_func.x": some part of it is a name that such packages are known by.
bool mayBeHandedOn(const RuleInput& input, std::string_view name) {
  while (!name.empty()) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string_view part = name.substr(0, dot);
    if (std::find(kHandedOn.begin(), kHandedOn.end(), part) != kHandedOn.end()) return true;
    if (!part.empty() && input.table.packages().contains(part)) return true;
    name.remove_prefix(std::min(dot + 1, name.size()));
  }
  return false;
}

// `__import__`, and the helpers that projects write around it: try_import, optional_import, pytest.importorskip.
bool importsByName(std::string_view callee) {
  const auto dot = callee.rfind('.');
  if (dot != std::string_view::npos) callee.remove_prefix(dot + 1);
  while (callee.starts_with('_')) callee.remove_prefix(1);
  while (callee.ends_with('_')) callee.remove_suffix(1);
  return callee == "import" || callee == "importorskip" || callee == "import_module" || callee == "import_or_none" ||
         callee.ends_with("_import") || callee.ends_with("_import_module");
}

}  // namespace

bool isOwnModule(const RuleInput& input, std::string_view module) {
  if (module.starts_with(".")) return true;
  const std::string top = topOf(module);
  if (input.own_modules.contains(top)) return true;
  if (!input.project) return false;
  const std::string& from = input.module.text().path();
  const std::string file = input.project->fileOf(from, top);
  if (file.empty()) return false;
  // In "pkg/ops/triton/__init__.py", beside the importing file of a package: not what `import triton` means.
  const std::size_t end = file.rfind('/' + top);
  const std::string root = end == std::string::npos ? "" : file.substr(0, end);
  return root.empty() || input.project->fileOf(root + "/_.py", ".").empty();
}

const CudaPackage* cudaPackageOf(const RuleInput& input, const std::string& name) {
  const CudaPackage* package = input.table.package(name);
  if (package && !isOwnModule(input, name)) return package;
  const bool inside =
      name.starts_with('.') || (input.project && mayBeHandedOn(input, name) && isOwnModule(input, name));
  if (!inside || !input.project || !mayBeHandedOn(input, name)) return nullptr;
  const std::string outside = input.project->canonicalName(input.module.text().path(), name);
  if (outside == name || outside.starts_with('.')) return nullptr;
  package = input.table.package(outside);
  return package && !isOwnModule(input, outside) ? package : nullptr;
}

std::string importedByCall(const python::Module& module, NodeId expression) {
  const python::SyntaxTree& tree = module.tree();
  if (!tree.is(expression, Kind::Call)) return "";
  const NodeId callee = tree.child(expression, Field::Function);
  if (!importsByName(module.slice(callee)) && module.calleeName(expression) != "importlib.import_module") return "";
  const NodeId first = tree.firstChild(tree.child(expression, Field::Arguments));
  const std::string name = first == kNoNode ? "" : python::literalText(module, first).value_or("");
  return name.starts_with('.') ? "" : name;
}

std::string importedInto(const python::Module& module, const python::Binding& binding) {
  if (binding.kind != python::BindingKind::Assignment) return "";
  if (binding.value != kNoNode) return importedByCall(module, binding.value);
  // `module, error = try_import("name")`
  const python::SyntaxTree& tree = module.tree();
  const NodeId pattern = tree[binding.node].parent;
  const NodeId assignment = pattern == kNoNode ? kNoNode : tree[pattern].parent;
  const bool is_first = (tree.is(pattern, Kind::PatternList) || tree.is(pattern, Kind::TuplePattern)) &&
                        tree.firstChild(pattern) == binding.node && tree.is(assignment, Kind::Assignment);
  return is_first ? importedByCall(module, tree.child(assignment, Field::Right)) : "";
}

bool namesCudaExtension(std::string_view name) {
  return name.ends_with("_cuda") || name.ends_with("_cuda_lib") || name.ends_with("_cuda_ext") ||
         name.ends_with("_cuda_extension");
}

bool isPythonModule(const RuleInput& input, std::string_view module) {
  if (input.project) return input.project->defines(input.module.text().path(), module);
  return module.starts_with(".") || input.own_modules.contains(topOf(module));
}

DeviceCode::DeviceCode(const RuleInput& input) : input_(input) {
  const python::SyntaxTree& tree = input.module.tree();
  for (const python::Symbol& symbol : input.module.symbols())
    for (const python::Binding& binding : symbol.bindings)
      if (binding.kind == python::BindingKind::Function && python::isGpuFunction(input.module, binding.value))
        functions_.push_back(binding.value);
  // `kernel = triton.jit(function)`
  for (const python::ApiUse& use : input.uses) {
    if (use.call == kNoNode || !python::compilesForGpu(use.name)) continue;
    const NodeId first = tree.firstChild(tree.child(use.call, Field::Arguments));
    const python::Symbol* symbol = tree.is(first, Kind::Identifier) ? input.module.symbolOf(first) : nullptr;
    if (symbol && symbol->bindings.size() == 1 && symbol->bindings[0].kind == python::BindingKind::Function)
      functions_.push_back(symbol->bindings[0].value);
  }
}

bool DeviceCode::contains(NodeId node) const {
  return std::any_of(functions_.begin(), functions_.end(),
                     [&](NodeId function) { return input_.module.tree().inside(node, function); });
}

bool DeviceCode::names(NodeId expression) const {
  const python::SyntaxTree& tree = input_.module.tree();
  const python::Symbol* symbol = tree.is(expression, Kind::Identifier) ? input_.module.symbolOf(expression) : nullptr;
  if (symbol)
    for (const python::Binding& binding : symbol->bindings) {
      if (std::find(functions_.begin(), functions_.end(), binding.value) != functions_.end()) return true;
      if (tree.is(binding.value, Kind::Call) && python::compilesForGpu(input_.module.calleeName(binding.value)))
        return true;
    }
  const std::string name = input_.module.qualifiedName(expression);
  return !name.empty() && input_.project && input_.project->isGpuFunction(input_.module.text().path(), name);
}

}  // namespace np::analyzer
