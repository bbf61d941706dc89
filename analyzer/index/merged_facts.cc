// A place is (path, offset). The same header may look different in two units (a macro, a missing header): the first
// unit that describes a place wins, and instantiations and resolved launches are taken from whoever has them.

#include "analyzer/index/merged_facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace np::analyzer {
namespace {

using Place = std::pair<std::string, Range>;

Place placeOf(const SourceRange& where) { return {where.path, where.range}; }

void addNames(std::vector<std::string>& into, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::find(into.begin(), into.end(), name) == into.end()) into.push_back(name);
}

// Appends the items whose place is new.
template <class T, class Key>
void addNew(std::vector<T>& into, std::vector<T>& from, std::set<Key>& seen, Key (*key)(const T&)) {
  for (T& item : from)
    if (seen.insert(key(item)).second) into.push_back(std::move(item));
}

template <class T, class Where>
void sortByPlace(std::vector<T>& items, Where where) {
  std::stable_sort(items.begin(), items.end(),
                   [&](const T& a, const T& b) { return placeOf(where(a)) < placeOf(where(b)); });
}

using NamedPlace = std::tuple<std::string, Range, std::string>;

class Merger {
 public:
  void add(UnitFacts& unit) {
    for (KernelFacts& kernel : unit.kernels) addKernel(kernel);
    for (LaunchFacts& launch : unit.launches) addLaunch(launch);
    addNew<BindingFacts, NamedPlace>(out.bindings, unit.bindings, bindings_, [](const BindingFacts& b) {
      return NamedPlace{b.binding.where.path, b.binding.where.range, b.binding.name};
    });
    addNew<ApiUse, NamedPlace>(out.uses, unit.uses, uses_,
                               [](const ApiUse& u) { return NamedPlace{u.where.path, u.where.range, u.name}; });
    addNew<DeviceTrait, NamedPlace>(out.traits, unit.traits, traits_, [](const DeviceTrait& t) {
      return NamedPlace{t.where.path, t.where.range, t.kind};
    });
    addNew<FunctionFacts, Place>(out.functions, unit.functions, functions_,
                                 [](const FunctionFacts& f) { return placeOf(f.where); });
    addNew<IncludeFacts, Place>(out.includes, unit.includes, includes_,
                                [](const IncludeFacts& i) { return placeOf(i.where); });
    addNew<HostFunction, Place>(out.host_functions, unit.host_functions, host_functions_,
                                [](const HostFunction& f) { return placeOf(f.where); });
  }

  MergedFacts out;

 private:
  void addKernel(KernelFacts& kernel) {
    const auto [at, is_new] = kernels_.try_emplace(placeOf(kernel.kernel.where), out.kernels.size());
    if (is_new) {
      out.kernels.push_back(std::move(kernel));
    } else {
      addNames(out.kernels[at->second].kernel.instantiations, kernel.kernel.instantiations);
    }
  }

  void addLaunch(LaunchFacts& launch) {
    const auto [at, is_new] = launches_.try_emplace(placeOf(launch.launch.where), out.launches.size());
    if (is_new)
      out.launches.push_back(std::move(launch));
    else if (launch.resolved && !out.launches[at->second].resolved)
      out.launches[at->second] = std::move(launch);
  }

  std::map<Place, std::size_t> kernels_, launches_;
  std::set<NamedPlace> bindings_, uses_, traits_;
  std::set<Place> functions_, includes_, host_functions_;
};

std::string lastName(const std::string& written) {
  const std::string plain = written.substr(0, written.find('<'));
  const std::size_t colon = plain.rfind("::");
  return colon == std::string::npos ? plain : plain.substr(colon + 2);
}

bool overlaps(const SourceRange& a, const SourceRange& b) {
  return a.path == b.path && a.range.start < b.range.end && b.range.start < a.range.end;
}

}  // namespace

MergedFacts mergeUnits(std::vector<UnitFacts> units) {
  Merger merger;
  for (UnitFacts& unit : units) merger.add(unit);
  MergedFacts& out = merger.out;
  sortByPlace(out.kernels, [](const KernelFacts& k) -> const SourceRange& { return k.kernel.where; });
  sortByPlace(out.launches, [](const LaunchFacts& l) -> const SourceRange& { return l.launch.where; });
  sortByPlace(out.bindings, [](const BindingFacts& b) -> const SourceRange& { return b.binding.where; });
  sortByPlace(out.uses, [](const ApiUse& u) -> const SourceRange& { return u.where; });
  sortByPlace(out.traits, [](const DeviceTrait& t) -> const SourceRange& { return t.where; });
  sortByPlace(out.functions, [](const FunctionFacts& f) -> const SourceRange& { return f.where; });
  sortByPlace(out.includes, [](const IncludeFacts& i) -> const SourceRange& { return i.where; });
  sortByPlace(out.host_functions, [](const HostFunction& f) -> const SourceRange& { return f.where; });
  return std::move(out);
}

std::size_t addSyntax(const std::string& path, const SyntaxFacts& syntax, MergedFacts& facts) {
  std::size_t added = 0;
  for (const SyntaxKernel& seen : syntax.kernels) {
    const bool known = std::any_of(facts.kernels.begin(), facts.kernels.end(), [&](const KernelFacts& kernel) {
      // A kernel made by a macro stands where the macro is used.
      const bool from_macro = !seen.macro.empty() && kernel.kernel.where.path == path;
      return overlaps(kernel.kernel.where, seen.kernel.where) || (from_macro && kernel.kernel.name == seen.kernel.name);
    });
    if (known) continue;
    KernelFacts kernel;
    kernel.kernel = seen.kernel;
    kernel.extent = seen.kernel.where;
    kernel.qualified_name = seen.kernel.name;
    kernel.is_definition = seen.is_definition;
    facts.kernels.push_back(std::move(kernel));
    ++added;
  }
  for (const SyntaxLaunch& seen : syntax.launches) {
    const bool known = std::any_of(facts.launches.begin(), facts.launches.end(), [&](const LaunchFacts& launch) {
      if (!seen.macro.empty() && launch.launch.via == seen.macro) return true;
      return overlaps(launch.launch.where, seen.launch.where);
    });
    if (known) continue;
    LaunchFacts launch;
    launch.launch = seen.launch;
    launch.function = seen.launch.function;
    launch.kernel_name = lastName(seen.launch.kernel);
    launch.in_macro = !seen.macro.empty();
    facts.launches.push_back(std::move(launch));
    ++added;
  }
  return added;
}

}  // namespace np::analyzer
