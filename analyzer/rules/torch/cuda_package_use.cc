// NPT3205 cuda-package-use
//
// What a file does with a package that needs CUDA, after its import: calls, classes, constants, through whatever name
// the package was given (alias, attribute of self, a name that another file of the project hands on), and through
// compiled CUDA extensions. One finding a line. Code inside a kernel is the kernel's; testing whether the package is
// there is no use of it. A name that has another meaning where the package is missing is no use either: the program has
// its own way without CUDA.

#include <algorithm>
#include <array>
#include <map>

#include "analyzer/python/gpu_code.h"
#include "analyzer/rules/torch/cuda_packages.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Binding;
using python::BindingKind;
using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

struct Advice {
  std::string_view name, instead;
};

// More than the package's own line says.
constexpr std::array<Advice, 14> kAdvice = {{
    {"triton.cdiv", "plain arithmetic: -(-a // b)"},
    {"triton.next_power_of_2", "plain arithmetic: 1 << (n - 1).bit_length()"},
    {"triton.testing", "time with torch.accelerator.synchronize() before and after"},
    {"triton.Config", "nothing: it tunes a Triton kernel"},
    {"triton.language", "a dtype of torch or of NKI"},
    {"triton.runtime", "nothing: it is Triton's run time"},
    {"apex.amp.scale_loss", "loss.backward() under torch.autocast in bfloat16"},
    {"apex.amp.initialize", "torch.autocast in bfloat16, which needs no loss scaling"},
    {"apex.amp.master_params", "model.parameters()"},
    {"apex.optimizers", "the optimizers of torch.optim"},
    {"apex.normalization", "torch.nn.LayerNorm and torch.nn.RMSNorm"},
    {"apex.parallel", "torch.nn.parallel.DistributedDataParallel and torch.nn.SyncBatchNorm"},
    {"bitsandbytes.optim", "the optimizers of torch.optim"},
    {"bitsandbytes.nn", "torch.nn.Linear and torch.nn.Embedding in bfloat16"},
}};

std::string insteadOf(const std::string& name, const CudaPackage& package) {
  for (const Advice& advice : kAdvice)
    if (name == advice.name || name.starts_with(std::string(advice.name) + ".")) return std::string(advice.instead);
  return package.instead;
}

// The longest attribute chain on an expression.
NodeId chainAround(const RuleInput& input, NodeId id) {
  const python::SyntaxTree& tree = input.module.tree();
  while (tree.is(tree[id].parent, Kind::Attribute) && tree[id].field == Field::Object) id = tree[id].parent;
  return id;
}

// Whether a bare name stands where the thing itself is used: called, subclassed, handed to a call. In a test, a return
// or an assignment it only travels.
bool isUsed(const RuleInput& input, NodeId name) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId parent = tree[tree.withParentheses(name)].parent;
  if (tree.is(parent, Kind::Call) || tree.is(parent, Kind::Decorator)) return true;
  const bool argument = tree.is(parent, Kind::ArgumentList) || tree.is(parent, Kind::KeywordArgument);
  if (!argument) return false;
  NodeId list = tree.is(parent, Kind::KeywordArgument) ? tree[parent].parent : parent;
  const std::string callee = textOf(input, tree.child(tree[list].parent, Field::Function));
  return callee != "callable" && callee != "bool" && callee != "print";
}

// `except ImportError: def flash_attn_func(*a): raise …` stands in for the package without doing its work.
bool onlyRaises(const RuleInput& input, NodeId definition) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId body = tree.child(definition, Field::Body);
  if (body == kNoNode) return false;
  for (NodeId statement : tree.children(body)) {
    if (tree.is(statement, Kind::RaiseStatement) || tree.is(statement, Kind::PassStatement)) continue;
    if (tree.is(statement, Kind::ExpressionStatement) && tree.is(tree.firstChild(statement), Kind::String)) continue;
    return false;
  }
  return true;
}

class Uses {
 public:
  Uses(const RuleInput& input, FileFindings& out) : input_(input), out_(out), device_code_(input) {}

  void find() {
    for (const python::ApiUse& use : input_.uses) byName(use);
    for (const python::Symbol& symbol : input_.module.symbols()) byAlternatives(symbol);
    findHeld();
    for (NodeId id : input_.attributes) byHeld(id);
    extensionCalls();
    launches();
  }

 private:
  // One finding a line and package.
  void report(NodeId node, const std::string& name, const CudaPackage& package) {
    if (package.severity != Severity::Error || out_.full() || device_code_.contains(node)) return;
    const auto line = input_.module.text().position(input_.module.tree()[node].range.start).line;
    if (!lines_.emplace(line, package.module).second) return;
    Finding& finding =
        out_.add("NPT3205", node, textOf(input_, node),
                 "needs \"" + package.module + "\", which needs CUDA; on neuron: " + insteadOf(name, package));
    finding.evidence = package.evidence;
    if (insideTry(input_, node)) finding.severity = Severity::Hint;
  }

