// Arguments of two projects have a root above both, whose configuration is neither's. What a project says of its own
// files still holds: the nearest configuration counts, alone.

#include "cli/commands/nested_config.h"

#include <filesystem>
#include <set>

namespace np::cli {

namespace fs = std::filesystem;

Result<analyzer::ConfigTree> configsAbove(const std::string& root, const std::vector<std::string>& paths,
                                          analyzer::Config at_root) {
  std::set<std::string> folders;
  for (const std::string& path : paths)
    for (fs::path folder = fs::path(path).parent_path(); !folder.empty(); folder = folder.parent_path())
      if (!folders.insert(folder.string()).second) break;
  std::vector<std::string> files;
  std::error_code ec;
  for (const std::string& folder : folders)
    for (const char* name : {"neuron-port.toml", "pyproject.toml"})
      if (fs::is_regular_file(fs::path(root) / folder / name, ec)) files.push_back(folder + "/" + name);
  return analyzer::ConfigTree::make(root, files, std::move(at_root));
}

}  // namespace np::cli
