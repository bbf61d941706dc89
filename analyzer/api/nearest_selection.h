// Which rules are on and what is excluded, file by file, where a project has several configuration files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/api/analyze.h"
#include "analyzer/config/config_tree.h"

namespace np::analyzer {

class NearestSelection {
 public:
  // `rules`: all rule ids. Takes the files out of `walk` that a configuration below the root excludes, unless they are
  // named in the request. Errors: of a configuration file, an unknown rule.
  static Result<NearestSelection> make(const AnalyzeRequest& request, const std::vector<std::string>& rules,
                                       Walk& walk);

  bool selects(std::string_view rule, std::string_view path) const;

 private:
  std::map<std::string, RuleSelection, std::less<>> by_folder_;  // "" is the root
};

}  // namespace np::analyzer
