// The examples of the pages about the environment are their tests: ```text FILE is analysed as a file of that name.

#include "analyzer/rules/environment/analyze_environment.h"
#include "analyzer/rules/environment/versions.h"
#include "tests/rules/page_examples.h"

namespace np::analyzer {
namespace {

class EnvironmentPages : public testing::Test {
 protected:
  void SetUp() override {
    const auto added = registry_.addPages(environmentRulePages());
    ASSERT_TRUE(added.ok()) << added.error().text();
  }
  RuleRegistry registry_;
};

TEST_F(EnvironmentPages, ExamplesAreTrue) {
  for (const RuleInfo& rule : registry_.all()) {
    bool fires = false, silent = false;
    for (const Block& block : blocksOf(rule.page, "text")) {
      std::vector<Expected> expected;
      const SourceText text(block.info, stripAll(block.code, expected));
      ASSERT_TRUE(isEnvironmentFile(block.info)) << block.info;
      expectFindings(rule.name, expected, analyzeEnvironment(text, registry_));
      for (const Expected& one : expected) fires = fires || one.rule == rule.id;
      silent = silent || expected.empty();
    }
    EXPECT_TRUE(fires) << rule.name << " has no example that fires";
    EXPECT_TRUE(silent) << rule.name << " has no example that does not";
    for (const char* section : {"## What it finds", "## Why it matters on Neuron", "## Example", "## Instead",
                                "## Fix safety", "## Limits", "## References"})
      EXPECT_NE(rule.page.find(section), std::string_view::npos) << rule.name << " lacks \"" << section << "\"";
  }
}

TEST(Versions, AdmitSeries) {
  for (const char* yes : {"", ">=3.8", ">=3.8,<4", "^3.8", "~=3.8", "!=3.9", "3.12.*", "==3.13", ">=3.7, <3.13",
                          "<3.11||>=3.12", ">3.11", "<=3.12", "3", ">=3.8,<3.12.5", "x", "~3.12", "=3.12"})
    EXPECT_TRUE(admitsNeuronPython(yes)) << yes;
  for (const char* no : {"<3.12", ">=3.8,<3.11", "==3.8", "3.8", "~=3.8.1", "~3.9", "3.10.*", "<=3.11", ">=3.15",
                         "3.8.16", ">=3.6,<3.9||==3.10.*", "^2.7"})
    EXPECT_FALSE(admitsNeuronPython(no)) << no;
  for (const char* yes : {">=1.13", "==2.13.0", "~=2.10", ">=2.1,<3", "==2.*", "2.14.1"})
    EXPECT_TRUE(admitsNeuronTorch(yes)) << yes;
  for (const char* no : {"==1.13.1", "<2.1", ">=1.8,<=2.12", "~=2.0.1", "==2.1.*", ">=2.15", "<2.13"})
    EXPECT_FALSE(admitsNeuronTorch(no)) << no;
}

// Files of these kinds come in every state of repair.
TEST_F(EnvironmentPages, AnyBytesComeToAnEnd) {
  for (const char* path : {"requirements.txt", "pyproject.toml", "setup.cfg", "environment.yml", "Dockerfile", "run.sh",
                           "a.yaml", ".github/workflows/ci.yml", "a.toml", "ds_config.json", ".python-version"})
    for (const std::string& bytes :
         {std::string(), std::string("\0\0", 2), std::string("\""), std::string("[["), std::string("torch=="),
          std::string("a = {"), std::string("\r\r"), std::string(100000, '['), std::string("- "),
          std::string("pip install \""), std::string("--nproc_per_node="), std::string("FROM "),
          std::string("python-version:"), std::string("x = \"{version\"")}) {
      const SourceText text(path, bytes);
      EXPECT_LE(analyzeEnvironment(text, registry_).size(), 500u) << path;
    }
}

}  // namespace
}  // namespace np::analyzer
