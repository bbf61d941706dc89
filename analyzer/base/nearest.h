// The candidate nearest to a word the user mistyped, for "did you mean" in error messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace np {

// Smallest edit distance wins, earlier candidate on a tie; nothing when even the best is further than a third of the
// word (at least 2 edits are allowed).
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace np
