// Ignore files: gitignore patterns, as in .gitignore and --exclude.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace np::analyzer {

// One pattern line. `base` is the folder of the ignore file, relative to the root, "" for the root itself.
struct IgnorePattern {
  std::string base;
  std::string glob;       // without '!', leading and trailing '/'
  bool negated = false;   // "!x": not ignored after all
  bool anchored = false;  // holds a '/' before its end: matches from `base`
  bool folder_only = false;
  // Most patterns are plain names or "*.ext", which are compared without matching wildcards.
  enum class Shape { Glob, Plain, Suffix } shape = Shape::Glob;
};

// The pattern of a line, nothing for blank lines and comments (an empty glob).
IgnorePattern parseIgnoreLine(std::string_view line, std::string base);
std::vector<IgnorePattern> parseIgnoreFile(std::string_view text, const std::string& base);

// Whether `path` (relative to the root, '/' separators) is ignored: the last matching pattern decides. Parents are not
// looked at: who walks does not enter an ignored folder.
bool isIgnored(const std::vector<IgnorePattern>& patterns, std::string_view path, bool is_folder);

// gitignore's wildcards: '*' and '?' do not match '/', "**" does, "[a-z]" and "[!a-z]" are sets. Linear in the path for
// patterns without "**", never exponential.
bool globMatches(std::string_view glob, std::string_view text);

}  // namespace np::analyzer
