// Groups: findings whose fixes stand or fall together, and why a fix is not wanted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rewriter/merge/plan.h"

namespace np::rewriter {

struct Group {
  std::vector<std::pair<const Finding*, const Fix*>> members;
  std::string refused;  // why not, empty while it is in

  bool touches(const std::string& path) const;
};

// Findings without a wanted fix go to `left` with the reason; a group with one of them is refused.
std::vector<Group> groupsOf(const std::vector<Finding>& findings, const PlanOptions& options,
                            std::vector<LeftOver>& left);

}  // namespace np::rewriter
