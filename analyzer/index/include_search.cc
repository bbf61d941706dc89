// A bare checkout says `#include "fp_context.h"` and keeps the file three folders away, because a build script that
// computes its lists puts that folder on the path. So names are looked up in the project itself: a file fits when its
// path ends in the name, and of several the one that shares most leading folders with the includer is meant, as
// vendored copies of a tree include their own headers. Only names that the includer's folder and the known include
// folders do not answer are looked up, and each is searched through in its turn. Angled and quoted names are treated
// alike; a system header that the project happens to have a namesake of is found by the known folders or not at all,
// since names without a folder that the standard library or our headers own are never looked up.

#include "analyzer/index/include_search.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 5000;

std::string normal(const fs::path& path) { return path.lexically_normal().generic_string(); }

std::size_t sharedFolders(const std::string& a, const std::string& b) {
  std::size_t shared = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) shared += a[i] == '/';
  return shared;
}

bool endsInName(const std::string& path, const std::string& name) {
  if (path == name) return true;
  return path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '/';
}

// The standard library's, which have no extension.
bool isBareStandardName(const std::string& name) {
  return name.find('/') == std::string::npos && name.find('.') == std::string::npos;
}

}  // namespace

std::vector<std::string> includedNames(std::string_view bytes) {
  std::vector<std::string> out;
  const auto skipBlanks = [&](std::size_t at) {
    while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\t')) ++at;
    return at;
  };
  for (std::size_t line = 0; line < bytes.size();) {
    const std::size_t newline = bytes.find('\n', line);
    const std::size_t end = newline == std::string_view::npos ? bytes.size() : newline;
    std::size_t at = skipBlanks(line);
    line = end + 1;
    if (at >= end || bytes[at] != '#') continue;
    at = skipBlanks(at + 1);
    if (bytes.substr(at, 7) != "include") continue;
    at = skipBlanks(at + 7);
    if (at >= end || (bytes[at] != '"' && bytes[at] != '<')) continue;
    const std::size_t close = bytes.find(bytes[at] == '"' ? '"' : '>', at + 1);
    if (close != std::string_view::npos && close < end) out.emplace_back(bytes.substr(at + 1, close - at - 1));
  }
  return out;
}

void IncludeSearch::add(const std::string& path, std::vector<std::string> included) {
  if (!included_.emplace(path, std::move(included)).second) return;
  paths_by_last_[fs::path(path).filename().string()].push_back(path);
}

std::string IncludeSearch::nearest(const std::string& includer, const std::string& name) const {
  const auto found = paths_by_last_.find(fs::path(name).filename().string());
  if (found == paths_by_last_.end() || isBareStandardName(name)) return {};
  const std::string* best = nullptr;
  const auto better = [&](const std::string& path) {
    const std::size_t here = sharedFolders(path, includer), there = sharedFolders(*best, includer);
    if (here != there) return here > there;
    return path.size() != best->size() ? path.size() < best->size() : path < *best;
  };
  for (const std::string& path : found->second)
    if (endsInName(path, name) && (!best || better(path))) best = &path;
  return best ? *best : std::string();
}

std::vector<std::string> IncludeSearch::foldersFor(const std::string& path,
                                                   const std::vector<std::string>& given) const {
  std::vector<std::string> out;
  std::set<std::string> seen = {path};
  std::deque<std::string> open = {path};
  const auto known = [&](const std::string& folder, const std::string& name) {
    const std::string candidate = normal(fs::path(folder) / name);
    return included_.count(candidate) ? candidate : std::string();
  };
  while (!open.empty() && seen.size() < kMaxFiles) {
    const std::string file = open.front();
    open.pop_front();
    const auto names = included_.find(file);
    if (names == included_.end()) continue;
    for (const std::string& written : names->second) {
      const std::string name = normal(written);
      std::string target = known(fs::path(file).parent_path().string(), written);
      for (std::size_t i = 0; target.empty() && i < given.size(); ++i) target = known(given[i], written);
      for (std::size_t i = 0; target.empty() && i < out.size(); ++i) target = known(out[i], written);
      if (target.empty() && !name.starts_with("..")) {
        target = nearest(file, name);
        if (target.empty()) continue;
        const std::string folder = target.substr(0, target.size() - name.size());
        out.push_back(folder.empty() ? "." : folder.substr(0, folder.size() - 1));
      }
      if (!target.empty() && seen.insert(target).second) open.push_back(target);
    }
  }
  return out;
}

}  // namespace np::analyzer
