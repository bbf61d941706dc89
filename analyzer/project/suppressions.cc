// Found by text, a line at a time: a directive needs a comment sign before it. A string that looks like a directive
// counts as one; telling them apart would need the parser of each language and nobody writes such strings by accident.

#include "analyzer/project/suppressions.h"

#include <algorithm>
#include <limits>

namespace np::analyzer {
namespace {

constexpr std::uint32_t kLastLine = std::numeric_limits<std::uint32_t>::max();

bool isRuleText(std::string_view text) {
  if (!text.starts_with("NPT") || text.size() > 7) return false;
  return std::all_of(text.begin() + 3, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "NPT3001, NPT31" → the ids; words that are no ids of ours are left out.
std::vector<std::string> ruleList(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c != ',' && c != ' ' && c != '\t') {
      word += c;
      continue;
    }
    if (isRuleText(word)) out.push_back(word);
    word.clear();
  }
  return out;
}

struct Directive {
  std::size_t at = 0, end = 0;  // in the line
  std::string verb;             // ignore, file-ignore, off, on, noqa
  std::vector<std::string> rules;
};

// The text between `open` and `close` right at `at`, moving `at` behind it.
std::string_view bracket(std::string_view line, std::size_t& at, char open, char close) {
  if (at >= line.size() || line[at] != open) return {};
  const std::size_t end = line.find(close, at);
  if (end == std::string_view::npos) return {};
  const std::string_view inner = line.substr(at + 1, end - at - 1);
  at = end + 1;
  return inner;
}

bool parseOurs(std::string_view line, Directive& out) {
  constexpr std::string_view kMark = "neuron-port:";
  const std::size_t mark = line.find(kMark);
  if (mark == std::string_view::npos) return false;
  const std::size_t sign = line.substr(0, mark).find_last_not_of(" \t");
  if (sign == std::string_view::npos || (line[sign] != '#' && line[sign] != '/' && line[sign] != '*')) return false;
  std::size_t at = line.find_first_not_of(" \t", mark + kMark.size());
  if (at == std::string_view::npos) return false;
  for (const char* verb : {"file-ignore", "ignore", "off", "on"}) {
    if (!line.substr(at).starts_with(verb)) continue;
    at += std::string_view(verb).size();
    out.verb = verb;
    out.at = sign;
    out.rules = ruleList(bracket(line, at, '[', ']'));
    out.end = at;
    return true;
  }
  return false;
}

bool parseForeign(std::string_view line, Directive& out) {
  if (const std::size_t noqa = line.find("# noqa:"); noqa != std::string_view::npos) {
    out = {noqa, line.size(), "noqa", ruleList(line.substr(noqa + 7))};
    return !out.rules.empty();
  }
  if (const std::size_t nolint = line.find("NOLINT");
      nolint != std::string_view::npos && line.substr(0, nolint).find("//") != std::string_view::npos) {
    std::size_t at = nolint + 6;
    const bool next = line.substr(at).starts_with("NEXTLINE");
    if (next) at += 8;
    out = {nolint, line.size(), next ? "next" : "noqa", ruleList(bracket(line, at, '(', ')'))};
    return !out.rules.empty();
  }
  return false;
}

// Only white space before the comment sign: the directive is about the next line.
bool standsAlone(std::string_view line, std::size_t at) {
  const std::string_view before = line.substr(0, at);
  return before.find_first_not_of(" \t/*#") == std::string_view::npos;
}

bool namesRule(const std::vector<std::string>& rules, const std::string& id) {
  return rules.empty() ||
         std::any_of(rules.begin(), rules.end(), [&](const std::string& rule) { return id.starts_with(rule); });
}

}  // namespace

Suppressions Suppressions::parse(const SourceText& text) {
  Suppressions out;
  const std::string_view bytes = text.bytes();
  if (bytes.find("neuron-port:") == std::string_view::npos && bytes.find("NPT") == std::string_view::npos) return out;
  for (std::uint32_t line = 0; line < text.lineCount(); ++line) {
    const Range range = text.lineRange(line);
    const std::string_view content = text.slice(range);
    Directive d;
    const bool ours = parseOurs(content, d);
    if (!ours && !parseForeign(content, d)) continue;
    if (d.verb == "on") {
      for (Suppression& open : out.all_)
        if (open.last_line == kLastLine && open.rules == d.rules) open.last_line = line;
      continue;
    }
    Suppression s{{range.start + static_cast<Offset>(d.at), range.start + static_cast<Offset>(d.end)},
                  d.rules,
                  line,
                  line,
                  ours,
                  false};
    if (d.verb == "file-ignore") s.first_line = 0, s.last_line = kLastLine - 1;
    if (d.verb == "off") s.last_line = kLastLine;
    if (d.verb == "next" || (d.verb == "ignore" && standsAlone(content, d.at))) s.first_line = s.last_line = line + 1;
    out.all_.push_back(std::move(s));
  }
  return out;
}

bool Suppressions::covers(const SourceText& text, const Finding& finding) {
  const std::uint32_t first = text.lineOf(finding.range.start), last = text.lineOf(finding.range.end);
  bool covered = false;
  for (Suppression& s : all_) {
    if (!namesRule(s.rules, finding.rule) || last < s.first_line || first > s.last_line) continue;
    s.used = covered = true;
  }
  return covered;
}

std::vector<Suppression> Suppressions::unused() const {
  std::vector<Suppression> out;
  for (const Suppression& s : all_)
    if (s.explicitly_ours && !s.used) out.push_back(s);
  return out;
}

}  // namespace np::analyzer
