// Which edits go together, and which fixes are made.

#include <gtest/gtest.h>

#include <random>

#include "rewriter/merge/edits.h"
#include "rewriter/merge/plan.h"

namespace np::rewriter {
namespace {

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

Plan planWith(const std::string& text, std::vector<Finding> findings, const PlanOptions& options) {
  static SourceText source;
  source = SourceText("a.py", text);
  return planFixes(findings, [](const std::string& path) { return path == "a.py" ? &source : nullptr; }, options);
}

TEST(Plan, AFixThatBreaksTheSyntaxIsNamed) {
  const Plan p = plan("x = 1\n", {finding("NPT3002", 4, 5, "((", FixSafety::Safe)});
  ASSERT_EQ(p.left.size(), 1u);
  EXPECT_NE(p.left[0].reason.find("NPT3002"), std::string::npos) << p.left[0].reason;
  EXPECT_NE(p.left[0].reason.find("a.py"), std::string::npos) << p.left[0].reason;
  EXPECT_TRUE(p.left[0].has_fix);
}

TEST(Plan, NoFixBreaksThePromisedTorch) {
  auto newer = finding("NPT3001", 0, 1, "yy", FixSafety::Safe);
  newer.fixes[0].min_torch = "2.10";
  auto older = finding("NPT3002", 4, 5, "2", FixSafety::Unsafe);
  older.fixes[0].min_torch = "2.6";
  const Plan p = planWith("x = 1\n", {newer, older}, {FixSafety::Unsafe, [](const std::string&) { return "2.6"; }, {}});
  ASSERT_EQ(p.files.size(), 1u);
  EXPECT_EQ(p.files[0].after, "x = 2\n");
  EXPECT_EQ(p.min_torch, "2.6");
  ASSERT_EQ(p.left.size(), 1u);
  EXPECT_EQ(p.left[0].reason, "needs torch 2.10, newer than the promised min-torch 2.6");
}

TEST(Plan, WhatThePinDoesNotAdmitIsSaid) {
  auto f = finding("NPT3001", 0, 1, "yy", FixSafety::Unsafe);
  f.notes = {"needs torch 2.6, which the project's pin \"<2.1\" does not admit"};
  const Plan p = plan("x = 1\n", {f});
  ASSERT_EQ(p.left.size(), 1u);
  EXPECT_EQ(p.left[0].reason, f.notes[0] + " (--unsafe-fixes)");
}

TEST(Plan, ALockedFileStaysAsItIs) {
  const Plan p = planWith("x = 1\n", {finding("NPT3001", 0, 1, "yy", FixSafety::Safe)},
                          {FixSafety::Safe, {}, [](const std::string&) { return "is read-only"; }});
  EXPECT_TRUE(p.files.empty());
  ASSERT_EQ(p.left.size(), 1u);
  EXPECT_EQ(p.left[0].reason, "\"a.py\" is read-only");
}

TEST(Plan, AnEditOutsideTheFileIsNotMade) {
  for (const auto& [start, end] : {std::pair<Offset, Offset>{90, 95}, {4, 900}, {5, 4}, {1, 2}}) {
    const Plan p = plan("\xC3\xA4 = 1\n", {finding("NPT3001", start, end, "y", FixSafety::Safe)});
    EXPECT_TRUE(p.files.empty()) << start;
    ASSERT_EQ(p.left.size(), 1u);
    EXPECT_NE(p.left[0].reason.find("does not lie in"), std::string::npos);
  }
}

Finding wrapping(const std::string& rule, Offset start, Offset end) {
  Finding f = finding(rule, start, start, "(", FixSafety::Safe);
  f.range = {start, end};
  f.fixes[0].edits.push_back(edit(end, end, ")"));
  return f;
}

// Both put a parenthesis in front of `a`; made once it would serve two closing ones.
TEST(Plan, TwoFixesDoNotShareAParenthesis) {
  const Plan p = plan("a.b.c\n", {wrapping("NPT3001", 0, 3), wrapping("NPT3002", 0, 5)});
  ASSERT_EQ(p.files.size(), 1u);
  EXPECT_EQ(p.files[0].after, "(a.b).c\n");
  ASSERT_EQ(p.left.size(), 1u);
  EXPECT_NE(p.left[0].reason.find("disturbs"), std::string::npos);
}

// A guard's fix contains those of its branch: what both insert is one insertion.
TEST(Plan, AFixInsideAnotherIsMadeOnce) {
  Finding inner = wrapping("NPT3002", 4, 5), outer = wrapping("NPT3001", 4, 5);
  outer.fixes[0].edits.push_back(edit(0, 1, "y"));
  EXPECT_EQ(plan("x = 1\n", {outer, inner}).files.at(0).after, "y = (1)\n");
  EXPECT_EQ(plan("x = 1\n", {inner, outer}).files.at(0).after, "y = (1)\n");
}

TEST(Plan, EditsOfOneFixMustGoTogether) {
  Finding f = finding("NPT3001", 0, 3, "y", FixSafety::Safe);
  f.fixes[0].edits.push_back(edit(2, 5, "z"));
  EXPECT_TRUE(plan("x = 1\n", {f}).files.empty());
}

// A group of two files goes from both when it breaks one of them.
TEST(Plan, AGroupGoesFromAllItsFiles) {
  const SourceText a("a.py", "x = 1\n"), b("b.py", "z = 1\n");
  Finding f = finding("NPT3001", 0, 1, "yy", FixSafety::Safe);
  f.fixes[0].edits.push_back({"b.py", {4, 5}, "(("});
  const Plan p = planFixes({f}, [&](const std::string& path) { return path == "a.py" ? &a : &b; }, {});
  EXPECT_TRUE(p.files.empty());
  ASSERT_EQ(p.left.size(), 1u);
  EXPECT_NE(p.left[0].reason.find("b.py"), std::string::npos);
}

}  // namespace
}  // namespace np::rewriter
