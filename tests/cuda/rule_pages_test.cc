// The examples of the CUDA and build rule pages are their tests.
//
//   ```cuda        analysed as a .cu file; a comment `// warning: NPT2005 part of the message` says what must be found
//   in
//                  its line, several are separated by `;`. Findings of other rules are not looked at.
//   ```python      the same for a build file, with `#`
//   ```python fixed   what the block before it becomes with the fixes
//
// Every page needs an example that fires and one that does not. All cuda examples are analysed in one run, as one
// project of unrelated files.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "analyzer/rules/cuda/cuda_rules.h"
#include "analyzer/rules/cuda/host_api_table.h"

namespace np::analyzer {
namespace {

struct Expected {
  std::uint32_t line = 0;
  std::string severity, rule, message;
};

struct Example {
  std::string rule, language, info, code;
  std::vector<Expected> expected;
};

std::vector<Expected> expectationsOf(const std::string& code) {
  std::vector<Expected> out;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = code.find('\n', at);
    const std::string line = code.substr(at, end - at);
    at = end + 1;
    ++number;
    std::size_t mark = std::string::npos;
    for (const char* severity : {"error: NPT", "warning: NPT", "hint: NPT"}) mark = std::min(mark, line.find(severity));
    for (std::string rest = mark == std::string::npos ? "" : line.substr(mark); !rest.empty();) {
      const std::size_t semicolon = rest.find("; ");
      const std::string one = rest.substr(0, semicolon);
      rest = semicolon == std::string::npos ? "" : rest.substr(semicolon + 2);
      const std::size_t colon = one.find(": ");
      out.push_back({number, one.substr(0, colon), one.substr(colon + 2, 7),
                     one.size() > colon + 10 ? one.substr(colon + 10) : ""});
    }
  }
  return out;
}

std::vector<Example> examplesOf(const RuleInfo& rule) {
  std::vector<Example> out;
  bool inside = false;
  std::string_view page = rule.page;
  while (!page.empty()) {
    const auto end = page.find('\n');
    const std::string_view line = page.substr(0, end);
    page = end == std::string_view::npos ? std::string_view{} : page.substr(end + 1);
    if (!inside && (line.starts_with("```cuda") || line.starts_with("```python"))) {
      const std::string text(line.substr(3));
      const std::size_t space = text.find(' ');
      out.push_back({rule.id, text.substr(0, space), space == std::string::npos ? "" : text.substr(space + 1), "", {}});
      inside = true;
    } else if (inside && line == "```") {
      out.back().expected = expectationsOf(out.back().code);
      inside = false;
    } else if (inside) {
      out.back().code += std::string(line) + "\n";
    }
  }
  return out;
}

void expectFindings(const Example& example, const std::vector<Finding>& findings) {
  std::vector<bool> seen(example.expected.size(), false);
  for (const Finding& finding : findings) {
    if (finding.rule != example.rule) continue;
    bool matched = false;
    for (std::size_t i = 0; i < seen.size() && !matched; ++i) {
      const Expected& expected = example.expected[i];
      matched = !seen[i] && expected.line == finding.start.line && expected.rule == finding.rule &&
                expected.severity == toString(finding.severity) &&
                finding.message.find(expected.message) != std::string::npos;
      if (matched) seen[i] = true;
    }
    EXPECT_TRUE(matched) << example.rule << ": not expected: line " << finding.start.line << ": "
                         << toString(finding.severity) << ": " << finding.message << " [" << finding.subject << "]\n"
                         << example.code;
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    EXPECT_TRUE(seen[i]) << example.rule << ": not found: line " << example.expected[i].line << "\n" << example.code;
}

std::string applied(std::string code, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    for (const Fix& fix : finding.fixes) {
      for (const Edit& edit : fix.edits) code.replace(edit.range.start, edit.range.end - edit.range.start, edit.text);
      for (const std::string& line : fix.imports) code = line + "\n" + code;
    }
  }
  return code;
}

class CudaRulePages : public testing::Test {
 protected:
  void SetUp() override {
    const auto added = registry_.addPages(cudaRulePages());
    ASSERT_TRUE(added.ok()) << added.error().text();
    for (const RuleInfo& rule : registry_.all())
      for (Example& example : examplesOf(rule)) examples_.push_back(std::move(example));
  }

