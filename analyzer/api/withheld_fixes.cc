// `device: str = "cuda"` in a stub repeats what a module does. Rewriting it to a call would say that the module's
// default changed, which may be untrue, and type checkers do not take calls there.

#include "analyzer/api/withheld_fixes.h"

namespace np::analyzer {

void withholdFixes(Finding& finding) {
  if (!finding.path.ends_with(".pyi") || finding.fixes.empty()) return;
  finding.fixes.clear();
  finding.notes.push_back("a stub repeats what its module does; change it by hand when the module changes");
}

}  // namespace np::analyzer
