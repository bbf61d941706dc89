// Every row of shims/tables/cuda_to_neuron_map.json is found by a rule: tests/rules/map_rows.json holds for each a line
// or two of code and the rule that must report it; an empty rule stands for code that needs no change.

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/rules/python_rules.h"

namespace np::analyzer {
namespace {

nlohmann::json readJson(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return nlohmann::json::parse(out.str());
}

class Examples : public PythonRules {
 protected:
  // The names of the examples, each of which must give the finding it names.
  std::set<std::string> check(const char* path) {
    std::set<std::string> seen;
    for (const auto& example : readJson(path)) {
      const std::string row = example["row"], rule = example["rule"], code = example["code"];
      EXPECT_TRUE(seen.insert(row).second) << row << " is there twice";
      if (code.empty()) continue;  // a row about C++, tested with the rules about C++
      std::set<std::string> found;
      for (const Finding& finding : analyse(code)) found.insert(finding.rule);
      std::string all;
      for (const std::string& one : found) all += one + " ";
      if (rule.empty())
        EXPECT_TRUE(found.empty()) << row << ": " << all;
      else
        EXPECT_TRUE(found.contains(rule)) << row << ": wants " << rule << ", found " << all;
    }
    return seen;
  }
};

// Forms that real code uses, and a few that look like one.
TEST_F(Examples, TrickyFormsAreFound) { EXPECT_GE(check("tests/rules/tricky_forms.json").size(), 50u); }

TEST_F(Examples, EveryRowOfTheMapIsFound) {
  const std::set<std::string> seen = check("tests/rules/map_rows.json");
  for (const auto& row : readJson("shims/tables/cuda_to_neuron_map.json"))
    EXPECT_TRUE(seen.contains(row["cuda"])) << "no example for " << row["cuda"];
}

}  // namespace
}  // namespace np::analyzer