  RuleRegistry registry_;
  std::vector<Example> examples_;
};

TEST_F(CudaRulePages, CudaExamplesAreTrue) {
  char pattern[] = "/tmp/np_cuda_rules_XXXXXX";
  const std::string root = mkdtemp(pattern);
  std::vector<std::string> files;
  std::map<std::string, const Example*> by_path;
  for (const Example& example : examples_) {
    if (example.language != "cuda") continue;
    const std::string path = "e" + std::to_string(files.size()) + ".cu";
    std::ofstream(root + "/" + path) << example.code;
    files.push_back(path);
    by_path[path] = &example;
  }
  const auto analysis = analyzeCuda(root, files);
  ASSERT_TRUE(analysis.ok()) << analysis.error().text();
  for (const CudaFile& file : analysis->files)
    EXPECT_EQ(file.status, FileStatus::Analysed) << by_path[file.path]->rule << ": " << file.reason << "\n"
                                                 << by_path[file.path]->code;
  const auto findings = checkCuda(*analysis, registry_);
  ASSERT_TRUE(findings.ok()) << findings.error().text();
  std::map<std::string, std::vector<Finding>> found;
  for (const Finding& finding : *findings) found[finding.path].push_back(finding);
  std::filesystem::remove_all(root);
  for (const auto& [path, example] : by_path) expectFindings(*example, found[path]);
}

TEST_F(CudaRulePages, BuildExamplesAreTrue) {
  std::string code;
  for (const Example& example : examples_) {
    if (example.language != "python") continue;
    if (example.info == "fixed") {
      const auto findings = checkBuildFile(SourceText("setup.py", code), registry_);
      ASSERT_TRUE(findings.ok());
      std::string plain = applied(code, *findings);
      for (const char* expectation : {"  # error: NPT", "  # warning: NPT", "  # hint: NPT"})
        if (const std::size_t mark = plain.find(expectation); mark != std::string::npos)
          plain.erase(mark, plain.find('\n', mark) - mark);
      EXPECT_EQ(plain, example.code) << example.rule;
      const auto again = checkBuildFile(SourceText("setup.py", plain), registry_);
      ASSERT_TRUE(again.ok());
      for (const Finding& finding : *again) EXPECT_TRUE(finding.fixes.empty()) << "a second run changes something";
      continue;
    }
    code = example.code;
    const auto findings = checkBuildFile(SourceText("setup.py", example.code), registry_);
    ASSERT_TRUE(findings.ok()) << findings.error().text();
    expectFindings(example, *findings);
  }
}

TEST_F(CudaRulePages, EveryPageFiresAndIsSilentAndComplete) {
  for (const RuleInfo& rule : registry_.all()) {
    bool fires = false, silent = false;
    for (const Example& example : examples_) {
      if (example.rule != rule.id || example.info == "fixed") continue;
      fires = fires || !example.expected.empty();
      silent = silent || example.expected.empty();
    }
    EXPECT_TRUE(fires) << rule.name << " has no example that fires";
    EXPECT_TRUE(silent) << rule.name << " has no example that does not";
    for (const char* section : {"## What it finds", "## Why it matters on Neuron", "## Example", "## Instead",
                                "## Fix safety", "## Limits", "## References"})
      EXPECT_NE(rule.page.find(section), std::string_view::npos) << rule.name << " lacks \"" << section << "\"";
  }
}

TEST_F(CudaRulePages, EveryCategoryOfTheTableIsARule) {
  const auto table = HostApiTable::load();
  ASSERT_TRUE(table.ok()) << table.error().text();
  for (const HostApiRow& row : table->rows())
    EXPECT_NE(registry_.find(row.rule), nullptr) << row.name << ": " << row.rule;
  EXPECT_EQ(table->find("cublasSgemm")->category, "blas");
  EXPECT_EQ(table->find("cuda_helper"), nullptr);
}

TEST(HostApiTable, MistakesAreNamed) {
  const auto twice = HostApiTable::parse(
      R"({"categories": {"a": "NPT1001"}, "rows": [{"name": "x", "category": "a", "instead": ""}, {"name": "x", "category": "a", "instead": ""}]})");
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.error().message.find("\"x\" is given twice"), std::string::npos);
  EXPECT_FALSE(
      HostApiTable::parse(R"({"categories": {}, "rows": [{"name": "x", "category": "b", "instead": ""}]})").ok());
  EXPECT_FALSE(HostApiTable::parse("{").ok());
}

}  // namespace
}  // namespace np::analyzer
