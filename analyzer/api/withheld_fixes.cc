// `device: str = "cuda"` in a stub repeats what a module does. Rewriting it to a call would say that the module's
// default changed, which may be untrue, and type checkers do not take calls there.

#include "analyzer/api/withheld_fixes.h"

namespace np::analyzer {

void withholdFixes(Finding& finding) {
  if (!finding.path.ends_with(".pyi") || finding.fixes.empty()) return;
  finding.fixes.clear();
  finding.notes.push_back("a stub repeats what its module does; change it by hand when the module changes");
}

void SplitFlows::add(const Finding& left_alone) {
  for (const Fix& fix : left_alone.fixes)
    if (!fix.group.empty()) groups_.insert(fix.group);
}

void SplitFlows::withhold(Finding& finding) const {
  const std::size_t before = finding.fixes.size();
  std::erase_if(finding.fixes, [&](const Fix& fix) { return groups_.contains(fix.group); });
  if (finding.fixes.size() < before)
    finding.notes.push_back("belongs to a device flow with a place that is suppressed or not selected");
}

}  // namespace np::analyzer
