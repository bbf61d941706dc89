// The edit merger, import lines, the notebook mapper and fixing itself on random and on broken input. What must hold:
// a plan is the sum of its fixes and nothing else, groups are whole, what parsed still parses, a second run has nothing
// to do, and of a notebook only the edited bytes change.
//
// NP_FUZZ_ROUNDS (default 400) and NP_FUZZ_SEED make longer runs and other ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "analyzer/python/notebook.h"
#include "analyzer/python/notebook_magics.h"
#include "analyzer/python/syntax_tree.h"
#include "analyzer/rules/registry.h"
#include "analyzer/rules/torch/analyze_python.h"
#include "analyzer/rules/torch/pages.h"
#include "rewriter/merge/plan.h"
#include "rewriter/python/imports.h"
#include "rewriter/python/syntax_check.h"
#include "tests/fuzz/mutator.h"

namespace np::rewriter {
namespace {

namespace py = analyzer::python;
using fuzz::Mutator;

unsigned setting(const char* name, unsigned fallback) {
  const char* text = std::getenv(name);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : fallback;
}
unsigned rounds() { return setting("NP_FUZZ_ROUNDS", 400); }
unsigned seed() { return setting("NP_FUZZ_SEED", 1); }

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  template <class T>
  const T& oneOf(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937 random_;
};

std::vector<std::string> seeds() {
  std::vector<std::string> out;
  for (std::string_view page : analyzer::torchRulePages())
    for (std::size_t at = 0; (at = page.find("```python", at)) != std::string_view::npos;) {
      const std::size_t start = page.find('\n', at) + 1, end = page.find("```", start);
      if (end == std::string_view::npos) break;
      out.emplace_back(page.substr(start, end - start));
      at = end + 3;
    }
  return out;
}

bool isWhole(std::string_view code) { return parsesWhole("a.py", code); }

// ---- the merger ----

Edit randomEdit(Dice& dice, const std::string& path, std::size_t size) {
  const std::vector<std::string> texts = {"", "#", "xyz", "\n", "torch", "é"};
  Offset a = static_cast<Offset>(dice.below(size + 1)), b = dice.below(3) ? a + static_cast<Offset>(dice.below(5)) : a;
  if (dice.below(50) == 0) std::swap(a, b);  // impossible
  if (dice.below(50) == 0) b += 1000;        // outside
  return {path, {a, b}, dice.oneOf(texts)};
}

// What the edits give, by their ranges alone; none when two of them touch the same bytes.
std::optional<std::string> reference(const std::string& text, const std::set<std::pair<Range, std::string>>& edits) {
  std::string out;
  Offset at = 0;
  std::optional<Offset> inserted;
  for (const auto& [range, added] : edits) {
    if (range.start < at || (range.empty() && inserted == range.start)) return std::nullopt;
    if (range.empty()) inserted = range.start;
    out += text.substr(at, range.start - at) + added;
    at = range.end;
  }
  return out + text.substr(at);
}

TEST(RewriterFuzz, APlanIsTheSumOfItsFixes) {
  Dice dice(seed());
  for (unsigned round = 0; round < rounds() * 10; ++round) {
    std::string a(20 + dice.below(60), 'a'), b = "ü日😀" + std::string(dice.below(30), 'b');
    for (char& c : a) c = static_cast<char>('a' + dice.below(26));
    const SourceText text_a("a.txt", a), text_b("b.txt", b);
    std::vector<Finding> findings;
    for (std::size_t i = 0, n = 1 + dice.below(9); i < n; ++i) {
      Finding f;
      f.rule = "NPT" + std::to_string(3000 + i);
      f.path = dice.below(4) ? "a.txt" : "b.txt";
      f.start.offset = static_cast<Offset>(i);
      for (std::size_t k = 0, fixes = dice.below(3); k < fixes; ++k) {
        Fix fix;
        fix.safety = static_cast<FixSafety>(dice.below(3));
        fix.min_torch = dice.below(4) ? "" : "2.9";
        if (dice.below(3) == 0) fix.group = "g" + std::to_string(dice.below(2));
        for (std::size_t e = 0, edits = 1 + dice.below(3); e < edits; ++e)
          fix.edits.push_back(dice.below(5) ? randomEdit(dice, f.path, f.path == "a.txt" ? a.size() : b.size())
                                            : randomEdit(dice, "b.txt", b.size()));
        if (dice.below(20) == 0) fix.edits.push_back({"gone.txt", {0, 0}, "x"});
        f.fixes.push_back(fix);
      }
      findings.push_back(f);
    }
    const auto texts = [&](const std::string& path) {
      return path == "a.txt" ? &text_a : path == "b.txt" ? &text_b : nullptr;
    };
    const bool promises = dice.below(2);
    const PlanOptions options{dice.below(2) ? FixSafety::Unsafe : FixSafety::Safe,
                              [&](const std::string&) { return promises ? "2.6" : ""; },
                              {}};
    const Plan plan = planFixes(findings, texts, options);
    const std::string where = "round " + std::to_string(round);

    // Every finding is applied or left, once.
    std::map<std::string, int> seen;
    for (const AppliedFix& fix : plan.applied) ++seen[fix.rule];
    for (const LeftOver& left : plan.left) ++seen[left.rule];
    ASSERT_EQ(seen.size(), findings.size()) << where;
    for (const auto& [rule, count] : seen) ASSERT_EQ(count, 1) << where << rule;

    // The files are what the applied fixes say.
    std::map<std::string, std::set<std::pair<Range, std::string>>> edits;
    std::map<std::string, bool> group_applied;
    for (const AppliedFix& applied : plan.applied) {
      ASSERT_LE(applied.safety, options.highest) << where;
      ASSERT_TRUE(!promises || applied.min_torch.empty()) << where;
      const Finding& f = findings[applied.start.offset];
      const Fix* made = nullptr;
      for (const Fix& fix : f.fixes)
        if (fix.safety == applied.safety && fix.min_torch == applied.min_torch && !made) made = &fix;
      ASSERT_TRUE(made) << where;
      for (const Edit& edit : made->edits) edits[edit.path].insert({edit.range, edit.text});
      if (!made->group.empty()) group_applied[f.path + made->group] = true;
    }
    for (const auto& [path, set] : edits) {
      const std::string& before = path == "a.txt" ? a : b;
      ASSERT_NE(path, "gone.txt") << where;
      const auto expected = reference(before, set);
      ASSERT_TRUE(expected.has_value()) << where;
      ASSERT_TRUE(isValidUtf8(*expected)) << where;
      const auto change =
          std::find_if(plan.files.begin(), plan.files.end(), [&](const FileChange& c) { return c.path == path; });
      ASSERT_EQ(change == plan.files.end() ? before : change->after, *expected) << where;
    }
    for (const FileChange& change : plan.files) ASSERT_TRUE(edits.contains(change.path)) << where;
    const Plan again = planFixes(findings, texts, options);
    ASSERT_EQ(again.applied.size(), plan.applied.size()) << where;
  }
}

// ---- import lines ----

TEST(RewriterFuzz, AnImportLineIsAllThatChanges) {
  const std::vector<std::string> texts = seeds();
  Mutator mutator(seed() + 1);
  Dice dice(seed() + 2);
  unsigned whole = 0;
  for (unsigned round = 0; round < rounds() * 4; ++round) {
    std::string code = dice.below(2) ? mutator.next(texts) : dice.oneOf(texts);
    const std::vector<std::string> heads = {"",
                                            "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n",
                                            "\n\n",
                                            "'''Doc.\n'''; ",
                                            "\"\"\"Doc.\"\"\"\n\n",
                                            "from __future__ import annotations\n",
                                            "\f\n",
                                            "from __future__ import (annotations,\n  division); x = '''\n''' \n"};
    code = dice.oneOf(heads) + code;
    const std::vector<std::string> ends = {"\n", "\r\n", "\r"};
    std::string mixed;
    const bool is_mixed = dice.below(2);
    const std::string end = dice.oneOf(ends);
    for (char c : code) mixed += c == '\n' ? (is_mixed ? dice.oneOf(ends) : end) : std::string(1, c);
    if (dice.below(4) == 0) mixed = "\xEF\xBB\xBF" + mixed;
    const auto after = insertImports(mixed, {"import a_module"});
    const std::string where = "round " + std::to_string(round) + ":\n" + mixed;
    if (!after) continue;
    // Taking one line out gives the old text.
    const std::size_t at = after->find("import a_module");
    ASSERT_NE(at, std::string::npos) << where;
    bool gives_back = false;
    for (const std::string& before_it : {std::string(), std::string("\n"), std::string("\r\n"), std::string("\r")})
      for (const std::string& behind : ends) {
        const std::string line = before_it + "import a_module" + behind;
        if (at < before_it.size() || after->compare(at - before_it.size(), line.size(), line) != 0) continue;
        std::string rest = *after;
        rest.erase(at - before_it.size(), line.size());
        gives_back |= rest == mixed;
      }
    ASSERT_TRUE(gives_back) << where << "\n--- after:\n" << *after;
    if (!isWhole(mixed)) continue;
    ++whole;
    ASSERT_TRUE(isWhole(*after)) << where << "\n--- after:\n" << *after;
    // It is a statement of the module, and what had to be first still is.
    const auto tree = py::SyntaxTree::parse(*after);
    bool stands = false, future_after = false;
    for (const py::NodeId statement : tree->children(0)) {
      const Range range = (*tree)[statement].range;
      if (after->substr(range.start, range.end - range.start) == "import a_module") stands = true;
      const bool was_there = isWhole(mixed) && stands && tree->is(statement, py::Kind::FutureImport);
      future_after |= was_there;
    }
    ASSERT_TRUE(stands) << where << "\n--- after:\n" << *after;
    if (future_after) {  // only where one stood too late before
      const auto old_tree = py::SyntaxTree::parse(mixed);
      bool other_seen = false, was_late = false;
      for (const py::NodeId statement : old_tree->children(0)) {
        const bool is_future = old_tree->is(statement, py::Kind::FutureImport);
        was_late |= is_future && other_seen;
        other_seen |= !is_future;
      }
      ASSERT_TRUE(was_late) << where << "\n--- after:\n" << *after;
    }
    ASSERT_EQ(insertImports(*after, {"import a_module"}), *after) << where;
  }
  EXPECT_GT(whole, rounds() / 4);
}

// ---- notebooks ----

nlohmann::json randomNotebook(Dice& dice, Mutator& mutator, const std::vector<std::string>& texts) {
  nlohmann::json cells = nlohmann::json::array();
  const std::vector<std::string> lines = {
      "!ls -l\n",    "%matplotlib inline\n",   "x = !pwd\n",       "torch?\n", "# why?\n",
      "%time f()\n", "s = \"é \\u00e9 😀\"\n", "y = (1\n  % 2)\n", "\t\f\n",   "\\\n"};
  for (std::size_t i = 0, n = 1 + dice.below(5); i < n; ++i) {
    std::string code = dice.below(2) ? mutator.next(texts) : dice.oneOf(texts);
    if (!isValidUtf8(code)) code = dice.oneOf(texts);
    if (dice.below(2)) code = dice.oneOf(lines) + code;
    if (dice.below(6) == 0)
      code = "%%" + dice.oneOf(std::vector<std::string>{"time", "bash", "capture c"}) + "\n" + code;
    nlohmann::json source = code;
    if (dice.below(2)) {
      source = nlohmann::json::array();
      for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size() - 1) + 1;
        source.push_back(code.substr(at, end - at));
        at = end;
      }
    }
    cells.push_back({{"cell_type", dice.below(5) ? "code" : "markdown"},
                     {"metadata", nlohmann::json::object()},
                     {"outputs", nlohmann::json::array({{{"text", code}}})},
                     {"source", source}});
  }
  return {{"cells", cells}, {"metadata", {{"language_info", {{"name", "python"}}}}}, {"nbformat", 4}};
}

