// One configuration file and the findings it collects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/rules/environment/lines.h"
#include "analyzer/rules/registry.h"

namespace np::analyzer {

enum class EnvironmentKind {
  None,
  Requirements,
  Pyproject,
  SetupCfg,
  Conda,
  Dockerfile,
  Shell,
  Yaml,
  Workflow,
  Toml,
  Json,
  PythonVersion
};

// By name alone.
EnvironmentKind environmentKind(std::string_view path);

class EnvironmentFile {
 public:
  EnvironmentFile(const SourceText& text, const RuleRegistry& registry, EnvironmentKind kind)
      : text_(text), registry_(registry), kind_(kind), lines_(linesOf(text.bytes(), kind != EnvironmentKind::Json)) {}

  EnvironmentKind kind() const { return kind_; }
  const std::vector<EnvironmentLine>& lines() const { return lines_; }

  // A finding at `place`, a view into the file. The reference is good until the next one; null when that place has a
  // finding of the rule already.
  Finding* add(std::string_view rule, std::string_view place, std::string subject, std::string message);
  // A change to show, never to apply: `place` becomes `replacement`.
  void sketch(Finding& finding, std::string_view place, std::string replacement, std::string title) const;

  std::vector<Finding>& findings() { return findings_; }
  static constexpr std::size_t kMost = 500;
  bool full() const { return findings_.size() >= kMost; }

 private:
  Range rangeOf(std::string_view place) const;

  const SourceText& text_;
  const RuleRegistry& registry_;
  EnvironmentKind kind_;
  std::vector<EnvironmentLine> lines_;
  std::vector<Finding> findings_;
};

// The rules, each over the whole file.
void requirementRules(EnvironmentFile& file);    // NPT5101 … NPT5104
void containerRules(EnvironmentFile& file);      // NPT5105
void launchRules(EnvironmentFile& file);         // NPT5106, NPT5107, NPT5109
void configurationRules(EnvironmentFile& file);  // NPT5108

}  // namespace np::analyzer
