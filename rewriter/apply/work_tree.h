// Whether a git work tree has changes that are in no commit.
#pragma once

#include <string>

namespace np::rewriter {

// True when tracked files below `root` differ from the last commit, staged or not; false without git or a work tree.
// Runs no filter, hook, monitor or remote helper that the repository configures; when one of its names makes that
// impossible, the tree counts as changed.
bool hasUncommittedChanges(const std::string& root);

}  // namespace np::rewriter
