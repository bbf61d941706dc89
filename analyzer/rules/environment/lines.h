// A configuration file as lines, and a line as words: all that the rules about the environment need. Line-level on
// purpose: a file that is half broken, or a template, still gives its good lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace np::analyzer {

// Views into the file's bytes; a place is a difference of pointers.
struct EnvironmentLine {
  std::string_view text;  // without terminator and comment
  std::string_view comment;
};

// `#` starts a comment at the start of a line or after a blank, outside of quotes. Files without comments: pass false.
std::vector<EnvironmentLine> linesOf(std::string_view bytes, bool has_comments);

std::string_view trimmed(std::string_view text);
// Without one pair of quotes around it.
std::string_view unquoted(std::string_view text);
// Words of a command line: split at blanks and at = ; & | ( ), quotes kept together and stripped.
std::vector<std::string_view> wordsOf(std::string_view line);
std::string lowered(std::string_view text);

}  // namespace np::analyzer
