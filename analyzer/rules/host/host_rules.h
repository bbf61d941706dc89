// The rules over C++ as it is written: host code, build conditions and hazards of device code. Entry points for
// analyzer/api.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/base/source_text.h"
#include "analyzer/build/extensions.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer {

// Pages of all rules of this room.
std::span<const std::string_view> hostRulePages();

// Findings of a project's C++ files, ordered; positions are filled, suppressions are not applied. `texts` are all of
// them: what a function is depends on where else it is declared, bound and defined.
std::vector<Finding> checkHost(const std::vector<const SourceText*>& texts, const std::vector<BuildFile>& build_files,
                               const RuleRegistry& registry);

}  // namespace np::analyzer
