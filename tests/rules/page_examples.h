// The fenced examples of rule pages and what they expect.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"

namespace np::analyzer {

struct Block {
  std::string info;  // after the language
  std::string code;
};

struct Expected {
  std::uint32_t line = 0;
  std::string severity, rule, message;
  auto operator<=>(const Expected&) const = default;
};

inline std::vector<Block> blocksOf(std::string_view page, std::string_view language) {
  std::vector<Block> blocks;
  bool inside = false;
  while (!page.empty()) {
    const auto end = page.find('\n');
    const std::string_view line = page.substr(0, end);
    page = end == std::string_view::npos ? std::string_view{} : page.substr(end + 1);
    if (!inside && line.starts_with("```" + std::string(language))) {
      const std::size_t info = std::min<std::size_t>(line.size(), language.size() + 4);
      blocks.push_back({std::string(line.substr(info)), ""});
      inside = true;
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back().code += std::string(line) + "\n";
    }
  }
  return blocks;
}

// Takes the expectation off a line; "x = 1  # error: NPT3001 text; hint: NPT3010" leaves "x = 1".
inline std::string strip(const std::string& line, std::uint32_t number, std::vector<Expected>& out) {
  std::size_t at = std::string::npos;
  for (const char* severity : {"# error: NPT", "# warning: NPT", "# hint: NPT"}) at = std::min(at, line.find(severity));
  if (at == std::string::npos) return line;
  std::string rest = line.substr(at + 2);
  while (!rest.empty()) {
    const auto semicolon = rest.find("; ");
    const std::string one = rest.substr(0, semicolon);
    rest = semicolon == std::string::npos ? "" : rest.substr(semicolon + 2);
    const auto colon = one.find(": ");
    out.push_back({number, one.substr(0, colon), one.substr(colon + 2, 7),
                   one.size() > colon + 10 ? one.substr(colon + 10) : ""});
  }
  std::string code = line.substr(0, at);
  while (!code.empty() && code.back() == ' ') code.pop_back();
  return code;
}

inline std::string stripAll(const std::string& code, std::vector<Expected>& out) {
  std::string text;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < code.size();) {
    const auto end = code.find('\n', at);
    text += strip(code.substr(at, end - at), ++number, out) + "\n";
    at = end + 1;
  }
  return text;
}

inline void expectFindings(const std::string& where, const std::vector<Expected>& expected,
                           const std::vector<Finding>& found) {
  std::vector<bool> seen(expected.size(), false);
  for (const Finding& finding : found) {
    bool matched = false;
    for (std::size_t i = 0; i < expected.size() && !matched; ++i) {
      matched = !seen[i] && expected[i].line == finding.start.line && expected[i].rule == finding.rule &&
                expected[i].severity == toString(finding.severity) &&
                finding.message.find(expected[i].message) != std::string::npos;
      if (matched) seen[i] = true;
    }
    EXPECT_TRUE(matched) << where << ": not expected: line " << finding.start.line << ": " << toString(finding.severity)
                         << ": " << finding.rule << " " << finding.message << " [" << finding.subject << "]";
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(seen[i]) << where << ": not found: line " << expected[i].line << ": " << expected[i].severity << ": "
                         << expected[i].rule << " " << expected[i].message;
}

}  // namespace np::analyzer
