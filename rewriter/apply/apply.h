// Writes changed files, all or none, and takes them back.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::rewriter {

struct NewText {
  std::string path;  // relative to the root
  std::string before, after;
};

// Every file is written beside its target and renamed over it once all are written; permissions stay. A file whose
// bytes are no longer `before` stops everything. The old texts go to ROOT/.neuron-port/undo. Error "write" names the
// file.
Result<void> applyTexts(const std::string& root, const std::vector<NewText>& texts);

// Takes back the last applyTexts. Errors: "nothing-to-undo"; "changed" when a file was edited since.
Result<std::vector<std::string>> undoTexts(const std::string& root);

// True when git is used here and the working tree has uncommitted changes to tracked files.
bool hasUncommittedChanges(const std::string& root);

}  // namespace np::rewriter
