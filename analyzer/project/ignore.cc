// Matching backtracks to the latest star only, as for plain wildcards, with a second mark for "**": the cost is bounded
// by pattern length × path length × 2, which hostile patterns cannot exceed.

#include "analyzer/project/ignore.h"

#include <algorithm>

namespace np::analyzer {
namespace {

// Matches one character against the set at glob[g] == '['; sets `next` past it. A set without ']' is a plain '['.
bool matchesSet(std::string_view glob, std::size_t g, char c, std::size_t& next) {
  std::size_t i = g + 1;
  const bool negated = i < glob.size() && (glob[i] == '!' || glob[i] == '^');
  if (negated) ++i;
  bool found = false;
  const std::size_t first = i;
  while (i < glob.size() && (glob[i] != ']' || i == first)) {
    const char low = glob[i];
    if (i + 2 < glob.size() && glob[i + 1] == '-' && glob[i + 2] != ']') {
      found |= low <= c && c <= glob[i + 2];
      i += 3;
    } else {
      found |= low == c;
      ++i;
    }
  }
  if (i >= glob.size()) {
    next = g + 1;
    return c == '[';
  }
  next = i + 1;
  return c != '/' && found != negated;
}

}  // namespace

bool globMatches(std::string_view glob, std::string_view text) {
  std::size_t g = 0, t = 0;
  std::size_t star_g = std::string_view::npos, star_t = 0;  // after the last '*'
  std::size_t deep_g = std::string_view::npos, deep_t = 0;  // after the last "**"
  while (t < text.size()) {
    if (glob.substr(g).starts_with("**")) {
      // "**/" also matches no folder at all.
      g += 2;
      if (g < glob.size() && glob[g] == '/' && (g == 2 || glob[g - 3] == '/')) ++g;
      deep_g = g, deep_t = t, star_g = std::string_view::npos;
      continue;
    }
    if (g < glob.size() && glob[g] == '*') {
      star_g = ++g, star_t = t;
      continue;
    }
    std::size_t next = g + 1;
    bool matched = false;
    if (g < glob.size()) {
      if (glob[g] == '?')
        matched = text[t] != '/';
      else if (glob[g] == '[')
        matched = matchesSet(glob, g, text[t], next);
      else if (glob[g] == '\\' && g + 1 < glob.size())
        matched = glob[g + 1] == text[t], next = g + 2;
      else
        matched = glob[g] == text[t];
    }
    if (matched) {
      g = next, ++t;
    } else if (star_g != std::string_view::npos && text[star_t] != '/') {
      g = star_g, t = ++star_t;
    } else if (deep_g != std::string_view::npos) {
      g = deep_g, t = ++deep_t, star_g = std::string_view::npos;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

IgnorePattern parseIgnoreLine(std::string_view line, std::string base) {
  IgnorePattern out;
  out.base = std::move(base);
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  if (line.empty() || line.front() == '#') return out;
  if (line.front() == '!') out.negated = true, line.remove_prefix(1);
  if (line.ends_with('/')) out.folder_only = true, line.remove_suffix(1);
  out.anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  out.glob = std::string(line);
  if (out.glob.find_first_of("*?[\\") == std::string::npos)
    out.shape = IgnorePattern::Shape::Plain;
  else if (out.glob.front() == '*' && out.glob.find_first_of("*?[\\/", 1) == std::string::npos)
    out.shape = IgnorePattern::Shape::Suffix;
  return out;
}

std::vector<IgnorePattern> parseIgnoreFile(std::string_view text, const std::string& base) {
  std::vector<IgnorePattern> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    IgnorePattern pattern = parseIgnoreLine(text.substr(0, end), base);
    if (!pattern.glob.empty()) out.push_back(std::move(pattern));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool isIgnored(const std::vector<IgnorePattern>& patterns, std::string_view path, bool is_folder) {
  for (auto it = patterns.rbegin(); it != patterns.rend(); ++it) {
    if (it->folder_only && !is_folder) continue;
    std::string_view rest = path;
    if (!it->base.empty()) {
      if (!rest.starts_with(it->base) || rest.size() <= it->base.size() || rest[it->base.size()] != '/') continue;
      rest.remove_prefix(it->base.size() + 1);
    }
    const std::string_view subject =
        it->anchored ? rest : rest.substr(rest.rfind('/') == std::string_view::npos ? 0 : rest.rfind('/') + 1);
    bool matched = false;
    switch (it->shape) {
      case IgnorePattern::Shape::Plain:
        matched = subject == it->glob;
        break;
      case IgnorePattern::Shape::Suffix:
        matched = subject.ends_with(std::string_view(it->glob).substr(1)) &&
                  (!it->anchored || subject.find('/') == std::string_view::npos);
        break;
      case IgnorePattern::Shape::Glob:
        matched = globMatches(it->glob, subject);
        break;
    }
    if (matched) return !it->negated;
  }
  return false;
}

}  // namespace np::analyzer
