// A module name is matched to a file by the end of its path; the folder that is left over must be one that Python would
// look in: an ancestor of the importing file, the project root, or src/, python/ and lib/ below it. A name that could
// be two files is the nearer one.

#include "analyzer/python/project_names.h"

#include <algorithm>

namespace np::analyzer::python {
namespace {

// Steps that one question may take through the import graph.
constexpr int kMaxSteps = 200;

std::vector<std::string> split(std::string_view dotted) {
  std::vector<std::string> out;
  while (!dotted.empty()) {
    const std::size_t dot = std::min(dotted.find('.'), dotted.size());
    if (dot > 0) out.emplace_back(dotted.substr(0, dot));
    dotted.remove_prefix(std::min(dot + 1, dotted.size()));
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts, std::size_t from) {
  std::string out;
  for (std::size_t i = from; i < parts.size(); ++i) out += (out.empty() ? "" : ".") + parts[i];
  return out;
}

std::string_view folderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

// "a/b/c.py" → "a/b/c", "a/b/__init__.py" → "a/b".
std::string_view moduleStem(std::string_view path) {
  for (std::string_view end : {"/__init__.py", "/__init__.pyi", ".py", ".pyi", ".pyw"})
    if (path.ends_with(end)) return path.substr(0, path.size() - end.size());
  return path;
}

std::string dottedOf(std::string_view stem) {
  for (std::string_view root : {"src/", "python/", "lib/"})
    if (stem.starts_with(root)) stem.remove_prefix(root.size());
  std::string out(stem);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

}  // namespace

struct ProjectNames::File {
  const SourceText* text = nullptr;
  mutable std::once_flag made;
  mutable FileSummary summary;
};

ProjectNames::ProjectNames(std::vector<const SourceText*> files) {
  for (const SourceText* text : files) {
    files_.push_back(std::make_unique<File>());
    files_.back()->text = text;
  }
}

ProjectNames::~ProjectNames() = default;

void ProjectNames::buildIndex() const {
  std::call_once(indexed_, [this] {
    for (const auto& file : files_) {
      const std::string_view path = file->text->path(), stem = moduleStem(path);
      by_path_.emplace(path, file.get());
      by_stem_[std::string(stem.substr(stem.rfind('/') + 1))].push_back(file.get());
    }
  });
}

const ProjectNames::File* ProjectNames::byPath(std::string_view path) const {
  buildIndex();
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : found->second;
}

const FileSummary& ProjectNames::summaryOf(const File& file) const {
  std::call_once(file.made, [&file] {
    const Result<Module> module = Module::parse(*file.text);
    if (module.ok()) file.summary = summarize(*module);
  });
  return file.summary;
}

// The file of the module named by the first `count` parts.
const ProjectNames::File* ProjectNames::find(std::string_view from, const std::vector<std::string>& parts,
                                             std::size_t count) const {
  buildIndex();
  const auto candidates = by_stem_.find(parts[count - 1]);
  if (candidates == by_stem_.end()) return nullptr;
  std::string tail;
  for (std::size_t i = 0; i < count; ++i) tail += (i ? "/" : "") + parts[i];
  const File* best = nullptr;
  std::size_t best_root = 0;
  for (const File* file : candidates->second) {
    const std::string_view stem = moduleStem(file->text->path());
    if (!stem.ends_with(tail)) continue;
    if (stem.size() > tail.size() && stem[stem.size() - tail.size() - 1] != '/') continue;
    const std::string_view root = stem.substr(0, stem.size() == tail.size() ? 0 : stem.size() - tail.size() - 1);
    const bool above =
        root.empty() || (from.starts_with(root) && from.size() > root.size() && from[root.size()] == '/');
    if (!above && root != "src" && root != "python" && root != "lib") continue;
    // Inside a package, `import triton` is not the subpackage "triton" next door; a script may mean the file beside it.
    const bool in_package = !root.empty() && byPath(std::string(root) + "/__init__.py");
    if (in_package && root != folderOf(from)) continue;
    // The deepest root is the nearest; packages win over nothing else.
    if (!best || root.size() > best_root) best = file, best_root = root.size();
  }
  return best;
}

ProjectNames::Place ProjectNames::locate(std::string from, std::string dotted, std::string* outside,
                                         int& budget) const {
  for (int step = 0; step < 16 && --budget >= 0; ++step) {
    const File* file = nullptr;
    std::size_t used = 0;
    std::vector<std::string> parts = split(dotted);
    if (dotted.starts_with('.')) {
      std::size_t dots = dotted.find_first_not_of('.');
      if (dots == std::string::npos) dots = dotted.size();
      std::string folder(folderOf(from));
      for (std::size_t up = 1; up < dots; ++up) folder = std::string(folderOf(folder));
      for (std::size_t n = parts.size() + 1; n-- > 0 && !file;) {
        std::string stem = folder;
        for (std::size_t i = 0; i < n; ++i) stem += (stem.empty() ? "" : "/") + parts[i];
        for (const char* end : {"/__init__.py", ".py", ".pyi", "/__init__.pyi"})
          if (!file) file = byPath(stem + end);
        used = n;
      }
    } else {
      if (parts.empty() || parts[0] == "torch") break;
      for (std::size_t n = parts.size(); n > 0 && !file; --n) file = find(from, parts, n), used = n;
    }
    if (!file) break;
    const std::string rest = joined(parts, used);
    if (rest.empty() || used >= parts.size()) return {file, ""};
    std::string first = parts[used], call;
    if (first.ends_with("()")) first.resize(first.size() - 2), call = "()";
    const auto meaning = exported(*file, first, budget);
    if (!meaning) return {file, rest};  // bound here, or nowhere
    const std::string tail = joined(parts, used + 1);
    from = std::string(file->text->path());
    dotted = *meaning + call + (tail.empty() ? "" : "." + tail);
  }
  if (outside) *outside = dotted;
  return {};
}

// The dotted name, as seen from `file`, that it takes `name` from; nothing when the file defines it itself or has none.
std::optional<std::string> ProjectNames::exported(const File& file, std::string_view name, int& budget) const {
  if (--budget < 0) return std::nullopt;
  const FileSummary& summary = summaryOf(file);
  if (const auto found = summary.imports.find(name); found != summary.imports.end()) return found->second;
  if (summary.names.contains(name) || name.starts_with('_')) return std::nullopt;
  for (auto star = summary.stars.rbegin(); star != summary.stars.rend(); ++star) {
    const std::string path(file.text->path());
    const Place place = locate(path, *star, nullptr, budget);
    if (!place.file || !place.rest.empty() || place.file == &file) continue;
    const FileSummary& inner = summaryOf(*place.file);
    if (inner.has_all && !inner.all.contains(name)) continue;
    if (inner.names.contains(name) || exported(*place.file, name, budget))
      return *star + (star->ends_with('.') ? "" : ".") + std::string(name);
  }
  return std::nullopt;
}

std::string ProjectNames::canonicalName(std::string_view from, std::string_view dotted) const {
  int budget = kMaxSteps;
  std::string outside;
  const Place place = locate(std::string(from), std::string(dotted), &outside, budget);
  if (!place.file) return outside;
  const std::string module = dottedOf(moduleStem(place.file->text->path()));
  return place.rest.empty() ? module : module + "." + place.rest;
}

std::string ProjectNames::starName(std::string_view from, const std::vector<std::string>& stars,
                                   std::string_view name) const {
  if (name.starts_with('_')) return "";
  int budget = kMaxSteps;
  for (auto star = stars.rbegin(); star != stars.rend(); ++star) {
    const Place place = locate(std::string(from), *star, nullptr, budget);
    if (!place.file || !place.rest.empty() || place.file->text->path() == from) continue;
    const FileSummary& inner = summaryOf(*place.file);
    if (inner.has_all && !inner.all.contains(name)) continue;
    if (inner.names.contains(name) || exported(*place.file, name, budget))
      return canonicalName(from, *star + (star->ends_with('.') ? "" : ".") + std::string(name));
  }
  return "";
}

std::string ProjectNames::fileOf(std::string_view from, std::string_view module) const {
  int budget = kMaxSteps;
  const Place place = locate(std::string(from), std::string(module), nullptr, budget);
  return place.file ? place.file->text->path() : "";
}

bool ProjectNames::defines(std::string_view from, std::string_view dotted) const {
  int budget = kMaxSteps;
  const Place place = locate(std::string(from), std::string(dotted), nullptr, budget);
  if (!place.file) return false;
  return place.rest.empty() || summaryOf(*place.file).names.contains(place.rest.substr(0, place.rest.find('.')));
}

bool ProjectNames::heldElsewhere(std::string_view from, std::string_view text) const {
  for (const std::unique_ptr<File>& file : files_)
    if (file->text->path() != from && file->text->bytes().find(text) != std::string_view::npos) return true;
  return false;
}

bool ProjectNames::isGpuFunction(std::string_view from, std::string_view dotted) const {
  int budget = kMaxSteps;
  const Place place = locate(std::string(from), std::string(dotted), nullptr, budget);
  return place.file && summaryOf(*place.file).gpu_functions.contains(place.rest);
}

DeviceTerms ProjectNames::deviceTerms(std::string_view from, const DeviceTerm& term) const {
  int budget = kMaxSteps;
  return deviceTerms(from, term, budget);
}

DeviceTerms ProjectNames::deviceTerms(std::string_view from, const DeviceTerm& term, int& budget) const {
  if (term.name.empty()) return {term};
  DeviceTerm unresolved = term;
  unresolved.name.clear();
  if (--budget < 0) return {unresolved};
  std::string outside;
  const Place place = locate(std::string(from), term.name, &outside, budget);
  if (!place.file) {
    if (outside.ends_with("LightningModule.device") || outside.ends_with("Accelerator.device") ||
        outside.ends_with("PartialState.device"))
      unresolved.device = Device::Accelerator;
    return {unresolved};
  }
  const FileSummary& summary = summaryOf(*place.file);
  const auto found = summary.values.find(place.rest);
  if (found == summary.values.end()) return {unresolved};
  DeviceTerms out;
  for (const DeviceTerm& inner : found->second) {
    DeviceTerms resolved = deviceTerms(place.file->text->path(), inner, budget);
    for (DeviceTerm& one : resolved)
      for (const Related& step : term.trace)
        if (one.trace.size() < kMostSteps) one.trace.push_back(step);
    join(out, std::move(resolved));
  }
  return out;
}

}  // namespace np::analyzer::python
