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

// Every file is written beside its target and renamed over it once all are written; permissions stay. Nothing is
// written when a file holds other bytes than `before` or must not be replaced. The old texts go to
// ROOT/.neuron-port/undo first. Errors: "write", "changed" (they name the file), "busy", "interrupted".
Result<void> applyTexts(const std::string& root, const std::vector<NewText>& texts);

// Takes back the newest applyTexts that was not taken back yet, also one that was killed half-way; returns the paths.
// Errors: "nothing-to-undo"; "changed" names every file that was edited since, and nothing is written; "journal",
// "outside" for a journal that is not ours; "write", "busy".
Result<std::vector<std::string>> undoTexts(const std::string& root);

}  // namespace np::rewriter
