// Runs the rules about the environment over one file. Each reads lines, so that templates and broken files still give
// what they have; a search for a few words lets the many files that speak of none of this go.

#include "analyzer/rules/environment/analyze_environment.h"

#include <algorithm>

#include "analyzer/rules/environment/environment_file.h"

namespace np::analyzer {

bool isEnvironmentFile(std::string_view path) { return environmentKind(path) != EnvironmentKind::None; }

std::vector<Finding> analyzeEnvironment(const SourceText& text, const RuleRegistry& registry) {
  const EnvironmentKind kind = environmentKind(text.path());
  if (kind == EnvironmentKind::None || text.bytes().size() > kLargestEnvironmentFile) return {};
  EnvironmentFile file(text, registry, kind);
  requirementRules(file);
  containerRules(file);
  launchRules(file);
  configurationRules(file);
  std::sort(file.findings().begin(), file.findings().end(), before);
  return std::move(file.findings());
}

}  // namespace np::analyzer
