// The examples of the pages about C++ host code are their tests.
//
//   ```cpp NAME          a file of a project; `// hint: NPT1024 part of the message` says what must be found in its
//   line,
//                        several are separated by `;`. Findings of other rules are not looked at.
//   ```cpp NAME fixed    what the file becomes with all fixes of all rules
//
// Files belong together until one of them is given again or a `fixed` block was seen; then a new project begins. Every
// page needs an example that fires and one that does not. A second run must offer no fix.

#include <gtest/gtest.h>

#include <map>

#include "analyzer/rules/host/host_rules.h"
#include "rewriter/merge/plan.h"
#include "tests/rules/page_examples.h"

namespace np::analyzer {
namespace {

// `// error: NPT…` as page_examples.h reads it behind '#'.
std::string withHashes(std::string code) {
  for (const char* severity : {"// error: NPT", "// warning: NPT", "// hint: NPT"})
    for (std::size_t at = code.find(severity); at != std::string::npos; at = code.find(severity))
      code.replace(at, 2, "#");
  return code;
}

struct Project {
  std::map<std::string, SourceText> files;
  std::map<std::string, std::string> fixed;
  std::map<std::string, std::vector<Expected>> expected;
  bool isSilent() const {
    return std::all_of(expected.begin(), expected.end(), [](const auto& one) { return one.second.empty(); });
  }
};

std::vector<Project> projectsOf(const RuleInfo& rule) {
  std::vector<Project> out;
  for (const Block& block : blocksOf(rule.page, "cpp")) {
    const std::size_t space = block.info.find(' ');
    const std::string name = block.info.substr(0, space);
    if (space != std::string::npos) {
      out.back().fixed[name] = block.code;
      continue;
    }
    if (out.empty() || !out.back().fixed.empty() || out.back().files.contains(name)) out.emplace_back();
    std::vector<Expected>& expected = out.back().expected[name];
    out.back().files.emplace(name, SourceText(name, stripAll(withHashes(block.code), expected)));
  }
  return out;
}

class HostRulePages : public testing::Test {
 protected:
  void SetUp() override {
    const auto added = registry_.addPages(hostRulePages());
    ASSERT_TRUE(added.ok()) << added.error().text();
  }

  std::vector<Finding> check(const std::map<std::string, SourceText>& files) const {
    std::vector<const SourceText*> texts;
    for (const auto& [name, text] : files) texts.push_back(&text);
    return checkHost(texts, {}, registry_);
  }

  // All fixes, to their fixpoint.
  std::map<std::string, SourceText> fixed(std::map<std::string, SourceText> files) const {
    rewriter::PlanOptions options;
    options.highest = FixSafety::Unsafe;
    for (int round = 0; round < 10; ++round) {
      const auto text = [&](const std::string& path) { return files.contains(path) ? &files.at(path) : nullptr; };
      const rewriter::Plan plan = rewriter::planFixes(check(files), text, options);
      if (plan.files.empty()) return files;
      for (const rewriter::FileChange& change : plan.files) files[change.path] = SourceText(change.path, change.after);
    }
    ADD_FAILURE() << "the fixes do not come to rest";
    return files;
  }

