// Test fixture: Python text in, findings or the fixed text out.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/rules/torch/analyze_python.h"
#include "analyzer/rules/torch/pages.h"
#include "rewriter/merge/plan.h"

namespace np::analyzer {

class PythonRules : public testing::Test {
 protected:
  PythonRules() : table_(ApiTable::load()) {}

  void SetUp() override {
    ASSERT_TRUE(table_.ok()) << table_.error().text();
    const auto added = registry_.addPages(torchRulePages());
    ASSERT_TRUE(added.ok()) << added.error().text();
  }

  PythonResult result(const SourceText& text) {
    const PythonContext context{registry_, *table_, target_, pin_, cuda_modules_, own_modules_};
    return analyzePython(text, context);
  }

  std::vector<Finding> analyse(const std::string& code) {
    const SourceText text("example.py", code);
    PythonResult found = result(text);
    EXPECT_EQ(found.skipped, "");
    return found.findings;
  }

  // Rounds of analysis and rewriting until nothing changes.
  std::string fixed(std::string code, FixSafety highest) {
    for (int round = 0; round < 10; ++round) {
      const SourceText text("example.py", code);
      const auto lookup = [&](const std::string&) { return &text; };
      const rewriter::Plan plan = rewriter::planFixes(analyse(code), lookup, {highest});
      if (plan.files.empty()) return code;
      code = plan.files[0].after;
    }
    ADD_FAILURE() << "does not come to rest:\n" << code;
    return code;
  }

  Result<ApiTable> table_;
  RuleRegistry registry_;
  Target target_ = Target::Accelerator;
  TorchPin pin_;
  std::set<std::string> cuda_modules_, own_modules_;
};

}  // namespace np::analyzer
