// Two replacements conflict when their ranges overlap; an insertion conflicts inside a replacement. Two different
// insertions at one place conflict too: which comes first would be our guess.

#include "rewriter/merge/edits.h"

#include <algorithm>

namespace np::rewriter {
namespace {

bool disturb(const Edit& a, const Edit& b) {
  if (a == b) return false;
  if (a.range.empty() && b.range.empty()) return a.range.start == b.range.start;
  if (a.range.empty()) return b.range.start < a.range.start && a.range.start < b.range.end;
  if (b.range.empty()) return a.range.start < b.range.start && b.range.start < a.range.end;
  return a.range.start < b.range.end && b.range.start < a.range.end;
}

}  // namespace

bool EditSet::accepts(const Edit& edit) const {
  return std::none_of(edits_.begin(), edits_.end(), [&](const Edit& other) { return disturb(edit, other); });
}

void EditSet::add(const Edit& edit) {
  const auto at = std::lower_bound(edits_.begin(), edits_.end(), edit,
                                   [](const Edit& a, const Edit& b) { return a.range < b.range; });
  for (auto it = at; it != edits_.end() && it->range == edit.range; ++it)
    if (*it == edit) return;
  edits_.insert(at, edit);
}

std::string EditSet::apply(std::string_view text) const {
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits_) {
    const std::size_t start = std::min<std::size_t>(edit.range.start, text.size()),
                      end = std::min<std::size_t>(edit.range.end, text.size());
    out += text.substr(at, start - at);
    out += edit.text;
    at = std::max(at, end);
  }
  out += text.substr(at);
  return out;
}

}  // namespace np::rewriter
