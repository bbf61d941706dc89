// Two arguments may belong to two projects of one repository. With the root of the first alone, files of the second
// would lie outside: a fix could then neither be kept inside nor be taken back.

#include "cli/commands/project_root.h"

#include <algorithm>
#include <filesystem>

#include "analyzer/project/walk.h"

namespace np::cli {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(const std::string& path) {
  std::error_code ec;
  const fs::path absolute = fs::absolute(path, ec).lexically_normal();
  if (fs::is_directory(absolute, ec)) return fs::weakly_canonical(absolute, ec);
  return fs::weakly_canonical(absolute.parent_path(), ec);
}

fs::path common(const fs::path& a, const fs::path& b) {
  fs::path out;
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  for (auto part = a.begin(); part != differ.first; ++part) out /= *part;
  return out;
}

}  // namespace

std::string projectRoot(const std::vector<std::string>& paths) {
  if (paths.empty()) return analyzer::findProjectRoot(".");
  fs::path folder = folderOf(paths[0]);
  for (const std::string& path : paths) folder = common(folder, folderOf(path));
  return analyzer::findProjectRoot(folder.string());
}

}  // namespace np::cli
