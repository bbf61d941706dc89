// Depth first with .gitignore files read on the way down. Links to folders are not followed (a loop would never end),
// links to files inside are reached by their own names. Build output and virtual environments are left out by name even
// without .gitignore, unless they are Python packages: projects do have packages called "build".
//
// The kinds of entries come with the folder's listing, so that ten thousand files cost no system call each.

#include "analyzer/project/walk.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "analyzer/project/environment_names.h"
#include "analyzer/project/ignore.h"

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isLeftOut(std::string_view name) {
  return isOneOf(name, {".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__", ".tox", ".nox", ".eggs",
                        ".mypy_cache", ".pytest_cache", ".ruff_cache", ".neuron-port"});
}

std::string readText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

class Walker {
 public:
  Walker(fs::path root, const WalkOptions& options) : root_(std::move(root)), options_(options) {
    for (const std::string& pattern : options.exclude) excluded_.push_back(parseIgnoreLine(pattern, ""));
    std::erase_if(excluded_, [](const IgnorePattern& p) { return p.glob.empty(); });
    only_.insert(options.only.begin(), options.only.end());
  }

  // `named`: the user gave this path, so ignore files do not hide it.
  Result<void> add(const fs::path& path) {
    std::error_code ec;
    const std::string shown = relative(path);
    const fs::file_status status = fs::status(path, ec);
    if (!fs::exists(status))
      return makeError("not-found", "no such file or directory \"" + path.string() + "\"", path.string());
    if (options_.force_exclude && isIgnored(excluded_, shown, fs::is_directory(status))) return {};
    if (!fs::is_directory(status)) {
      file(shown);
      return {};
    }
    ignored_ = ignoredAbove(shown);
    if (!folder(path.string(), shown))
      return makeError("io", "cannot read folder \"" + path.string() + "\"", path.string());
    return {};
  }

  void fill(Walk& out) {
    for (const auto& [path, kind] : found_)
      (kind == FileKind::Environment ? out.environment : out.files).push_back({path, kind});
    for (const auto& [path, reason] : unreadable_) out.unreadable.push_back({path, reason});
  }

 private:
  std::string relative(const fs::path& path) const {
    const std::string out = path.lexically_relative(root_).generic_string();
    return out.empty() || out == "." ? "" : out;
  }

  // Patterns of the ignore files between the root and a folder, without the folder's own.
  std::vector<IgnorePattern> ignoredAbove(const std::string& shown) const {
    std::vector<IgnorePattern> out;
    fs::path at = root_;
    std::string inner;
    for (const fs::path& part : fs::path(shown)) {
      append(out, at.string(), inner);
      at /= part;
      inner = joined(inner, part.string());
    }
    return out;
  }

  void append(std::vector<IgnorePattern>& into, const std::string& folder, const std::string& shown) const {
    const fs::path file = folder + "/.gitignore";
    std::error_code ec;
    if (!fs::is_regular_file(file, ec) || fs::file_size(file, ec) > (1u << 20)) return;
    for (IgnorePattern& p : parseIgnoreFile(readText(file), shown)) into.push_back(std::move(p));
  }

  struct Entry {
    std::string name;
    fs::file_type type = fs::file_type::none;
  };

  // As the listing of the folder says where it does: a stat of every file is what a warm run would spend its time on.
  static fs::file_type typeOf(const fs::directory_entry& entry) {
    std::error_code ec;
    if (entry.is_symlink(ec)) return fs::file_type::symlink;
    if (!ec && entry.is_directory(ec)) return fs::file_type::directory;
    if (!ec && entry.is_regular_file(ec)) return fs::file_type::regular;
    const fs::file_type type = ec ? fs::file_type::unknown : entry.symlink_status(ec).type();
    return ec ? fs::file_type::unknown : type;  // gone since it was listed
  }

  // False when the folder cannot be listed.
  bool folder(const std::string& path, const std::string& shown) {
    std::error_code ec;
    std::vector<Entry> entries;
    bool has_ignore_file = false;
    fs::directory_iterator listing(path, ec);
    if (ec) return false;
    for (; listing != fs::directory_iterator() && !ec; listing.increment(ec)) {
      Entry entry{listing->path().filename().string(), typeOf(*listing)};
      has_ignore_file |= entry.name == ".gitignore";
      entries.push_back(std::move(entry));
    }
    if (ec) unreadable_.emplace(shown, "folder not fully listed: " + ec.message());
    const auto is = [&](std::string_view name) {
      return std::any_of(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
    };
    const std::string_view own = std::string_view(shown).substr(shown.rfind('/') + 1);
    const bool is_output = isOneOf(own, {"build", "dist", "venv"}) && !is("__init__.py");
    if (!shown.empty() && depth_ > 0 && (is_output || is("pyvenv.cfg") || is("neuron-port-report.json")))
      return true;  // made by a build, by venv, by our own `port`
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });

