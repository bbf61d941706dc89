// Which rules are on. A rule is named by its id or any prefix; the longest prefix that matches decides, as in ruff.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np::analyzer {

struct SelectionRequest {
  std::vector<std::string> select, extend_select, ignore;
};

class RuleSelection {
 public:
  // Error "unknown-rule" when a name matches none of `known` (all rule ids), with the nearest that exists.
  static Result<RuleSelection> make(const SelectionRequest& request, const std::vector<std::string>& known);

  bool selects(std::string_view rule) const;

 private:
  std::vector<std::string> on_, off_;
};

}  // namespace np::analyzer
