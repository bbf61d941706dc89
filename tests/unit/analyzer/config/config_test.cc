// TOML configuration and rule selection.

#include "analyzer/config/config.h"

#include <gtest/gtest.h>

#include "analyzer/config/selection.h"

namespace np::analyzer {
namespace {

TEST(Config, ReadsEveryKey) {
  const auto config = parseConfig(
      "select = [\"NPT3\"]\nexclude = [\"third_party/\"]\nfail-on = \"error\"\ntarget = \"neuron\"\nmin-torch = "
      "\"2.6\"\n",
      "neuron-port.toml", false);
  ASSERT_TRUE(config.ok()) << config.error().text();
  EXPECT_EQ(config->select, std::vector<std::string>{"NPT3"});
  EXPECT_EQ(config->fail_on, "error");
  EXPECT_EQ(config->target, "neuron");
}

TEST(Config, ReadsOnlyItsTableOfPyproject) {
  const auto config =
      parseConfig("[project]\nname = \"x\"\n[tool.neuron-port]\nignore = [\"NPT3001\"]\n", "pyproject.toml", true);
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->ignore, std::vector<std::string>{"NPT3001"});
}

struct BadConfig {
  const char* text;
  const char* expected;
};
class BadConfigTest : public ::testing::TestWithParam<BadConfig> {};
TEST_P(BadConfigTest, SaysWhatIsWrongAndWhere) {
  const auto config = parseConfig(GetParam().text, "neuron-port.toml", false);
  ASSERT_FALSE(config.ok());
  EXPECT_NE(config.error().text().find(GetParam().expected), std::string::npos) << config.error().text();
}
INSTANTIATE_TEST_SUITE_P(
    Texts, BadConfigTest,
    ::testing::Values(BadConfig{"[%]\n", "key"}, BadConfig{"selct = [\"NPT3\"]", "did you mean \"select\""},
                      BadConfig{"target = \"neurn\"", "did you mean \"neuron\""},
                      BadConfig{"select = \"NPT3\"", "list of texts"}, BadConfig{"select = [1]", "list of texts"},
                      BadConfig{"a = \n", "neuron-port.toml:1"}, BadConfig{"target \xC3\xA9 = 1", "neuron-port.toml:1"},
                      BadConfig{"\xFF\xFE", "neuron-port.toml"}));

const std::vector<std::string> kKnown = {"NPT1001", "NPT3001", "NPT3002", "NPT3010"};

TEST(Selection, LongestPrefixDecides) {
  const auto s = RuleSelection::make({{"NPT3"}, {}, {"NPT300"}}, kKnown);
  ASSERT_TRUE(s.ok());
  EXPECT_TRUE(s->selects("NPT3010"));
  EXPECT_FALSE(s->selects("NPT3001"));
  EXPECT_FALSE(s->selects("NPT1001"));
  const auto t = RuleSelection::make({{}, {"NPT3001"}, {"NPT3"}}, kKnown);
  ASSERT_TRUE(t.ok());
  EXPECT_TRUE(t->selects("NPT3001"));
  EXPECT_FALSE(t->selects("NPT3002"));
  EXPECT_TRUE(t->selects("NPT1001"));
}

TEST(Selection, AnUnknownRuleIsAnErrorWithTheNearest) {
  const auto s = RuleSelection::make({{"NPT3003"}, {}, {}}, kKnown);
  ASSERT_FALSE(s.ok());
  EXPECT_NE(s.error().message.find("NPT3001"), std::string::npos);
}

}  // namespace
}  // namespace np::analyzer
