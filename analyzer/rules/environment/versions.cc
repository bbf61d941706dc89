// Each clause is asked whether it overlaps the series; a specifier admits the series when all its clauses do. That is
// exact for the ranges found in practice and errs on the side of silence.

#include "analyzer/rules/environment/versions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "analyzer/rules/environment/lines.h"

namespace np::analyzer {
namespace {

constexpr int kAny = 9999;

struct Version {
  std::array<int, 3> parts{0, 0, 0};
  int count = 0;      // parts that are written
  bool star = false;  // "3.8.*"
  bool read = false;
  auto operator<=>(const Version& other) const { return parts <=> other.parts; }
};

Version readVersion(std::string_view text) {
  Version out;
  if (text.starts_with("v")) text.remove_prefix(1);
  while (!text.empty() && out.count < 3) {
    if (text.front() == '*' || text.front() == 'x') {
      out.star = true;
      break;
    }
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) break;
    out.parts[out.count++] = value;
    out.read = true;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  return out;
}

// True when the first `count` parts are those of the series, as far as both are written.
bool samePrefix(const Version& a, const Version& series, int count) {
  for (int i = 0; i < count && i < 2; ++i)
    if (a.parts[i] != series.parts[i]) return false;
  return true;
}

bool admitsClause(std::string_view clause, const Version& series) {
  clause = unquoted(trimmed(clause));
  std::string_view op = clause.substr(0, clause.find_first_not_of("<>=!~^"));
  const Version version = readVersion(trimmed(clause.substr(op.size())));
  if (!version.read || op == "!=" || op == "!==") return true;
  Version last = series;
  last.parts[2] = kAny;
  if (op == ">=" || op == ">") return version <= last;
  if (op == "<") return version > series;
  // "<=3.11" means 3.11.0 to pip.
  if (op == "<=") return version >= series;
  if (op == "~=") return version <= last && samePrefix(version, series, version.count - 1);
  if (op == "^") return version <= last && samePrefix(version, series, version.parts[0] == 0 ? 2 : 1);
  if (op == "~") return version <= last && samePrefix(version, series, std::max(1, std::min(version.count, 2)));
  return samePrefix(version, series, version.count);  // "==", "===", "=", none
}

}  // namespace

bool admitsSeries(std::string_view specifier, std::string_view series) {
  const Version wanted = readVersion(series);
  bool all = true, any_clause = false;
  while (true) {
    const auto end = specifier.find_first_of(",|");
    const std::string_view clause = trimmed(specifier.substr(0, end));
    if (!clause.empty()) {
      any_clause = true;
      all = all && admitsClause(clause, wanted);
    }
    const bool ends = end == std::string_view::npos;
    // "||" parts alternatives, of which one is enough.
    if ((ends || specifier[end] == '|') && (any_clause || ends)) {
      if (all || ends) return all;
      all = true;
      any_clause = false;
    }
    specifier.remove_prefix(end + 1);
  }
}

bool admitsNeuronPython(std::string_view specifier) {
  return admitsSeries(specifier, "3.12") || admitsSeries(specifier, "3.13") || admitsSeries(specifier, "3.14");
}

bool admitsNeuronTorch(std::string_view specifier) {
  return admitsSeries(specifier, "2.13") || admitsSeries(specifier, "2.14");
}

}  // namespace np::analyzer
