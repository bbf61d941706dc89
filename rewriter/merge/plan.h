// Plan: which fixes are made and what the files become. Nothing is written here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analyzer/base/finding.h"

namespace np::rewriter {

struct PlanOptions {
  FixSafety highest = FixSafety::Safe;  // Unsafe: also those
  // The oldest torch that a file's project promises to run with: no fix there may need a newer one. Empty, or not set:
  // no promise.
  std::function<std::string(const std::string& path)> promised_torch;
  // Why a file may not be changed ("is read-only"), empty when it may; not set: all may.
  std::function<std::string(const std::string& path)> locked;
};

struct FileChange {
  std::string path;
  std::string before, after;
};

struct AppliedFix {
  std::string rule, path, title, min_torch;
  FixSafety safety = FixSafety::Safe;
  Position start;
};

// A finding whose fix was not made, and why.
struct LeftOver {
  std::string rule, path, reason;
  Position start;
  bool has_fix = false;  // there is one, but it was not made
};

struct Plan {
  std::vector<FileChange> files;
  std::vector<AppliedFix> applied;
  std::vector<LeftOver> left;
  std::string min_torch;  // newest torch that an applied fix asks for; empty: none
};

// The current text of a file; null when it cannot be had.
using TextLookup = std::function<const SourceText*(const std::string& path)>;

// One round. Fixes of one group are made together or not at all; of fixes that disturb each other the first stays; a
// file that would no longer parse loses the fix that breaks it (the rule is named in `left`).
Plan planFixes(const std::vector<Finding>& findings, const TextLookup& texts, const PlanOptions& options);

// "2.6" < "2.10".
bool isOlder(const std::string& a, const std::string& b);

}  // namespace np::rewriter
