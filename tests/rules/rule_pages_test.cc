// The examples of the rule pages are their tests.
//
//   ```python              analysed; a comment `# warning: NPT3022 part of the message` says what must be found in its
//                          line, several are separated by `;`. Nothing else may be found.
//   ```python fixed safe   what the block before it becomes with the safe fixes
//   ```python fixed        … with the unsafe ones too
//
// Every page needs an example that fires and one that does not. Fixes run to their fixpoint, and a second run of the
// whole must change nothing.

#include <gtest/gtest.h>

#include <map>

#include "tests/rules/python_rules.h"

namespace np::analyzer {
namespace {

struct Block {
  std::string info;  // after ```python
  std::string code;
};

struct Expected {
  std::uint32_t line = 0;
  std::string severity, rule, message;
  auto operator<=>(const Expected&) const = default;
};

std::vector<Block> blocksOf(std::string_view page) {
  std::vector<Block> blocks;
  bool inside = false;
  while (!page.empty()) {
    const auto end = page.find('\n');
    const std::string_view line = page.substr(0, end);
    page = end == std::string_view::npos ? std::string_view{} : page.substr(end + 1);
    if (!inside && line.starts_with("```python")) {
      blocks.push_back({std::string(line.substr(std::min<std::size_t>(line.size(), 10))), ""});
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
std::string strip(const std::string& line, std::uint32_t number, std::vector<Expected>& out) {
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

std::string stripAll(const std::string& code, std::vector<Expected>& out) {
  std::string text;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < code.size();) {
    const auto end = code.find('\n', at);
    text += strip(code.substr(at, end - at), ++number, out) + "\n";
    at = end + 1;
  }
  return text;
}

using RulePages = PythonRules;

void expectFindings(const std::string& where, const std::vector<Expected>& expected,
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

TEST_F(RulePages, ExamplesAreTrue) {
  for (const RuleInfo& rule : registry_.all()) {
    bool fires = false, silent = false;
    std::string code;
    for (const Block& block : blocksOf(rule.page)) {
      if (block.info.starts_with("fixed")) {
        const FixSafety highest = block.info == "fixed safe" ? FixSafety::Safe : FixSafety::Unsafe;
        EXPECT_EQ(fixed(code, highest), block.code) << rule.name << " (" << block.info << ")";
        continue;
      }
      std::vector<Expected> expected;
      code = stripAll(block.code, expected);
      expectFindings(rule.name, expected, analyse(code));
      for (const Expected& one : expected) fires = fires || one.rule == rule.id;
      silent = silent || expected.empty();
    }
    EXPECT_TRUE(fires) << rule.name << " has no example that fires";
    EXPECT_TRUE(silent) << rule.name << " has no example that does not";
  }
}

// Whatever the fixes make must come to rest, and none may be offered where the text is broken.
TEST_F(RulePages, BrokenStatementsAreLeftAlone) {
  const std::string code = "import torch\ndef f(x):\n    y = x.cuda(\n    return torch.zeros(2, device=\"cuda\"\n";
  EXPECT_EQ(fixed(code, FixSafety::Unsafe), code);
}

TEST_F(RulePages, EveryRuleHasAllSections) {
  for (const RuleInfo& rule : registry_.all())
    for (const char* section : {"## What it finds", "## Why it matters on Neuron", "## Example", "## Instead",
                                "## Fix safety", "## Limits", "## References"})
      EXPECT_NE(rule.page.find(section), std::string_view::npos) << rule.name << " lacks \"" << section << "\"";
}

// Only documented rows change code.
TEST_F(RulePages, OnlyDocumentedRowsHaveFixes) {
  for (const auto& [name, row] : table_->rows())
    if (row.fix) EXPECT_EQ(row.evidence, Evidence::Documented) << name;
}

}  // namespace
}  // namespace np::analyzer
