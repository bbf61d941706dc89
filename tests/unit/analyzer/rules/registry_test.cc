// Rule pages to facts, look-up, and the API table's own rules.

#include "analyzer/rules/registry.h"

#include <gtest/gtest.h>

#include "analyzer/rules/tool/pages.h"
#include "analyzer/rules/torch/api_table.h"
#include "analyzer/rules/torch/pages.h"

namespace np::analyzer {
namespace {

constexpr std::string_view kPage =
    "# some-rule (NPT3999)\n\nstable · since 0.1 · evidence: pre-beta (TorchNeuron 2.33) · severity: hint · effort: "
    "hours\n\n"
    "## What it finds\nOne thing. And\nanother.\n";

TEST(RegistryTest, ReadsTheFactsOffThePage) {
  const Result<RuleInfo> rule = parseRulePage(kPage);
  ASSERT_TRUE(rule.ok()) << rule.error().text();
  EXPECT_EQ(rule->id, "NPT3999");
  EXPECT_EQ(rule->name, "some-rule");
  EXPECT_EQ(rule->category, "pytorch");
  EXPECT_EQ(rule->severity, Severity::Hint);
  EXPECT_EQ(rule->effort, Effort::Hours);
  EXPECT_EQ(rule->evidence, Evidence::PreBeta);
  EXPECT_EQ(rule->release, "TorchNeuron 2.33");
  EXPECT_EQ(rule->stability, Stability::Stable);
  EXPECT_EQ(rule->since, "0.1");
  EXPECT_EQ(rule->summary, "One thing.");
}

TEST(RegistryTest, NamesWhatAPageLacks) {
  const auto message = [](std::string_view page) {
    const Result<RuleInfo> rule = parseRulePage(page);
    return rule.ok() ? std::string("read") : rule.error().message;
  };
  EXPECT_NE(message("some-rule\n").find("expected \"# name (NPTnnnn)\""), std::string::npos);
  EXPECT_NE(message("# a (NPT9)\n").find("\"NPT9\" is not a rule id"), std::string::npos);
  EXPECT_NE(message("# a (NPT3999)\n\nstable · severity: loud\n").find("\"severity: loud\""), std::string::npos);
  EXPECT_NE(message("# a (NPT3999)\n\nstable · severity: hint\n").find("lacks \"since\""), std::string::npos);
  EXPECT_NE(message("# a (NPT3999)\n\nstable · since 0.1\n").find("What it finds"), std::string::npos);
}

TEST(RegistryTest, FindsByIdAndNameAndSuggests) {
  RuleRegistry registry;
  ASSERT_TRUE(registry.addPages(torchRulePages()).ok());
  ASSERT_TRUE(registry.addPages(toolRulePages()).ok());
  ASSERT_NE(registry.find("NPT3001"), nullptr);
  EXPECT_EQ(registry.find("NPT3001"), registry.find("hard-coded-cuda-device"));
  EXPECT_EQ(registry.find("NPT3999"), nullptr);
  EXPECT_EQ(registry.nearest("hard-coded-cuda-devise"), "hard-coded-cuda-device");
  EXPECT_TRUE(std::is_sorted(registry.all().begin(), registry.all().end(),
                             [](const RuleInfo& a, const RuleInfo& b) { return a.id < b.id; }));
  EXPECT_FALSE(registry.addPages(toolRulePages()).ok()) << "the same ids twice";
  const Finding finding = registry.make("NPT3001");
  EXPECT_EQ(finding.name, "hard-coded-cuda-device");
  EXPECT_EQ(finding.severity, Severity::Error);
}

TEST(ApiTableTest, FindsRowsAndTheirModules) {
  const Result<ApiTable> table = ApiTable::load();
  ASSERT_TRUE(table.ok()) << table.error().text();
  EXPECT_GE(table->rows().size(), 150u);
  ASSERT_NE(table->find("torch.cuda.synchronize"), nullptr);
  EXPECT_EQ(table->find("torch.cuda.nvtx.something")->name, "torch.cuda.nvtx");
  EXPECT_EQ(table->find("torch.zeros"), nullptr);
  ASSERT_NE(table->package("flash_attn.layers"), nullptr);
  EXPECT_EQ(table->package("numba"), nullptr);
}

TEST(ApiTableTest, RefusesAFixWithoutDocumentedEvidence) {
  const auto message = [](const char* json) {
    const Result<ApiTable> table = ApiTable::parse(json);
    return table.ok() ? std::string("read") : table.error().message;
  };
  EXPECT_EQ(message(R"({"rows": [], "packages": []})"), "read");
  EXPECT_NE(
      message(R"({"rows": [{"name": "a", "category": "b", "class": "c", "evidence": "inferred", "accelerator": "d",
                        "fix": {"safety": "safe"}}], "packages": []})")
          .find("\"a\" has a fix without documented"),
      std::string::npos);
  EXPECT_NE(message(R"({"rows": [{"name": "a"}], "packages": []})").find("lacks name, category or class"),
            std::string::npos);
  EXPECT_NE(message("[").find("not JSON"), std::string::npos);
}

}  // namespace
}  // namespace np::analyzer
