// Configurations below the project root, for what fix may change.
#pragma once

#include <string>
#include <vector>

#include "analyzer/config/config_tree.h"

namespace np::cli {

// Every neuron-port.toml and pyproject.toml on the way from the root to one of `paths` (relative to it). Errors as of
// ConfigTree::make.
Result<analyzer::ConfigTree> configsAbove(const std::string& root, const std::vector<std::string>& paths,
                                          analyzer::Config at_root);

// "is excluded by one/neuron-port.toml" when the configuration nearest to a file, below the root, leaves it out; else
// empty.
std::string whyExcluded(const analyzer::ConfigTree& configs, const std::string& path);

}  // namespace np::cli
