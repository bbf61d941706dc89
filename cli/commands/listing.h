// JSON of what rules, explain and doctor print.
#pragma once

#include <string>
#include <vector>

#include "analyzer/api/rules.h"
#include "cli/invocation.h"

namespace np::cli {

// One line of doctor.
struct Check {
  std::string what;
  bool good = false;
  std::string detail;
  std::string advice;  // when not good
};

std::string rulesJson(const std::vector<analyzer::RuleInfo>& rules);
std::string ruleJson(const analyzer::RuleInfo& rule);  // with its page
std::string rowsJson(const std::vector<analyzer::ApiMapRow>& rows);
std::string refusalJson(const std::string& code, const std::string& page);
std::string checksJson(const std::vector<Check>& checks);

// Writes to where the output request says, standard output by default; the text is made on demand. Error "usage" for a
// format other than text and json.
Result<void> writeListing(const Invocation& invocation, const std::string& text, const std::string& json);

}  // namespace np::cli
