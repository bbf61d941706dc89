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

#include "tests/rules/page_examples.h"
#include "tests/rules/python_rules.h"

namespace np::analyzer {
namespace {

using RulePages = PythonRules;

TEST_F(RulePages, ExamplesAreTrue) {
  for (const RuleInfo& rule : registry_.all()) {
    bool fires = false, silent = false;
    std::string code;
    for (const Block& block : blocksOf(rule.page, "python")) {
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
