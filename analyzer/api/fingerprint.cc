// FNV-1a over the normalised statement; 16 hex digits are enough to tell the findings of one project apart.

#include "analyzer/api/fingerprint.h"

#include <cstdio>

namespace np::analyzer {
namespace {

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::uint64_t hashOf(const std::string& text) {
  std::uint64_t h = 1469598103934665603ull;
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return h;
}

}  // namespace

std::string Fingerprints::next(const Finding& finding, const SourceText& text) {
  std::string key = finding.rule + "\n" + finding.path + "\n";
  const Range lines{text.lineRange(text.lineOf(finding.range.start)).start,
                    text.lineRange(text.lineOf(finding.range.end)).end};
  for (char c : text.slice(lines))
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') key += c;
  const int occurrence = seen_[key]++;
  return hex(hashOf(key + "\n" + std::to_string(occurrence)));
}

}  // namespace np::analyzer
