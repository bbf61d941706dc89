// Merging, import lines, diffs, atomic writing and undo.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "analyzer/base/process.h"
#include "rewriter/apply/apply.h"
#include "rewriter/apply/diff.h"
#include "rewriter/merge/edits.h"
#include "rewriter/merge/plan.h"
#include "rewriter/python/imports.h"

namespace np::rewriter {
namespace {

namespace fs = std::filesystem;

Edit edit(Offset start, Offset end, const std::string& text) { return {"a.py", {start, end}, text}; }

TEST(EditSet, KeepsBytesOutsideTheEdits) {
  EditSet set;
  set.add(edit(4, 5, "Z"));
  set.add(edit(0, 1, "AA"));
  set.add(edit(4, 5, "Z"));
  EXPECT_EQ(set.edits().size(), 2u);
  EXPECT_EQ(set.apply("abcdef"), "AAbcdZf");
}

TEST(EditSet, KnowsWhatDisturbs) {
  EditSet set;
  set.add(edit(2, 6, "x"));
  EXPECT_FALSE(set.accepts(edit(5, 8, "y")));
  EXPECT_FALSE(set.accepts(edit(4, 4, "y")));
  EXPECT_TRUE(set.accepts(edit(6, 8, "y")));
  EXPECT_TRUE(set.accepts(edit(2, 6, "x")));
  set.add(edit(9, 9, "one"));
  EXPECT_FALSE(set.accepts(edit(9, 9, "two")));
}

// Property: whatever edits are accepted, the text outside them is the old text, in order.
TEST(EditSet, RandomEditsNeverTouchOtherBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += static_cast<char>('a' + random() % 26);
    EditSet set;
    for (int i = 0; i < 8; ++i) {
      const Offset a = random() % 61, b = random() % 61;
      const Edit e = edit(std::min(a, b), std::max(a, b), std::string(random() % 3, '#'));
      if (set.accepts(e)) set.add(e);
    }
    std::string kept;
    std::size_t at = 0;
    for (const Edit& e : set.edits()) {
      ASSERT_LE(at, e.range.start);
      kept += text.substr(at, e.range.start - at);
      at = e.range.end;
    }
    kept += text.substr(at);
    std::string got = set.apply(text);
    std::erase(got, '#');
    EXPECT_EQ(got, kept);
  }
}

struct ImportCase {
  const char* before;
  const char* after;
};
class ImportTest : public ::testing::TestWithParam<ImportCase> {};
TEST_P(ImportTest, GoesWhereItBelongs) {
  EXPECT_EQ(insertImports(GetParam().before, {"import torch"}), GetParam().after);
}
INSTANTIATE_TEST_SUITE_P(
    Files, ImportTest,
    ::testing::Values(ImportCase{"import os\nx = 1\n", "import torch\nimport os\nx = 1\n"},
                      ImportCase{"x = 1\n", "import torch\nx = 1\n"},
                      ImportCase{"\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nx = 1\n",
                                 "\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport torch\nx = 1\n"},
                      ImportCase{"#!/usr/bin/env python\n# licence\nx = 1\n",
                                 "#!/usr/bin/env python\n# licence\nimport torch\nx = 1\n"},
                      ImportCase{"import os\r\nx = 1\r\n", "import torch\r\nimport os\r\nx = 1\r\n"},
                      ImportCase{"import torch\n", "import torch\n"},
                      ImportCase{"def f():\n    import torch\n", "import torch\ndef f():\n    import torch\n"},
                      ImportCase{"\"\"\"Doc.\"\"\"", "\"\"\"Doc.\"\"\"\nimport torch\n"},
                      ImportCase{"\xEF\xBB\xBFx = 1\n", "\xEF\xBB\xBFimport torch\nx = 1\n"},
                      ImportCase{"", "import torch\n"}));

Finding finding(const std::string& rule, Offset start, Offset end, const std::string& text, FixSafety safety,
                const std::string& group = "") {
  Finding f;
  f.rule = rule;
  f.path = "a.py";
  f.range = {start, end};
  Fix fix;
  fix.safety = safety;
  fix.group = group;
  fix.edits = {edit(start, end, text)};
  f.fixes = {fix};
  return f;
}

Plan plan(const std::string& text, std::vector<Finding> findings, FixSafety highest = FixSafety::Safe) {
  static SourceText source;
  source = SourceText("a.py", text);
  return planFixes(findings, [](const std::string& path) { return path == "a.py" ? &source : nullptr; }, {highest});
}

TEST(Plan, UnsafeFixesAreLeftUnlessAsked) {
  const auto findings =
      std::vector{finding("NPT3001", 0, 1, "yy", FixSafety::Safe), finding("NPT3002", 4, 5, "2", FixSafety::Unsafe)};
  EXPECT_EQ(plan("x = 1\n", findings).files.at(0).after, "yy = 1\n");
  EXPECT_EQ(plan("x = 1\n", findings).left.at(0).rule, "NPT3002");
  EXPECT_EQ(plan("x = 1\n", findings, FixSafety::Unsafe).files.at(0).after, "yy = 2\n");
}

TEST(Plan, ADeviceFlowChangesAsAWholeOrNotAtAll) {
  const auto findings = std::vector{finding("NPT3001", 0, 1, "yy", FixSafety::Safe, "flow"),
                                    finding("NPT3002", 4, 5, "2", FixSafety::Unsafe, "flow")};
  EXPECT_TRUE(plan("x = 1\n", findings).files.empty());
  EXPECT_EQ(plan("x = 1\n", findings, FixSafety::Unsafe).files.at(0).after, "yy = 2\n");
}

TEST(Plan, AFixThatBreaksTheSyntaxIsDroppedAlone) {
  const auto findings =
      std::vector{finding("NPT3001", 0, 1, "yy", FixSafety::Safe), finding("NPT3002", 4, 5, "((", FixSafety::Safe)};
  const Plan p = plan("x = 1\n", findings);
  EXPECT_EQ(p.files.at(0).after, "yy = 1\n");
  ASSERT_EQ(p.left.size(), 1u);
  EXPECT_EQ(p.left[0].rule, "NPT3002");
  EXPECT_NE(p.left[0].reason.find("parse"), std::string::npos);
}

TEST(Plan, OfTwoFixesThatDisturbTheFirstStays) {
  const auto findings =
      std::vector{finding("NPT3001", 0, 5, "y", FixSafety::Safe), finding("NPT3002", 4, 5, "2", FixSafety::Safe)};
  EXPECT_EQ(plan("x = 1\n", findings).files.at(0).after, "y\n");
}

TEST(Plan, ComparesVersionsByNumber) {
  EXPECT_TRUE(isOlder("2.6", "2.10"));
  EXPECT_FALSE(isOlder("2.10", "2.6"));
  EXPECT_TRUE(isOlder("", "2.0"));
  EXPECT_FALSE(isOlder("2.6", "2.6"));
}

class FolderTest : public ::testing::Test {
 protected:
  FolderTest() : root_(fs::temp_directory_path() / ("np_apply_" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~FolderTest() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    std::ofstream(root_ / path, std::ios::binary) << text;
  }
  std::string read(const std::string& path) {
    std::ifstream in(root_ / path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  fs::path root_;
};

TEST_F(FolderTest, WritesAndTakesBack) {
  write("a.py", "one\r\n");
  write("b.py", "two");
  ASSERT_TRUE(applyTexts(root_.string(), {{"a.py", "one\r\n", "ONE\r\n"}, {"b.py", "two", "TWO"}}).ok());
  EXPECT_EQ(read("a.py"), "ONE\r\n");
  const auto undone = undoTexts(root_.string());
  ASSERT_TRUE(undone.ok());
  EXPECT_EQ(undone->size(), 2u);
  EXPECT_EQ(read("a.py"), "one\r\n");
  EXPECT_EQ(read("b.py"), "two");
  EXPECT_FALSE(undoTexts(root_.string()).ok());
}

TEST_F(FolderTest, AFileThatChangedStopsEverything) {
  write("a.py", "one");
  write("b.py", "other");
  const auto result = applyTexts(root_.string(), {{"a.py", "one", "ONE"}, {"b.py", "two", "TWO"}});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("b.py"), std::string::npos);
  EXPECT_EQ(read("a.py"), "one");
  EXPECT_FALSE(fs::exists(root_ / "a.py.neuron-port-new"));
}

TEST_F(FolderTest, UndoRefusesWhatWasEditedSince) {
  write("a.py", "one");
  ASSERT_TRUE(applyTexts(root_.string(), {{"a.py", "one", "ONE"}}).ok());
  write("a.py", "mine");
  EXPECT_FALSE(undoTexts(root_.string()).ok());
  EXPECT_EQ(read("a.py"), "mine");
}

TEST_F(FolderTest, AForeignJournalWritesNothingOutside) {
  std::filesystem::create_directories(root_ / ".neuron-port/undo");
  write(".neuron-port/undo/manifest", "0-0 ../elsewhere.txt\n");
  write(".neuron-port/undo/0", "planted");
  const auto undone = undoTexts(root_.string());
  ASSERT_FALSE(undone.ok());
  EXPECT_EQ(undone.error().code, "outside");
}

// Property: `patch` turns the old text into the new one.
TEST_F(FolderTest, DiffsApply) {
  std::mt19937 random(3);
  for (int round = 0; round < 25; ++round) {
    std::string before, after;
    for (int i = 0; i < 40; ++i) {
      const std::string line = "line " + std::to_string(random() % 9) + "\n";
      const auto dice = random() % 10;
      if (dice != 0) before += line;
      if (dice != 1) after += dice == 2 ? "changed\n" : line;
    }
    if (round % 3 == 0 && !before.empty()) before.pop_back();
    if (before == after) continue;
    write("f.txt", before);
    ProcessRequest request;
    request.argv = {"patch", "-p1", "-s"};
    request.directory = root_.string();
    request.input = unifiedDiff("f.txt", before, after);
    const auto result = runProcess(request);
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(result->exit_code, 0) << result->out << result->err << request.input;
    ASSERT_EQ(read("f.txt"), after) << request.input;
  }
}

}  // namespace
}  // namespace np::rewriter
