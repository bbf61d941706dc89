// Configuration of a project with several files of it: the nearest one at or above a source file counts, alone.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/config/config.h"
#include "analyzer/config/selection.h"

namespace np::analyzer {

class ConfigTree {
 public:
  // `files`: paths relative to `root`; all but neuron-port.toml and pyproject.toml are passed over, and so is a
  // pyproject.toml without our table. Errors as of loadConfig; a broken pyproject.toml below the root that does not
  // even mention us is none of our business. The root's own configuration is `at_root`.
  static Result<ConfigTree> make(const std::string& root, const std::vector<std::string>& files, Config at_root);

  // For a path relative to the root.
  const Config& configFor(std::string_view path) const;
  // The folder whose configuration that is, "" for the root: patterns in it are relative to this.
  std::string folderFor(std::string_view path) const;
  bool hasNested() const { return configs_.size() > 1; }
  // Every configuration by its folder, "" being the root.
  const std::map<std::string, Config, std::less<>>& all() const { return configs_; }

 private:
  std::map<std::string, Config, std::less<>> configs_;  // by folder
};

// What a configuration and the command line select together: lists of `ignore` and `extend-select` add up, `select` of
// the command line replaces.
SelectionRequest selectionFor(const Config& config, const SelectionRequest& command_line);

// One line of `config explain`.
struct Setting {
  std::string key;
  std::string value;   // as TOML
  std::string origin;  // "pyproject.toml:12", "default"
};

// Every key with its value and where that was set, in the order of the documentation.
std::vector<Setting> explainConfig(const Config& config);

}  // namespace np::analyzer
