// Splits text without copying it. Quotes are honoured as shells, TOML and YAML do, escapes are not: no name that is
// looked for needs one.

#include "analyzer/rules/environment/lines.h"

#include <algorithm>
#include <cctype>

namespace np::analyzer {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

// Where the comment of a line starts; its size when it has none.
std::size_t commentOf(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      // An apostrophe inside a word quotes nothing.
      if (i == 0 || c == '"' || !std::isalnum(static_cast<unsigned char>(line[i - 1]))) quote = c;
    } else if (c == '#' && (i == 0 || isBlank(line[i - 1]))) {
      return i;
    }
  }
  return line.size();
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (isBlank(text.front()) || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (isBlank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::vector<EnvironmentLine> linesOf(std::string_view bytes, bool has_comments) {
  std::vector<EnvironmentLine> out;
  while (!bytes.empty()) {
    const auto end = std::min(bytes.find_first_of("\n\r"), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    const std::size_t comment = has_comments ? commentOf(line) : line.size();
    out.push_back({line.substr(0, comment), line.substr(comment)});
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return out;
}

std::vector<std::string_view> wordsOf(std::string_view line) {
  constexpr std::string_view kBreaks = " \t;&|()=,[]{}";
  std::vector<std::string_view> out;
  std::size_t start = 0;
  char quote = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const char c = i < line.size() ? line[i] : ' ';
    if (quote != 0 && i < line.size()) {
      if (c != quote) continue;
      quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
      continue;
    }
    if (kBreaks.find(c) == std::string_view::npos) continue;
    if (i > start) out.push_back(unquoted(line.substr(start, i - start)));
    start = i + 1;
  }
  return out;
}

}  // namespace np::analyzer
