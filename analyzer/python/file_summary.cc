// Every value is judged within the file alone; what it takes from other files stays a name, which ProjectNames follows
// when somebody asks. So summaries do not depend on each other, and cycles of imports cost nothing.

#include "analyzer/python/file_summary.h"

#include <algorithm>

#include "analyzer/python/device_evaluator.h"
#include "analyzer/python/gpu_code.h"
#include "analyzer/python/strings.h"

namespace np::analyzer::python {
namespace {

void readAll(const Module& module, const Symbol& symbol, FileSummary& out) {
  const SyntaxTree& tree = module.tree();
  out.has_all = true;
  for (const Binding& binding : symbol.bindings) {
    if (!tree.is(binding.value, Kind::List) && !tree.is(binding.value, Kind::Tuple)) {
      out.has_all = false;  // computed: everything may be in it
      return;
    }
    for (NodeId item : tree.children(binding.value))
      if (const auto text = literalText(module, item)) out.all.insert(*text);
  }
}

class Summarizer {
 public:
  explicit Summarizer(const Module& module) : module_(module), index_(module) {}

  FileSummary make() {
    for (const ImportedModule& import : module_.imports())
      if (!import.names.empty() && import.names.front() == "*" && module_.scopeOf(import.node) == 0)
        out_.stars.push_back(import.path);
    for (const auto& [name, id] : module_.scopes()[0].symbols) addSymbol(module_.symbols()[id]);
    return std::move(out_);
  }

 private:
  void keep(std::string name, DeviceTerms terms) {
    std::erase_if(terms, [](const DeviceTerm& t) { return t.device == Device::Unknown && t.name.empty(); });
    if (!terms.empty()) out_.values.emplace(std::move(name), std::move(terms));
  }

  void addSymbol(const Symbol& symbol) {
    if (symbol.name == "__all__") readAll(module_, symbol, out_);
    out_.names.insert(symbol.name);
    std::string path;
    bool only_imports = !symbol.bindings.empty();
    for (const Binding& binding : symbol.bindings) {
      // `except ImportError: x = None` does not change what x is for.
      if (binding.kind == BindingKind::Assignment && module_.tree().is(binding.value, Kind::None)) continue;
      only_imports = only_imports && binding.kind == BindingKind::Import && (path.empty() || path == binding.path);
      path = binding.path;
    }
    if (only_imports && !path.empty()) {
      out_.imports.emplace(symbol.name, path);
      return;
    }
    for (const Binding& binding : symbol.bindings) {
      const bool compiled = binding.kind == BindingKind::Assignment && module_.tree().is(binding.value, Kind::Call) &&
                            compilesForGpu(module_.calleeName(binding.value));
      if (compiled || (binding.kind == BindingKind::Function && isGpuFunction(module_, binding.value)))
        out_.gpu_functions.insert(symbol.name);
    }
    const Binding& first = symbol.bindings.front();
    if (symbol.bindings.size() == 1 && first.kind == BindingKind::Function) {
      keep(symbol.name + "()", DeviceEvaluator(module_, index_).ofResults(first.value));
    } else if (symbol.bindings.size() == 1 && first.kind == BindingKind::Class) {
      addClass(symbol.name, first.value);
    } else {
      keep(symbol.name, DeviceEvaluator(module_, index_).ofSymbol(symbol));
    }
  }

  void addClass(const std::string& name, NodeId cls) {
    std::set<std::string> attributes = index_.attributesOf(cls);
    const NodeId body = module_.tree().child(cls, Field::Body);
    if (body != kNoNode)
      for (const auto& [attribute, id] : module_.scopes()[module_.scopeOf(body)].symbols) {
        attributes.insert(attribute);
        const NodeId method = index_.method(cls, attribute);
        if (method != kNoNode && !index_.isProperty(method))
          keep(name + "." + attribute + "()", DeviceEvaluator(module_, index_).ofResults(method));
      }
    for (const std::string& attribute : attributes)
      keep(name + "." + attribute, DeviceEvaluator(module_, index_).ofAttribute(cls, attribute));
  }

  const Module& module_;
  const DeviceIndex index_;
  FileSummary out_;
};

}  // namespace

FileSummary summarize(const Module& module) { return Summarizer(module).make(); }

}  // namespace np::analyzer::python