std::string joined(const nlohmann::json& source) {
  if (source.is_string()) return source.get<std::string>();
  std::string out;
  for (const auto& piece : source) out += piece.get<std::string>();
  return out;
}

TEST(RewriterFuzz, AnEditOfANotebookIsAnEditOfItsCell) {
  const std::vector<std::string> texts = seeds();
  Mutator mutator(seed() + 3);
  Dice dice(seed() + 4);
  unsigned made = 0;
  for (unsigned round = 0; round < rounds(); ++round) {
    const nlohmann::json before = randomNotebook(dice, mutator, texts);
    const std::vector<int> indents = {-1, 0, 1, 4};
    const std::string bytes = before.dump(dice.oneOf(indents), ' ', dice.below(2) == 0);
    const SourceText text("n.ipynb", bytes);
    const auto notebook = py::Notebook::parse(text);
    const std::string where = "round " + std::to_string(round) + ":\n" + bytes;
    ASSERT_TRUE(notebook.ok()) << where;
    std::vector<std::size_t> code_cells;
    for (std::size_t i = 0; i < before["cells"].size(); ++i)
      if (before["cells"][i]["cell_type"] == "code") code_cells.push_back(i);
    ASSERT_EQ(notebook->cells().size(), code_cells.size()) << where;
    for (std::size_t i = 0; i < code_cells.size(); ++i) {
      // Masking keeps length and lines.
      const std::string source = joined(before["cells"][code_cells[i]]["source"]) + "\n";
      const std::string_view shown = notebook->cellCode(i);
      ASSERT_EQ(shown.size(), source.size()) << where;
      for (std::size_t at = 0; at < source.size(); ++at) ASSERT_EQ(source[at] == '\n', shown[at] == '\n') << where;
    }
    if (code_cells.empty()) continue;
    for (int i = 0; i < 10; ++i) {
      const std::size_t cell = dice.below(code_cells.size());
      const Range range = notebook->cells()[cell];
      const std::string source = joined(before["cells"][code_cells[cell]]["source"]);
      Offset a = static_cast<Offset>(dice.below(source.size() + 1)), b = a + static_cast<Offset>(dice.below(6));
      const auto splits = [&](Offset at) {
        return at < source.size() && (static_cast<unsigned char>(source[at]) & 0xC0) == 0x80;
      };
      while (splits(a)) --a;
      b = std::min<Offset>(std::max(a, b), static_cast<Offset>(source.size()));
      while (splits(b)) ++b;
      const std::vector<std::string> added = {"", "\"q\"", "\\", "x\ny", "é😀", std::string("\x01\x1f\r"), "torch"};
      const std::string text_in = dice.oneOf(added);
      const auto edits = notebook->jsonEdits({"n.ipynb", {range.start + a, range.start + b}, text_in});
      if (edits.empty()) continue;
      ++made;
      std::string after = bytes;
      for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
        after.replace(edit->range.start, edit->range.end - edit->range.start, edit->text);
      ASSERT_TRUE(isJson(after)) << where << "\n--- after\n" << after;
      nlohmann::json now = nlohmann::json::parse(after), expected = before;
      ASSERT_EQ(joined(now["cells"][code_cells[cell]]["source"]), source.substr(0, a) + text_in + source.substr(b))
          << where << a << " " << b;
      now["cells"][code_cells[cell]].erase("source");
      expected["cells"][code_cells[cell]].erase("source");
      ASSERT_EQ(now, expected) << where;
    }
    for (Offset at = 0; at + 1 < notebook->code().size(); at += 7) {
      const Range json = notebook->jsonRange({at, at + 1});
      if (json.empty()) continue;  // between two cells
      const Range code = notebook->codeRange(json);
      ASSERT_LE(code.start, at) << where << at;
      ASSERT_EQ(notebook->jsonRange(code), json) << where << at;
    }
  }
  EXPECT_GT(made, rounds());
}

