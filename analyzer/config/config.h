// Config: what neuron-port.toml or [tool.neuron-port] of pyproject.toml says. The command line overrides it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np::analyzer {

struct Config {
  std::string path;  // the file read; empty when there was none
  std::vector<std::string> select, ignore, extend_select, exclude;
  std::string fail_on;               // "hint", "warning", "error"; empty: not set
  std::string target;                // "accelerator", "neuron"; empty: not set
  std::string min_torch;             // "2.6"; empty: read from the project's requirements
  std::map<std::string, int> lines;  // by key that the file sets: the line
};

// Reads a file. Errors: "io", "toml" (with line and column), "unknown-key" with the nearest key, "bad-value".
Result<Config> loadConfig(const std::string& file);

// The configuration of a project root: neuron-port.toml, else pyproject.toml's table, else an empty Config.
Result<Config> discoverConfig(const std::string& root);

// Text of a TOML file; `in_pyproject`: only the table tool.neuron-port counts.
Result<Config> parseConfig(std::string_view text, const std::string& path, bool in_pyproject);

// As TOML, the way `config show` prints it.
std::string toToml(const Config& config);

}  // namespace np::analyzer
