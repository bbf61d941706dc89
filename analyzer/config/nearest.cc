// Nearest matches for a misspelt rule, key or flag. Plain dynamic programming over three rows (optimal string
// alignment): the lists are short, so nothing cleverer pays.

#include "analyzer/config/nearest.h"

#include <algorithm>
#include <cctype>

namespace np::analyzer {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::vector<std::string> nearestMatches(std::string_view word, const std::vector<std::string>& candidates,
                                        std::size_t limit) {
  const std::size_t bound = std::max<std::size_t>(2, word.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> scored;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = editDistance(word, candidate);
    if (distance <= bound) scored.emplace_back(distance, candidate);
  }
  std::sort(scored.begin(), scored.end());
  scored.erase(std::unique(scored.begin(), scored.end()), scored.end());
  std::vector<std::string> out;
  for (const auto& [distance, candidate] : scored) {
    if (out.size() == limit) break;
    out.push_back(candidate);
  }
  return out;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::vector<std::string> near = nearestMatches(word, candidates, 2);
  if (near.empty()) return "";
  std::string out = "; did you mean \"" + near[0] + "\"";
  if (near.size() > 1) out += " or \"" + near[1] + "\"";
  return out + "?";
}

}  // namespace np::analyzer
