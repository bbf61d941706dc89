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

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    const bool high_control = c == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F
    const bool layout = c == '\t' || c == '\n' || (c == '\r' && next == '\n');
    if (high_control || (c < 0x20 && !layout) || c == 0x7F) {
      out += "\xEF\xBF\xBD";
      i += high_control ? 1 : 0;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace np::cli
