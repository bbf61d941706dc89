// Clang resolves most launches within a unit. What is left is joined by name: a kernel declared here and defined
// elsewhere, a launch in a template, everything tree-sitter saw. A name that fits several kernels is resolved by the
// nearest: same file, then the only one in the project; else the launch stays loose rather than be given to the wrong
// kernel. A binding reaches a launch over the call graph, across files, by qualified names.

#include "analyzer/index/join.h"

#include <algorithm>
#include <map>
#include <set>

namespace np::analyzer {
namespace {

constexpr std::size_t kMaxReached = 20000;

std::string lastName(const std::string& qualified) {
  const std::size_t colon = qualified.rfind("::");
  return colon == std::string::npos ? qualified : qualified.substr(colon + 2);
}

// Functions by qualified name and by last name.
class CallGraph {
 public:
  explicit CallGraph(const MergedFacts& facts) {
    for (const FunctionFacts& function : facts.functions) {
      if (function.is_device) continue;
      std::set<std::string>& calls = calls_[function.name];
      calls.insert(function.calls.begin(), function.calls.end());
    }
    for (const LaunchFacts& launch : facts.launches)
      if (!launch.function.empty()) calls_[launch.function];
    for (const auto& [name, calls] : calls_) by_last_[lastName(name)].insert(name);
  }

  // Every function that can run when one of `roots` is called, the roots included.
  std::set<std::string> reachedFrom(std::vector<std::string> roots) const {
    std::set<std::string> seen;
    while (!roots.empty() && seen.size() < kMaxReached) {
      const std::string name = resolve(roots.back());
      roots.pop_back();
      if (name.empty() || !seen.insert(name).second) continue;
      const auto found = calls_.find(name);
      if (found == calls_.end()) continue;
      roots.insert(roots.end(), found->second.begin(), found->second.end());
    }
    return seen;
  }

  bool knows(const std::string& name) const { return !name.empty() && !resolve(name).empty(); }

 private:
  // The function of the project that a name means: itself, or the only one with that last name.
  std::string resolve(const std::string& name) const {
    if (calls_.count(name)) return name;
    if (name.rfind("at::", 0) == 0 || name.rfind("std::", 0) == 0 || name.rfind("c10::", 0) == 0) return {};
    const auto found = by_last_.find(lastName(name));
    return found != by_last_.end() && found->second.size() == 1 ? *found->second.begin() : std::string();
  }

  std::map<std::string, std::set<std::string>> calls_;
  std::map<std::string, std::set<std::string>> by_last_;
};

// A definition for every kernel; a declaration only where no definition has its name.
std::vector<const KernelFacts*> kernelsOf(const MergedFacts& facts) {
  std::set<std::string> defined;
  for (const KernelFacts& kernel : facts.kernels)
    if (kernel.is_definition) defined.insert(kernel.qualified_name);
  std::vector<const KernelFacts*> out;
  std::set<std::string> declared;
  for (const KernelFacts& kernel : facts.kernels) {
    if (kernel.is_definition)
      out.push_back(&kernel);
    else if (!defined.count(kernel.qualified_name) && declared.insert(kernel.qualified_name).second)
      out.push_back(&kernel);
  }
  return out;
}

class KernelFinder {
 public:
  explicit KernelFinder(const std::vector<const KernelFacts*>& kernels) : kernels_(kernels) {}

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t find(const LaunchFacts& launch) const {
    for (std::size_t i = 0; launch.resolved && i < kernels_.size(); ++i) {
      const SourceRange& where = kernels_[i]->kernel.where;
      if (where.path == launch.kernel_path && where.range.start == launch.kernel_offset) return i;
    }
    const std::size_t exact =
        nearest(launch, [&](const KernelFacts& k) { return k.qualified_name == launch.kernel_name; });
    if (exact != kNone || launch.resolved) return exact;
    const std::string last = lastName(launch.kernel_name);
    return nearest(launch, [&](const KernelFacts& k) { return lastName(k.kernel.name) == last; });
  }

 private:
  template <class Fits>
  std::size_t nearest(const LaunchFacts& launch, Fits fits) const {
    std::vector<std::size_t> here, anywhere;
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (!fits(*kernels_[i])) continue;
      const bool same_file = kernels_[i]->kernel.where.path == launch.launch.where.path;
      if (same_file) here.push_back(i);
      if (same_file || !kernels_[i]->is_static) anywhere.push_back(i);
    }
    if (here.size() == 1) return here[0];
    if (here.empty() && anywhere.size() == 1) return anywhere[0];
    // Overloads in one file are told apart by the number of arguments.
    std::vector<std::size_t> fitting;
    for (std::size_t i : here)
      if (kernels_[i]->kernel.params.size() == launch.launch.args.size()) fitting.push_back(i);
    return fitting.size() == 1 ? fitting[0] : kNone;
  }