  RuleRegistry registry_;
};

TEST_F(HostRulePages, ExamplesAreTrue) {
  for (const RuleInfo& rule : registry_.all()) {
    bool fires = false, silent = false;
    for (const Project& project : projectsOf(rule)) {
      const std::vector<Finding> found = check(project.files);
      for (const auto& [name, expected] : project.expected) {
        std::vector<Finding> here;
        for (const Finding& finding : found)
          if (finding.path == name && finding.rule == rule.id) here.push_back(finding);
        expectFindings(rule.name + " " + name, expected, here);
      }
      fires = fires || !project.isSilent();
      silent = silent || project.isSilent();
      const auto after = fixed(project.files);
      for (const auto& [name, text] : project.fixed)
        EXPECT_EQ(after.at(name).bytes(), text) << rule.name << " " << name;
    }
    EXPECT_TRUE(fires) << rule.name << " has no example that fires";
    EXPECT_TRUE(silent) << rule.name << " has no example that does not";
    for (const char* section : {"## What it finds", "## Why it matters on Neuron", "## Example", "## Instead",
                                "## Fix safety", "## Limits", "## References"})
      EXPECT_NE(rule.page.find(section), std::string_view::npos) << rule.name << " lacks \"" << section << "\"";
  }
}

// A declaration that no op can stand for keeps the whole project from getting half a build.
TEST_F(HostRulePages, HalfABuildIsNotOffered) {
  std::map<std::string, SourceText> files;
  files.emplace("a.h", SourceText("a.h", "struct P;\nvoid f(P p);\nTensor g(Tensor x);\n"));
  files.emplace("a.cu", SourceText("a.cu", "#include \"a.h\"\nvoid f(P p) {}\nTensor g(Tensor x) { return x; }\n"));
  files.emplace("a.cpp", SourceText("a.cpp", "#include \"a.h\"\nTensor h(Tensor x) { f(P()); return g(x); }\n"));
  bool told = false;
  for (const Finding& finding : check(files)) {
    EXPECT_TRUE(finding.fixes.empty()) << finding.rule;
    for (const std::string& note : finding.notes)
      told = told || note.find("\"f\", which it uses, has no bridge") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

TEST_F(HostRulePages, LineEndsAndMarksStay) {
  std::map<std::string, SourceText> files;
  files.emplace("a.cpp", SourceText("a.cpp", "\xEF\xBB\xBF#include <cuda.h>\r\nint x;\r\n"));
  EXPECT_EQ(fixed(files).at("a.cpp").bytes(),
            "\xEF\xBB\xBF#ifndef WITH_NEURON\r\n#include <cuda.h>\r\n#endif\r\nint x;\r\n");
}

TEST_F(HostRulePages, AMacroIsChangedOnceAndItsUsesAreListed) {
  std::map<std::string, SourceText> files;
  files.emplace("c.h", SourceText("c.h", "#define CHECK_CUDA(x) \\\n  TORCH_CHECK(x.is_cuda(), #x \" on CUDA\")\n"));
  for (const char* name : {"a.cpp", "b.cpp"})
    files.emplace(name, SourceText(name, "#include \"c.h\"\nvoid f(Tensor x) { CHECK_CUDA(x); }\n"));
  const std::vector<Finding> found = check(files);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].trace.size(), 2u);
  EXPECT_EQ(found[0].notes[0], "used in 2 places");
  const auto after = fixed(files);
  EXPECT_EQ(after.at("c.h").bytes(),
            "#define CHECK_CUDA(x) \\\n  TORCH_CHECK(!x.is_cpu(), #x \" on an accelerator\")\n");
  EXPECT_EQ(after.at("a.cpp").bytes(), files.at("a.cpp").bytes());
}

// The default of a template parameter once made a function look like a variable, and its file lost its bindings.
TEST_F(HostRulePages, DefaultsOfTemplateParametersAreNoVariables) {
  std::map<std::string, SourceText> files;
  files.emplace("a.cu", SourceText("a.cu",
                                   "template <int n = 64>\nvoid launch(float *x) { k<<<1, n>>>(x); }\n"
                                   "void f(at::Tensor x) { launch<2>(x.data_ptr<float>()); }\n"
                                   "PYBIND11_MODULE(m, m) { m.def(\"f\", &f); }\n"));
  const auto after = fixed(files);
  EXPECT_TRUE(after.at("a.cu").bytes().starts_with("#ifndef WITH_NEURON\ntemplate <int n = 64>\n"));
  EXPECT_NE(after.at("a.cu").bytes().find("\"a::f\""), std::string_view::npos);
}

TEST_F(HostRulePages, AnyBytesComeToAnEnd) {
  for (const std::string& bytes : {std::string(),
                                   std::string("\0#", 2),
                                   std::string("#"),
                                   std::string("#if"),
                                   std::string("#include <"),
                                   std::string("R\"("),
                                   std::string("'"),
                                   std::string("/*"),
                                   std::string("f("),
                                   std::string("f(x"),
                                   std::string("is_cuda()"),
                                   std::string(".is_cuda()"),
                                   std::string("x.is_cuda()"),
                                   std::string("template<"),
                                   std::string("namespace"),
                                   std::string("namespace a"),
                                   std::string("}}}"),
                                   std::string(100000, '{'),
                                   std::string(100000, '('),
                                   std::string("TORCH_LIBRARY("),
                                   std::string("PYBIND11_MODULE(a, m) {"),
                                   std::string("<<<"),
                                   std::string("k<<<1,1>>>"),
                                   std::string("CUDAGuard"),
                                   std::string("CUDAGuard g("),
                                   std::string("a::CUDAGuard g(x.get_device()"),
                                   std::string("#define"),
                                   std::string("#define A is_cuda()"),
                                   std::string("x.type()"),
                                   std::string("x.data<"),
                                   std::string("void f(int x = {")}) {
    for (const char* name : {"a.cpp", "a.cu", "a.cuh", "a.h"}) {
      std::map<std::string, SourceText> files;
      files.emplace(name, SourceText(name, bytes));
      EXPECT_LE(check(files).size(), 100u) << name << ": " << bytes.substr(0, 40);
    }
  }
}

}  // namespace
}  // namespace np::analyzer
