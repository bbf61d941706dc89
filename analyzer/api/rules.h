// Every rule of the product, and what the API map says of a CUDA name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/rules/registry.h"

namespace np::analyzer {

// All rooms' rules in one registry. An error is a fault in our own pages.
Result<RuleRegistry> builtinRules();

// One row of the CUDA to Neuron map (shims/tables/cuda_to_neuron_map.json), or of the table of names in C++ and device
// code (cuda_host_api.json); `kind` is then the rule that reports the name.
struct ApiMapRow {
  std::string cuda, category, accelerator, neuron, kind, note, min_torch, source;
};

// Rows whose CUDA side is, or contains, `name`; best match first, at most `limit`.
std::vector<ApiMapRow> findInApiMap(const std::string& name, std::size_t limit = 5);

}  // namespace np::analyzer
