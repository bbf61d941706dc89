// Fixes that are not made whatever a rule proposes.
#pragma once

#include <set>
#include <string>

#include "analyzer/base/finding.h"

namespace np::analyzer {

// Takes the fixes of a stub (.pyi) away, with a note: it states the types of a module, and its defaults are never
// computed.
void withholdFixes(Finding& finding);

// Device flows of a file with a place that stays as it is, because it is suppressed or not selected.
class SplitFlows {
 public:
  void add(const Finding& left_alone);
  // Takes fixes of such a flow away, with a note: half a flow would compare with one device and use another.
  void withhold(Finding& finding) const;

 private:
  std::set<std::string> groups_;
};

}  // namespace np::analyzer
