// The folder of the nearest configuration is looked up per file; its selection was made once.

#include "analyzer/api/nearest_selection.h"

#include <filesystem>
#include <set>

#include "analyzer/project/ignore.h"

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

// Whether one of the patterns takes away the path or a folder that it lies in.
bool isExcluded(const std::vector<IgnorePattern>& patterns, std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    if (isIgnored(patterns, path.substr(0, slash), true)) return true;
  return isIgnored(patterns, path, false);
}

// The files that the request names one by one, relative to the root.
std::set<std::string> namedFiles(const AnalyzeRequest& request, const std::string& root) {
  std::set<std::string> out;
  std::error_code ec;
  if (request.walk.force_exclude) return out;
  for (const std::string& path : request.walk.paths)
    if (fs::is_regular_file(path, ec)) out.insert(fs::absolute(path, ec).lexically_normal().lexically_relative(root));
  return out;
}

void takeExcluded(const ConfigTree& tree, const AnalyzeRequest& request, Walk& walk) {
  std::map<std::string, std::vector<IgnorePattern>> patterns;
  for (const auto& [folder, config] : tree.all())
    if (!folder.empty())
      for (const std::string& glob : config.exclude) patterns[folder].push_back(parseIgnoreLine(glob, folder));
  if (patterns.empty()) return;
  const std::set<std::string> named = namedFiles(request, walk.root);
  const auto excluded = [&](const ProjectFile& file) {
    const auto found = patterns.find(tree.folderFor(file.path));
    return found != patterns.end() && !named.contains(file.path) && isExcluded(found->second, file.path);
  };
  std::erase_if(walk.files, excluded);
  std::erase_if(walk.environment, excluded);
}

}  // namespace

Result<NearestSelection> NearestSelection::make(const AnalyzeRequest& request, const std::vector<std::string>& rules,
                                                Walk& walk) {
  NearestSelection out;
  NP_ASSIGN(RuleSelection root, RuleSelection::make(request.selection, rules));
  out.by_folder_.emplace("", std::move(root));
  if (!request.root_config) return out;
  std::vector<std::string> files;
  for (const ProjectFile& file : walk.environment) files.push_back(file.path);
  NP_ASSIGN(const ConfigTree tree, ConfigTree::make(walk.root, files, *request.root_config));
  if (!tree.hasNested()) return out;
  for (const auto& [folder, config] : tree.all()) {
    if (folder.empty()) continue;
    auto selection = RuleSelection::make(selectionFor(config, request.command_line), rules);
    if (!selection.ok()) {
      Error error = selection.error();
      error.location = config.path;
      return error;
    }
    out.by_folder_.emplace(folder, std::move(*selection));
  }
  takeExcluded(tree, request, walk);
  return out;
}

bool NearestSelection::selects(std::string_view rule, std::string_view path) const {
  if (by_folder_.size() > 1)
    for (std::size_t end = path.rfind('/'); end != std::string_view::npos && end > 0; end = path.rfind('/', end - 1))
      if (const auto found = by_folder_.find(path.substr(0, end)); found != by_folder_.end())
        return found->second.selects(rule);
  return by_folder_.find("")->second.selects(rule);
}

}  // namespace np::analyzer