TEST(RewriterFuzz, MaskingTwiceIsMaskingOnce) {
  const std::vector<std::string> texts = seeds();
  Mutator mutator(seed() + 5);
  Dice dice(seed() + 6);
  const std::vector<std::string> lines = {"!ls \\\n", "%x\n", "y = !z\n", "a?\n",
                                          "'''",      "(",    "%%time\n", "%timeit -n 1 f()\n"};
  for (unsigned round = 0; round < rounds() * 5; ++round) {
    std::string code = mutator.next(texts);
    for (int i = 0; i < 3; ++i)
      code.insert(dice.below(2) ? 0 : code.find('\n', dice.below(code.size())) + 1, dice.oneOf(lines));
    std::string once = code;
    const py::CellLanguage language = py::maskMagics(once);
    ASSERT_EQ(once.size(), code.size());
    if (language != py::CellLanguage::Python) continue;
    std::string twice = once;
    ASSERT_EQ(py::maskMagics(twice), py::CellLanguage::Python) << code;
    ASSERT_EQ(twice, once) << code;
  }
}

// ---- fixing ----

class FixFuzz : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(registry_.addPages(analyzer::torchRulePages()).ok());
    auto table = analyzer::ApiTable::load();
    ASSERT_TRUE(table.ok());
    table_ = std::make_unique<analyzer::ApiTable>(std::move(*table));
  }

  // Rounds until nothing changes; false when it does not come to rest.
  bool fix(std::string& bytes, const std::string& path, FixSafety highest, analyzer::Target target) {
    analyzer::PythonContext context{registry_, *table_};
    context.target = target;
    for (int round = 0; round < 10; ++round) {
      const SourceText text(path, bytes);
      const bool is_notebook = path.ends_with(".ipynb");
      const auto found = is_notebook ? analyzeNotebook(text, context) : analyzePython(text, context);
      const Plan plan = planFixes(found.findings, [&](const std::string&) { return &text; }, {highest});
      for (const LeftOver& left : plan.left)
        if (left.reason.find("fault of neuron-port") != std::string::npos) faults_ += left.reason + "\n";
      if (plan.files.empty()) return true;
      bytes = plan.files[0].after;
    }
    return false;
  }

  analyzer::RuleRegistry registry_;
  std::unique_ptr<analyzer::ApiTable> table_;
  std::string faults_;
};