  const CudaPackage* packageOf(const std::string& name) {
    const auto [known, is_new] = packages_.emplace(name, nullptr);
    if (is_new) known->second = cudaPackageOf(input_, name);
    return known->second;
  }

  void byName(const python::ApiUse& use) {
    const CudaPackage* package = packageOf(use.name);
    if (!package) return;
    const python::SyntaxTree& tree = input_.module.tree();
    if (python::compilesForGpu(use.name) && tree.ancestor(use.node, Kind::Decorator) != kNoNode) return;  // NPT3202
    const bool bare = tree.is(use.node, Kind::Identifier);
    if (bare && !isUsed(input_, use.node)) return;
    report(use.node, use.name, *package);
  }

  // The package behind a name that is bound several times: every meaning is one of it, or none at all.
  const CudaPackage* packageOf(const python::Symbol& symbol, std::string& name) {
    const CudaPackage* package = nullptr;
    for (const Binding& binding : symbol.bindings) {
      std::string meaning;
      if (binding.kind == BindingKind::Import) {
        meaning = binding.path;
      } else if (binding.kind == BindingKind::Assignment && input_.module.tree().is(binding.value, Kind::None)) {
        continue;
      } else if (binding.kind == BindingKind::Assignment) {
        if (binding.value != kNoNode) meaning = input_.module.qualifiedName(binding.value);
        if (meaning.empty()) meaning = importedInto(input_.module, binding);
      } else if ((binding.kind == BindingKind::Function || binding.kind == BindingKind::Class) &&
                 onlyRaises(input_, binding.value)) {
        continue;
      }
      const CudaPackage* one = meaning.empty() ? nullptr : packageOf(meaning);
      if (!one) return nullptr;
      if (!package) package = one, name = meaning;
    }
    return package;
  }

  void byAlternatives(const python::Symbol& symbol) {
    if (symbol.references.empty() || symbol.bindings.empty()) return;
    if (!input_.module.qualifiedName(symbol.references.front()).empty()) return;  // byName has it
    const bool may_be = std::any_of(symbol.bindings.begin(), symbol.bindings.end(), [&](const Binding& binding) {
      return binding.kind == BindingKind::Import || !importedInto(input_.module, binding).empty();
    });
    std::string name;
    const CudaPackage* package = may_be ? packageOf(symbol, name) : nullptr;
    if (!package) return callsOfImported(symbol);
    for (NodeId reference : symbol.references) judge(reference, name, *package);
  }

  void judge(NodeId holder, const std::string& name, const CudaPackage& package) {
    const NodeId chain = chainAround(input_, holder);
    if (chain == holder && !isUsed(input_, chain)) return;
    const std::string_view held = input_.module.slice(holder), whole = input_.module.slice(chain);
    report(chain, name + std::string(whole.substr(std::min(held.size(), whole.size()))), package);
  }

  // `self.pynvml = pynvml`, `self.bnb = __import__("bitsandbytes")`; an attribute with another meaning is left alone.
  void findHeld() {
    const python::SyntaxTree& tree = input_.module.tree();
    std::map<std::string, bool> spoilt;
    for (NodeId id : input_.attributes) {
      const NodeId parent = tree[id].parent;
      if (!tree.is(parent, Kind::Assignment) || tree[id].field != Field::Left) continue;
      if (textOf(input_, tree.child(id, Field::Object)) != "self") continue;
      const NodeId value = tree.child(parent, Field::Right);
      if (value == kNoNode || tree.is(value, Kind::None)) continue;
      const std::string attribute = textOf(input_, tree.child(id, Field::Attribute));
      std::string name = input_.module.qualifiedName(value);
      if (name.empty()) name = importedByCall(input_.module, value);
      if (name.empty() || !packageOf(name)) {
        spoilt[attribute] = true;
        continue;
      }
      held_.emplace(attribute, name);
    }
    for (const auto& [attribute, is_spoilt] : spoilt) held_.erase(attribute);
  }

  void byHeld(NodeId id) {
    if (held_.empty()) return;
    const python::SyntaxTree& tree = input_.module.tree();
    if (textOf(input_, tree.child(id, Field::Object)) != "self") return;
    if (tree.is(tree[id].parent, Kind::Assignment) && tree[id].field == Field::Left) return;
    const auto found = held_.find(textOf(input_, tree.child(id, Field::Attribute)));
    if (found != held_.end()) judge(id, found->second, *packageOf(found->second));
  }

