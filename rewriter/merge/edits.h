// Edits of one file: whether they go together, and the text they give.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"

namespace np::rewriter {

// A set of edits of one file that do not disturb each other.
class EditSet {
 public:
  // Whether the edit can join: it touches nothing that another replaces. The same edit twice is one edit; two different
  // insertions at one place, and an insertion at the edge of a replacement, disturb each other only when their order
  // would matter.
  bool accepts(const Edit& edit) const;
  void add(const Edit& edit);

  // The text with all edits made. Bytes outside them are untouched.
  std::string apply(std::string_view text) const;
  bool empty() const { return edits_.empty(); }
  const std::vector<Edit>& edits() const { return edits_; }

 private:
  std::vector<Edit> edits_;  // by range, each once
};

}  // namespace np::rewriter
