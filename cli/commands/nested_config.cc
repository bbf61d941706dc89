// Arguments of two projects have a root above both, whose configuration is neither's. What a project says of its own
// files still holds: the nearest configuration counts, alone.

#include "cli/commands/nested_config.h"

#include <filesystem>
#include <set>

#include "analyzer/project/ignore.h"

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

std::string whyExcluded(const analyzer::ConfigTree& configs, const std::string& path) {
  const std::string folder = configs.folderFor(path);
  if (folder.empty()) return "";  // the walk has seen to the root's own
  std::vector<analyzer::IgnorePattern> patterns;
  const analyzer::Config& config = configs.configFor(path);
  for (const std::string& pattern : config.exclude) patterns.push_back(analyzer::parseIgnoreLine(pattern, folder));
  std::erase_if(patterns, [](const analyzer::IgnorePattern& pattern) { return pattern.glob.empty(); });
  bool excluded = analyzer::isIgnored(patterns, path, false);
  for (fs::path at = fs::path(path).parent_path(); !excluded && at != fs::path(folder); at = at.parent_path())
    excluded = analyzer::isIgnored(patterns, at.string(), true);
  if (!excluded) return "";
  return "is excluded by the configuration in \"" + folder + "\"";
}

}  // namespace np::cli