  const std::vector<const KernelFacts*>& kernels_;
};

// `m.def(schema)` and `m.impl(name, f)` are two halves of one binding.
std::vector<BindingFacts> joinedBindings(const MergedFacts& facts) {
  std::map<std::string, std::string> schemas;
  std::set<std::string> implemented;
  for (const BindingFacts& binding : facts.bindings) {
    if (!binding.binding.schema.empty()) schemas[binding.binding.name] = binding.binding.schema;
    if (!binding.binding.function.empty()) implemented.insert(binding.binding.name);
  }
  std::vector<BindingFacts> out;
  for (const BindingFacts& binding : facts.bindings) {
    if (binding.binding.function.empty() && implemented.count(binding.binding.name)) continue;
    out.push_back(binding);
    if (out.back().binding.schema.empty())
      if (const auto schema = schemas.find(binding.binding.name); schema != schemas.end())
        out.back().binding.schema = schema->second;
  }
  return out;
}

// PYBIND11_MODULE(TORCH_EXTENSION_NAME, m): the name is the extension's that lists the file.
void nameModules(const std::vector<Extension>& extensions, std::vector<BindingFacts>& bindings) {
  const std::string placeholder = "TORCH_EXTENSION_NAME.";
  for (BindingFacts& binding : bindings) {
    if (binding.binding.name.rfind(placeholder, 0) != 0) continue;
    const Extension* owner = nullptr;
    for (const Extension& extension : extensions)
      for (const std::string& source : extension.sources)
        if (source == binding.binding.where.path) owner = &extension;
    if (!owner && extensions.size() == 1) owner = &extensions[0];
    const std::string module = owner && !owner->name.empty() ? owner->name + "." : "";
    binding.binding.name = module + binding.binding.name.substr(placeholder.size());
  }
}

// Why a binding reaches no kernel of the project, for people who look for it.
std::string whyNoKernel(const BindingFacts& binding, const CallGraph& graph, const std::set<std::string>& reached,
                        const std::vector<const LaunchFacts*>& loose) {
  const std::string& function = binding.binding.function;
  if (function.empty() && binding.callees.empty()) return "nothing in the project implements it";
  if (binding.callees.empty() && !graph.knows(function))
    return "\"" + function + "\" is not defined in the files that were analysed";
  for (const LaunchFacts* launch : loose)
    if (reached.count(launch->function))
      return "it launches \"" + launch->launch.kernel + "\", which no kernel of the project answers to";
  const std::string key = binding.dispatch_key;
  if (!key.empty() && key != "CUDA") return "it is registered for " + key + ", and launches no kernel";
  return "its host code launches no kernel";
}

}  // namespace

void joinFacts(const MergedFacts& facts, CudaAnalysis& analysis) {
  const std::vector<const KernelFacts*> kernels = kernelsOf(facts);
  const KernelFinder finder(kernels);
  std::vector<std::vector<const LaunchFacts*>> launches(kernels.size());
  for (const KernelFacts* kernel : kernels) analysis.kernels.push_back(kernel->kernel);
  std::vector<const LaunchFacts*> loose;
  for (const LaunchFacts& launch : facts.launches) {
    const std::size_t at = finder.find(launch);
    if (at == KernelFinder::kNone) {
      loose.push_back(&launch);
      analysis.loose_launches.push_back(launch.launch);
      continue;
    }
    launches[at].push_back(&launch);
    analysis.kernels[at].launches.push_back(launch.launch);
  }

  analysis.bindings = joinedBindings(facts);
  nameModules(analysis.extensions, analysis.bindings);
  const CallGraph graph(facts);
  for (BindingFacts& binding : analysis.bindings) {
    std::vector<std::string> roots = binding.callees;
    roots.push_back(binding.binding.function);
    const std::set<std::string> reached = graph.reachedFrom(std::move(roots));
    bool any = false;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const bool hit = std::any_of(launches[i].begin(), launches[i].end(),
                                   [&](const LaunchFacts* launch) { return reached.count(launch->function) > 0; });
      if (hit) analysis.kernels[i].bindings.push_back(binding.binding);
      any |= hit;
    }
    if (!any) binding.no_kernel = whyNoKernel(binding, graph, reached, loose);
  }
}

}  // namespace np::analyzer