  bool isExtension(const std::string& path) const {
    const auto dot = path.rfind('.');
    const std::string_view last = std::string_view(path).substr(dot == std::string::npos ? 0 : dot + 1);
    return namesModule(input_, path, input_.cuda_modules) ||
           (namesCudaExtension(last) && !isPythonModule(input_, path));
  }

  // `_C` is what most projects call their extension, and most of those hold CUDA kernels.
  bool mayBeExtension(const std::string& path) const {
    return input_.imports_torch && (path == "_C" || path.ends_with("._C")) && !isPythonModule(input_, path);
  }

  // Calls through an extension that a call imports: `hash_cuda, error = try_import("hash_cuda")`.
  void callsOfImported(const python::Symbol& symbol) {
    if (symbol.bindings.size() != 1) return;
    const std::string module = importedInto(input_.module, symbol.bindings.front());
    if (module.empty() || !isExtension(module)) return;
    for (NodeId reference : symbol.references) {
      const NodeId chain = chainAround(input_, reference);
      const python::SyntaxTree& tree = input_.module.tree();
      if (chain != reference && tree[chain].field == Field::Function) extensionCall(chain, module, true);
    }
  }

  // Calls through a compiled extension: `hash_cuda.compute(…)`. A function that was imported from one is the project's
  // own by its name; its import is reported.
  void extensionCalls() {
    for (const python::ApiUse& use : input_.uses) {
      if (out_.full() || use.call == kNoNode || use.name.starts_with("torch.")) continue;
      if (!input_.module.tree().is(use.node, Kind::Attribute)) continue;
      const auto dot = use.name.rfind('.');
      if (dot == std::string::npos || dot == 0) continue;
      const std::string module = use.name.substr(0, dot);
      const bool is_cuda = isExtension(module);
      if (!is_cuda && !mayBeExtension(module)) continue;
      extensionCall(use.node, module, is_cuda);
    }
  }

  void extensionCall(NodeId callee, const std::string& module, bool is_cuda) {
    const auto line = input_.module.text().position(input_.module.tree()[callee].range.start).line;
    if (out_.full() || !lines_.emplace(line, module).second) return;
    Finding& finding = out_.add("NPT3205", callee, textOf(input_, callee),
                                is_cuda ? "calls a compiled CUDA extension; port its kernels or use an op of torch"
                                        : "calls a compiled extension; see whether its kernels need CUDA");
    if (!is_cuda) finding.severity = Severity::Hint;
  }

  // `kernel[grid](…)`
  void launches() {
    const python::SyntaxTree& tree = input_.module.tree();
    for (NodeId call : input_.calls) {
      const NodeId callee = tree.child(call, Field::Function);
      if (out_.full() || !tree.is(callee, Kind::Subscript)) continue;
      const NodeId kernel = tree.child(callee, Field::Value);
      if (device_code_.contains(call) || !isKernel(callee, kernel)) continue;
      out_.add("NPT3205", callee, textOf(input_, callee),
               "launches a GPU kernel; call the op that its NKI kernel becomes");
    }
  }

  bool isKernel(NodeId subscript, NodeId kernel) {
    if (device_code_.names(kernel)) return true;
    const python::SyntaxTree& tree = input_.module.tree();
    if (tree.is(kernel, Kind::Call)) return false;  // wrap_triton(kernel)[grid] is found by its name
    // Several indices, or what is called a grid; options that only a launch takes say enough anywhere.
    std::size_t indices = 0;
    bool is_grid = false;
    for (NodeId index : tree.children(subscript)) {
      if (tree[index].field != Field::Subscript) continue;
      ++indices;
      const std::string text = textOf(input_, index);
      is_grid = is_grid || tree.is(index, Kind::Tuple) || text == "grid" || text.starts_with("grid_") ||
                text.ends_with("_grid");
    }
    is_grid = is_grid || indices > 1;
    if (!is_grid) return false;
    const NodeId call = tree[subscript].parent;
    if (python::keywordValue(input_.module, call, "num_warps") != kNoNode) return true;
    return std::any_of(input_.module.imports().begin(), input_.module.imports().end(),
                       [](const python::ImportedModule& import) {
                         return import.path == "triton" || import.path.starts_with("triton.");
                       });
  }

  const RuleInput& input_;
  FileFindings& out_;
  const DeviceCode device_code_;
  std::map<std::string, const CudaPackage*> packages_;
  std::map<std::string, std::string> held_;  // attribute of self → what it stands for
  std::set<std::pair<std::uint32_t, std::string>> lines_;
};

}  // namespace

void cudaPackageUse(const RuleInput& input, FileFindings& out) { Uses(input, out).find(); }

}  // namespace np::analyzer