TEST_F(FixFuzz, WhatParsedStillParsesAndComesToRest) {
  const std::vector<std::string> texts = seeds();
  Mutator mutator(seed() + 7);
  for (unsigned round = 0; round < rounds() * 2; ++round) {
    const std::string before = "import torch\n" + mutator.next(texts);
    for (const auto& [highest, target] : {std::pair{FixSafety::Safe, analyzer::Target::Accelerator},
                                          {FixSafety::Unsafe, analyzer::Target::Accelerator},
                                          {FixSafety::Unsafe, analyzer::Target::Neuron}}) {
      std::string after = before;
      ASSERT_TRUE(fix(after, "a.py", highest, target)) << "round " << round << ":\n"
                                                       << before << "\n--- after\n"
                                                       << after;
      ASSERT_TRUE(!isWhole(before) || isWhole(after)) << "round " << round << ":\n" << before << "\n---\n" << after;
      ASSERT_EQ(faults_, "") << "round " << round << ":\n" << before;
    }
  }
}

TEST_F(FixFuzz, NotebooksStayNotebooks) {
  const std::vector<std::string> texts = seeds();
  Mutator mutator(seed() + 8);
  Dice dice(seed() + 9);
  for (unsigned round = 0; round < rounds() / 2; ++round) {
    const nlohmann::json notebook = randomNotebook(dice, mutator, texts);
    std::string after = notebook.dump(1);
    ASSERT_TRUE(fix(after, "n.ipynb", FixSafety::Unsafe, analyzer::Target::Accelerator)) << notebook.dump(1);
    ASSERT_TRUE(isJson(after)) << notebook.dump(1);
    nlohmann::json now = nlohmann::json::parse(after), expected = notebook;
    for (auto* book : {&now, &expected})
      for (auto& cell : (*book)["cells"])
        if (cell["cell_type"] == "code") cell.erase("source");
    ASSERT_EQ(now, expected);
    ASSERT_EQ(faults_, "") << notebook.dump(1);
  }
}

}  // namespace
}  // namespace np::rewriter
