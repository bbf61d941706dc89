// "Most important" lists a rule once per file: ten places that are one place teach nothing.

#include "cli/output/places.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace np::cli {

std::string place(const Finding& finding) {
  return finding.path + ":" + std::to_string(finding.start.line) + ":" + std::to_string(finding.start.column);
}

FixSafety bestFix(const Finding& finding) {
  FixSafety best = FixSafety::Display;
  for (const Fix& fix : finding.fixes) best = std::min(best, fix.safety);
  return best;
}

std::vector<const Finding*> mostImportant(const Report& report, std::size_t count) {
  std::vector<const Finding*> all;
  for (const Finding& finding : report.findings) all.push_back(&finding);
  std::stable_sort(all.begin(), all.end(), [](const Finding* a, const Finding* b) {
    return std::make_tuple(a->severity, a->effort) > std::make_tuple(b->severity, b->effort);
  });
  std::vector<const Finding*> out;
  std::set<std::tuple<std::string, std::string>> seen;
  for (const Finding* finding : all) {
    if (out.size() == count) break;
    if (seen.emplace(finding->rule, finding->path).second) out.push_back(finding);
  }
  return out;
}

std::string counted(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace np::cli
