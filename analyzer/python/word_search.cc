// Each word is recognised by one pair of its bytes; a bit table over all pairs is asked at every position, and words
// are compared only where it says yes. The pair is the word's rarest, judged by how rare its letters are in source
// text, so that few positions get that far. About 1 GB/s; a search per word was 30 times slower for 60 words.

#include "analyzer/python/word_search.h"

#include <cstring>

namespace np::analyzer::python {
namespace {

bool isWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Rank of a letter by its frequency in Python sources; the rest is rare.
int frequency(char c) {
  constexpr std::string_view kByRank = "zqjZQJXKYWVHkGBwUOPvxDyLbMNgFREISTACh_mcupdfloniarste";
  const std::size_t at = kByRank.find(c);
  return at == std::string_view::npos ? 8 : static_cast<int>(at);
}

std::size_t pairOf(const char* at) {
  return static_cast<unsigned char>(at[0]) | (static_cast<std::size_t>(static_cast<unsigned char>(at[1])) << 8);
}

}  // namespace

WordSearch::WordSearch(const std::vector<std::string>& anywhere, const std::vector<std::string>& whole)
    : pairs_(65536 / 64, 0), by_first_(256) {
  for (const std::string& word : anywhere) add(word, false);
  for (const std::string& word : whole) add(word, true);
}

void WordSearch::add(const std::string& text, bool whole) {
  if (text.size() < 2) return;
  Word word{text, whole, 0};
  int best = 1 << 20;
  for (std::uint32_t i = 0; i + 1 < text.size(); ++i) {
    const int rank = frequency(text[i]) * frequency(text[i + 1]);
    if (rank < best) best = rank, word.anchor = i;
  }
  const std::size_t pair = pairOf(text.data() + word.anchor);
  pairs_[pair / 64] |= std::uint64_t{1} << (pair % 64);
  by_first_[static_cast<unsigned char>(text[word.anchor])].push_back(static_cast<std::uint32_t>(words_.size()));
  words_.push_back(std::move(word));
}

bool WordSearch::matches(std::string_view bytes, std::size_t at, const Word& word) const {
  if (at < word.anchor) return false;
  at -= word.anchor;
  const std::size_t size = word.text.size();
  if (at + size > bytes.size() || std::memcmp(bytes.data() + at, word.text.data(), size) != 0) return false;
  if (!word.whole) return true;
  return (at == 0 || !isWordByte(bytes[at - 1])) && (at + size == bytes.size() || !isWordByte(bytes[at + size]));
}

bool WordSearch::findsAny(std::string_view bytes) const {
  const std::uint64_t* pairs = pairs_.data();
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    const std::size_t pair = pairOf(bytes.data() + i);
    if (!((pairs[pair / 64] >> (pair % 64)) & 1)) continue;
    for (std::uint32_t word : by_first_[pair & 255])
      if (matches(bytes, i, words_[word])) return true;
  }
  return false;
}

}  // namespace np::analyzer::python
