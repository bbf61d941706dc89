// Found by text, a line at a time: a directive needs a comment sign before it. A string may look like one (tests of a
// linter are full of them), so whoever knows the file's comments says where they are.

#include "analyzer/project/suppressions.h"

#include <algorithm>
#include <cctype>
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
bool standsAlone(std::string_view before) { return before.find_first_not_of(" \t/*#") == std::string_view::npos; }

bool namesRule(const std::vector<std::string>& rules, const std::string& id) {
  return rules.empty() ||
         std::any_of(rules.begin(), rules.end(), [&](const std::string& rule) { return id.starts_with(rule); });
}

}  // namespace

bool Suppressions::mayHaveSome(std::string_view bytes) {
  if (bytes.find("neuron-port:") != std::string_view::npos) return true;
  for (std::size_t at = bytes.find("NPT"); at != std::string_view::npos; at = bytes.find("NPT", at + 3))
    if (at + 3 >= bytes.size() || !std::isalpha(static_cast<unsigned char>(bytes[at + 3]))) return true;
  return false;
}

Suppressions Suppressions::parse(const SourceText& text) {
  return parse(text, {{0, static_cast<Offset>(text.bytes().size())}});
}

Suppressions Suppressions::parse(const SourceText& text, const std::vector<Range>& comments) {
  Suppressions out;
  if (!mayHaveSome(text.bytes())) return out;
  for (const Range& comment : comments)
    for (std::uint32_t line = text.lineOf(comment.start); line < text.lineCount(); ++line) {
      const Range whole = text.lineRange(line);
      if (whole.start >= comment.end) break;
      out.addLine(text, line, {std::max(whole.start, comment.start), std::min(whole.end, comment.end)});
    }
  return out;
}

void Suppressions::addLine(const SourceText& text, std::uint32_t line, Range piece) {
  const std::string_view content = text.slice(piece);
  Directive d;
  const bool ours = parseOurs(content, d);
  if (!ours && !parseForeign(content, d)) return;
  const Range place{piece.start + static_cast<Offset>(d.at), piece.start + static_cast<Offset>(d.end)};
  if (d.verb == "on") {
    for (Suppression& open : all_)
      if (open.last_line == kLastLine && open.rules == d.rules) open.last_line = line;
    return;
  }
  Suppression s{place, d.rules, line, line, ours, false};
  const Offset start = text.lineRange(line).start + (line == 0 ? text.bomLength() : 0);
  const bool alone = place.start <= start || standsAlone(text.slice({start, place.start}));
  if (d.verb == "file-ignore") s.first_line = 0, s.last_line = kLastLine - 1;
  if (d.verb == "off") s.last_line = kLastLine;
  if (d.verb == "next" || (d.verb == "ignore" && alone)) s.first_line = s.last_line = line + 1;
  all_.push_back(std::move(s));
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
