// As in ruff: the nearest file wins as a whole, nothing is merged, so that one place tells everything about a folder.

#include "analyzer/config/config_tree.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace np::analyzer {
namespace {

std::string_view folderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

bool mentionsUs(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str().find("neuron-port") != std::string::npos;
}

}  // namespace

Result<ConfigTree> ConfigTree::make(const std::string& root, const std::vector<std::string>& files, Config at_root) {
  ConfigTree out;
  out.configs_.emplace("", std::move(at_root));
  for (const std::string& path : files) {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    const std::string folder(folderOf(path));
    const bool is_ours = name == "neuron-port.toml";
    if (folder.empty() || (!is_ours && name != "pyproject.toml")) continue;
    const std::string file = (std::filesystem::path(root) / path).string();
    if (!is_ours && !mentionsUs(file)) continue;
    NP_ASSIGN(Config config, loadConfig(file));
    if (config.path.empty()) continue;
    const auto known = out.configs_.find(folder);
    if (known == out.configs_.end())
      out.configs_.emplace(folder, std::move(config));
    else if (is_ours)
      known->second = std::move(config);
  }
  return out;
}

std::string ConfigTree::folderFor(std::string_view path) const {
  for (std::string_view folder = folderOf(path); !folder.empty(); folder = folderOf(folder))
    if (configs_.contains(folder)) return std::string(folder);
  return "";
}

SelectionRequest selectionFor(const Config& config, const SelectionRequest& command_line) {
  SelectionRequest out{config.select, config.extend_select, config.ignore};
  if (!command_line.select.empty()) out.select = command_line.select;
  out.extend_select.insert(out.extend_select.end(), command_line.extend_select.begin(),
                           command_line.extend_select.end());
  out.ignore.insert(out.ignore.end(), command_line.ignore.begin(), command_line.ignore.end());
  return out;
}

const Config& ConfigTree::configFor(std::string_view path) const { return configs_.find(folderFor(path))->second; }

}  // namespace np::analyzer
