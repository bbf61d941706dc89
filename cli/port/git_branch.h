// port --git-branch: the port as commits on a new branch of the project's own repository.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::cli {

struct CommitFile {
  std::string path;  // relative to the project folder
  std::string text;
  std::string before;  // what the work tree has; empty for a new file
};

struct CommitStep {
  std::string subject;
  std::vector<CommitFile> files;
};

// Error "git" when `folder` is in no work tree, has no commit or has uncommitted changes, when the branch exists or
// cannot be a name.
Result<void> mayBranch(const std::string& folder, const std::string& branch);

// Makes the commits on top of HEAD, one a step that changes something, then the branch; returns how many. Neither the
// work tree nor HEAD nor the index is touched, and no hook or filter of the repository runs. Errors: "git", also for a
// file that git converts on checkout (line ends, filters); the branch does not exist then.
Result<std::size_t> commitSteps(const std::string& folder, const std::string& branch,
                                const std::vector<CommitStep>& steps);

}  // namespace np::cli
