// What may be written back: every kind of file parses as well as it did.

#include "rewriter/python/syntax_check.h"

#include <gtest/gtest.h>

#include <string>

namespace np::rewriter {
namespace {

struct Case {
  const char *path, *before, *after;
  bool good;
};

class SyntaxCheckTest : public ::testing::TestWithParam<Case> {};
TEST_P(SyntaxCheckTest, Tells) {
  const Case& c = GetParam();
  EXPECT_EQ(stillParses(c.path, c.before, c.after), c.good) << c.path << ": " << c.after;
}
INSTANTIATE_TEST_SUITE_P(Files, SyntaxCheckTest,
                         ::testing::Values(Case{"a.py", "x = 1\n", "x = 2\n", true},
                                           Case{"a.py", "x = 1\n", "x = (\n", false},
                                           Case{"a.pyw", "x = 1\n", "x = (\n", false},
                                           Case{"a.pyi", "x: int\n", "x: (\n", false},
                                           Case{"a.py", "x = (\ny = 1\n", "x = (\ny = 2\n", true},
                                           Case{"a.json", "{\"a\": 1}", "{\"a\": 2}", true},
                                           Case{"a.json", "{\"a\": 1}", "{\"a\": 2", false},
                                           Case{"a.json", "{a: 1}", "{a: 2", true},  // no JSON before either
                                           Case{"a.toml", "a = [\"x\"]\n", "a = [\"y\"]\n", true},
                                           Case{"a.toml", "a = [\"x\"]\n", "a = [\"y]\n", false},
                                           Case{"requirements.txt", "torch\n", "(((\n", true}));

std::string notebook(const std::string& first, const std::string& second) {
  return R"({"nbformat": 4, "cells": [{"cell_type": "code", "source": ")" + first +
         R"("}, {"cell_type": "code", "source": ")" + second + R"("}]})";
}

TEST(SyntaxCheck, NotebooksAreReadAgainCellByCell) {
  const std::string good = notebook("x = 1", "y = 1");
  EXPECT_TRUE(stillParses("n.ipynb", good, notebook("x = 2", "y = 1")));
  EXPECT_FALSE(stillParses("n.ipynb", good, notebook("x = = 2", "y = 1")));
  EXPECT_FALSE(stillParses("n.ipynb", good, notebook("x = (", "y = 1")));
  // An error more in one cell does not hide behind one less in another.
  EXPECT_FALSE(stillParses("n.ipynb", notebook("x = = 1", "y = 1"), notebook("x = 1", "y = = 1")));
  EXPECT_TRUE(stillParses("n.ipynb", notebook("x = = 1", "y = 1"), notebook("x = = 1", "y = 2")));
  // The JSON itself.
  EXPECT_FALSE(stillParses("n.ipynb", good, good.substr(0, good.size() - 1)));
  EXPECT_FALSE(stillParses("n.ipynb", good, notebook("x = \\q", "y = 1")));
  EXPECT_FALSE(stillParses("n.ipynb", good, notebook("x = \n2", "y = 1")));
  EXPECT_FALSE(stillParses("n.ipynb", good, R"({"nbformat": 4, "cells": []})"));
}

}  // namespace
}  // namespace np::rewriter