    const std::size_t outer = ignored_.size();
    if (has_ignore_file) append(ignored_, path, shown);
    ++depth_;
    for (const Entry& entry : entries) visit(entry, path, shown);
    --depth_;
    ignored_.resize(outer);
    return true;
  }

  void visit(const Entry& entry, const std::string& path, const std::string& shown) {
    const bool is_folder = entry.type == fs::file_type::directory;
    FileKind kind;
    if (is_folder ? isLeftOut(entry.name) : !fileKind(entry.name, kind) && !mayBeEnvironment(shown)) return;
    const std::string inner = joined(shown, entry.name);
    if (!ignored_.empty() && isIgnored(ignored_, inner, is_folder)) return;
    if (!excluded_.empty() && isIgnored(excluded_, inner, is_folder)) return;
    if (is_folder) {
      if (depth_ >= kDeepest)
        unreadable_.emplace(inner, "folders nested too deeply");
      else if (!folder(path + "/" + entry.name, inner))
        unreadable_.emplace(inner, "cannot read folder");
      return;
    }
    if (entry.type == fs::file_type::symlink) {
      std::error_code ec;
      const bool leads_somewhere = fs::exists(path + "/" + entry.name, ec);
      if (!leads_somewhere && fileKind(inner, kind) && kind != FileKind::Environment && isWanted(inner))
        unreadable_.emplace(inner, "a link that leads nowhere");
      return;  // inside: reached by its own name; outside: not ours to change
    }
    if (entry.type == fs::file_type::regular || entry.type == fs::file_type::unknown)
      file(inner);  // no sockets, no pipes
  }

  static bool mayBeEnvironment(const std::string& folder) { return folder.ends_with("requirements"); }
  bool isWanted(const std::string& path) const { return only_.empty() || only_.contains(path); }

  void file(const std::string& shown) {
    FileKind kind;
    if (!fileKind(shown, kind) || !isWanted(shown)) return;
    if (kind == FileKind::Environment) {
      std::error_code ec;
      const auto size = fs::file_size(root_ / shown, ec);
      if (!ec && size > kLargestEnvironmentBytes) return;
    }
    found_.emplace(shown, kind);
  }

  // The walk calls itself for each level; Linux paths end long before this.
  static constexpr int kDeepest = 1000;

  fs::path root_;
  const WalkOptions& options_;
  std::vector<IgnorePattern> excluded_, ignored_;
  std::set<std::string> only_;
  std::map<std::string, FileKind> found_;
  std::map<std::string, std::string> unreadable_;
  int depth_ = 0;
};

}  // namespace

bool fileKind(const std::string& path, FileKind& kind) {
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  const std::string_view extension = dot == std::string_view::npos || dot == 0 ? std::string_view{} : name.substr(dot);
  if (isOneOf(extension, {".py", ".pyi", ".pyw"}))
    kind = FileKind::Python;
  else if (extension == ".ipynb")
    kind = FileKind::Notebook;
  else if (isOneOf(extension, {".cu", ".cuh"}))
    kind = FileKind::Cuda;
  else if (isOneOf(extension, {".h", ".hpp", ".hh", ".hxx", ".inl"}))
    kind = FileKind::CppHeader;
  else if (isOneOf(extension, {".cpp", ".cc", ".cxx", ".c++"}))
    kind = FileKind::Cpp;
  else if (isEnvironmentName(path))
    kind = FileKind::Environment;
  else
    return false;
  return true;
}

std::string findProjectRoot(const std::string& path) {
  std::error_code ec;
  fs::path at = fs::weakly_canonical(path.empty() ? "." : path, ec);
  if (ec) at = fs::absolute(path, ec);
  if (!fs::is_directory(at, ec)) at = at.parent_path();
  for (fs::path folder = at; !folder.empty(); folder = folder.parent_path()) {
    for (const char* mark : {"pyproject.toml", "setup.py", ".git", "neuron-port.toml", "setup.cfg"})
      if (fs::exists(folder / mark, ec)) return folder.string();
    if (folder == folder.root_path()) break;
  }
  return at.string();
}

Result<Walk> walkProject(const std::string& root, const WalkOptions& options) {
  std::error_code ec;
  Walk out;
  const fs::path base = fs::weakly_canonical(root, ec);
  out.root = base.string();
  Walker walker(base, options);
  if (options.paths.empty()) NP_TRY(walker.add(base));
  for (const std::string& path : options.paths) {
    const fs::path absolute = fs::weakly_canonical(fs::absolute(path), ec);
    NP_TRY(walker.add(absolute));
  }
  walker.fill(out);
  if (out.files.empty() && out.environment.empty() && out.unreadable.empty() && options.only.empty())
    return makeError("no-sources", "no Python or CUDA sources found in \"" +
                                       (options.paths.empty() ? root : options.paths[0]) + "\"");
  return out;
}

}  // namespace np::analyzer
