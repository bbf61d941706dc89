// "did you mean": the candidates that a misspelt word may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace np::analyzer {

// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, case ignored.
std::size_t editDistance(std::string_view a, std::string_view b);

// At most `limit` candidates, nearest first, none further away than a third of the word (at least two steps).
std::vector<std::string> nearestMatches(std::string_view word, const std::vector<std::string>& candidates,
                                        std::size_t limit = 3);

// "; did you mean \"x\" or \"y\"?", empty when nothing is near. To be put after an error message.
std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace np::analyzer
