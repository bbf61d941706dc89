// Which files of a project differ from a git revision.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::analyzer {

// Of the files below `root` that a walk finds, those that are new or whose bytes are not those of `revision`; ordered.
// Asks git for the revision's tree and compares bytes itself: no hook, filter, pager or file system monitor that the
// repository configures is run. Errors: "git" (no git, no repository, no such revision).
Result<std::vector<std::string>> changedSince(const std::string& root, const std::string& revision);

}  // namespace np::analyzer
