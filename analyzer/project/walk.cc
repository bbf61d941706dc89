// Depth first with .gitignore files read on the way down. Links to folders are not followed (a loop would never end),
// links to files are. Build output, virtual environments and vendored environments are left out by name even without
// .gitignore.

#include "analyzer/project/walk.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "analyzer/project/ignore.h"

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

const std::set<std::string>& foldersLeftOut() {
  static const std::set<std::string> kNames = {
      ".git", ".hg",   ".svn",        ".venv",         "venv",        "node_modules", "__pycache__", ".tox",
      ".nox", ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", "build",        "dist",        ".neuron-port"};
  return kNames;
}

std::string readText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
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
    if (!fs::exists(path, ec))
      return makeError("not-found", "no such file or directory \"" + path.string() + "\"", path.string());
    if (options_.force_exclude && isIgnored(excluded_, shown, fs::is_directory(path, ec))) return {};
    if (fs::is_directory(path, ec)) {
      std::vector<IgnorePattern> ignored = ignoredAbove(path);
      return folder(path, ignored);
    }
    file(path, true);
    return {};
  }

  std::vector<ProjectFile> files() {
    std::vector<ProjectFile> out;
    for (const auto& [path, kind] : found_) out.push_back({path, kind});
    return out;
  }

 private:
  std::string relative(const fs::path& path) const {
    const std::string out = path.lexically_relative(root_).generic_string();
    return out.empty() || out == "." ? "" : out;
  }

  // Patterns of the ignore files between the root and a folder.
  std::vector<IgnorePattern> ignoredAbove(const fs::path& path) const {
    std::vector<IgnorePattern> out;
    fs::path at = root_;
    const std::string inner = relative(path);
    for (const fs::path& part : fs::path(inner)) {
      append(out, at);
      at /= part;
    }
    return out;
  }

  void append(std::vector<IgnorePattern>& into, const fs::path& folder) const {
    const fs::path file = folder / ".gitignore";
    std::error_code ec;
    if (!fs::is_regular_file(file, ec) || fs::file_size(file, ec) > (1u << 20)) return;
    for (IgnorePattern& p : parseIgnoreFile(readText(file), relative(folder))) into.push_back(std::move(p));
  }

  Result<void> folder(const fs::path& path, std::vector<IgnorePattern> ignored) {
    append(ignored, path);
    std::error_code ec;
    fs::directory_iterator entries(path, fs::directory_options::skip_permission_denied, ec);
    if (ec) return makeError("io", "cannot read folder \"" + path.string() + "\": " + ec.message(), path.string());
    std::vector<fs::path> sorted;
    for (const fs::directory_entry& entry : entries) sorted.push_back(entry.path());
    std::sort(sorted.begin(), sorted.end());
    for (const fs::path& entry : sorted) {
      const std::string shown = relative(entry);
      const bool is_folder = fs::is_directory(entry, ec);
      if (isIgnored(ignored, shown, is_folder) || isIgnored(excluded_, shown, is_folder)) continue;
      if (is_folder) {
        if (fs::is_symlink(entry, ec) || foldersLeftOut().contains(entry.filename().string())) continue;
        NP_TRY(folder(entry, ignored));
      } else {
        file(entry, false);
      }
    }
    return {};
  }

  void file(const fs::path& path, bool named) {
    std::error_code ec;
    if (!named && !fs::is_regular_file(path, ec)) return;  // no sockets, no pipes
    if (!named && fs::is_symlink(path, ec)) return;  // inside: reached by its own name; outside: not ours to change
    FileKind kind;
    const std::string shown = relative(path);
    if (!fileKind(shown, kind)) return;
    if (!only_.empty() && !only_.contains(shown)) return;
    found_.emplace(shown, kind);
  }

  fs::path root_;
  const WalkOptions& options_;
  std::vector<IgnorePattern> excluded_;
  std::set<std::string> only_;
  std::map<std::string, FileKind> found_;
};

}  // namespace

bool fileKind(const std::string& path, FileKind& kind) {
  const fs::path file(path);
  const std::string name = file.filename().string(), extension = file.extension().string();
  static const std::set<std::string> kHeaders = {".h", ".hpp", ".hh", ".hxx", ".inl"},
                                     kSources = {".cpp", ".cc", ".cxx", ".c++"};
  if (extension == ".py" || extension == ".pyi" || extension == ".pyw")
    kind = FileKind::Python;
  else if (extension == ".ipynb")
    kind = FileKind::Notebook;
  else if (extension == ".cu" || extension == ".cuh")
    kind = FileKind::Cuda;
  else if (kHeaders.contains(extension))
    kind = FileKind::CppHeader;
  else if (kSources.contains(extension))
    kind = FileKind::Cpp;
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
  out.files = walker.files();
  if (out.files.empty() && options.only.empty())
    return makeError("no-sources", "no Python or CUDA sources found in \"" +
                                       (options.paths.empty() ? root : options.paths[0]) + "\"");
  return out;
}

}  // namespace np::analyzer
