// Places that read or write an environment variable.
#pragma once

#include <string>
#include <vector>

#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

// True where the node stands for the name of a variable: `os.environ[node]`, `os.getenv(node)`, `node in os.environ`.
bool inEnvironmentAccess(const RuleInput& input, python::NodeId node);

struct NamedVariable {
  python::NodeId node;
  std::string variable;
};

// The accesses through a name that holds one text wherever it is bound: `GPUS = "CUDA_VISIBLE_DEVICES"`, then
// `os.environ[GPUS]`. In source order.
std::vector<NamedVariable> environmentAccessesByName(const RuleInput& input);

}  // namespace np::analyzer
