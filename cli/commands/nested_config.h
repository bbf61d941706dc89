// Configurations below the project root.
#pragma once

#include <string>
#include <vector>

#include "analyzer/config/config_tree.h"

namespace np::cli {

// Every neuron-port.toml and pyproject.toml on the way from the root to one of `paths` (relative to it). Errors as of
// ConfigTree::make.
Result<analyzer::ConfigTree> configsAbove(const std::string& root, const std::vector<std::string>& paths,
                                          analyzer::Config at_root);

}  // namespace np::cli
