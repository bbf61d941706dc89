// Looks for any of some words in one pass over the bytes: decides which files are worth parsing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace np::analyzer::python {

class WordSearch {
 public:
  // A word matches anywhere; one given in `whole` only where no letter, digit or underscore stands before or after it.
  // Words have at least two bytes.
  WordSearch(const std::vector<std::string>& anywhere, const std::vector<std::string>& whole);

  bool findsAny(std::string_view bytes) const;

 private:
  struct Word {
    std::string text;
    bool whole = false;
    std::uint32_t anchor = 0;  // place of the rarest pair of bytes in the word
  };
  void add(const std::string& text, bool whole);
  bool matches(std::string_view bytes, std::size_t at, const Word& word) const;

  std::vector<Word> words_;
  std::vector<std::uint64_t> pairs_;                  // bit by pair of bytes: some word is anchored there
  std::vector<std::vector<std::uint32_t>> by_first_;  // by first byte of the anchor
};

}  // namespace np::analyzer::python
