// The rules about everything around the code: requirements, containers, launchers, configuration, workflows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer {

// Whether a file of this name is looked at: requirements*.txt, pyproject.toml, setup.cfg, Dockerfile, *.sh, *.yml ….
bool isEnvironmentFile(std::string_view path);

// Files beyond this size are data, not configuration.
inline constexpr std::size_t kLargestEnvironmentFile = 512u << 10;

// The findings of one such file, ordered; never fails on any input.
std::vector<Finding> analyzeEnvironment(const SourceText& text, const RuleRegistry& registry);

std::span<const std::string_view> environmentRulePages();

}  // namespace np::analyzer
