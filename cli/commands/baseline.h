// The baseline: findings that a project has accepted, so that only new ones are reported.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/base/finding.h"
#include "analyzer/base/result.h"

namespace np::cli {

struct BaselineEntry {
  std::string path, rule, fingerprint;  // the fingerprint holds statement and occurrence, and no line number
  auto operator<=>(const BaselineEntry&) const = default;
};

class Baseline {
 public:
  static Baseline of(const std::vector<Finding>& findings);
  // Errors: "io", "baseline" when the file is none of ours.
  static Result<Baseline> read(const std::string& file);

  // One entry a line, ordered, so that a merge of two branches is readable.
  std::string text() const;
  std::size_t size() const { return entries_.size(); }
  bool contains(const Finding& finding) const;
  // Keeps what `keep` says of each entry.
  template <typename Keep>
  void retain(const Keep& keep) {
    std::erase_if(entries_, [&](const BaselineEntry& entry) { return !keep(entry); });
  }
  void add(const Baseline& other) { entries_.insert(other.entries_.begin(), other.entries_.end()); }

 private:
  std::set<BaselineEntry> entries_;
};

}  // namespace np::cli
