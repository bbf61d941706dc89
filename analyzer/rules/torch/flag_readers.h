// Who reads a flag, and whether the flag may be true on Neuron.
#pragma once

#include <string>

#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

// Why a variable that holds the test may not become true on Neuron; empty when every reader opens device-neutral code.
// The fixes of what the readers open go into `fix`.
std::string flagObstacle(const RuleInput& input, FileFindings& out, const python::AvailabilityTest& test,
                         FixBuilder& fix);

}  // namespace np::analyzer
