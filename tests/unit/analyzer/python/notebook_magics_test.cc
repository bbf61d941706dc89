// What IPython adds to Python, masked byte for byte.

#include "analyzer/python/notebook_magics.h"

#include <gtest/gtest.h>

#include "analyzer/python/notebook.h"
#include "analyzer/python/syntax_tree.h"

namespace np::analyzer::python {
namespace {

struct Case {
  const char* before;
  const char* after;  // blanks at line ends left out; null: as before
  CellLanguage language = CellLanguage::Python;
};

// Trailing blanks say nothing; leaving them out keeps the expectations readable.
std::string trimmed(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\n')
      while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
    out += c;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
  return out;
}

class MagicsTest : public ::testing::TestWithParam<Case> {};

TEST_P(MagicsTest, IsMasked) {
  std::string code = GetParam().before;
  EXPECT_EQ(maskMagics(code), GetParam().language);
  EXPECT_EQ(code.size(), std::string(GetParam().before).size());
  EXPECT_EQ(trimmed(code), trimmed(GetParam().after ? GetParam().after : GetParam().before));
  if (GetParam().language != CellLanguage::Python) return;
  const auto tree = SyntaxTree::parse(code);
  ASSERT_TRUE(tree.ok());
  EXPECT_FALSE(tree->hasError()) << code;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, MagicsTest,
    ::testing::Values(Case{"x = 1\n%matplotlib inline\ny = 2", "x = 1\n\ny = 2"}, Case{"!pip install torch\nx", "\nx"},
                      Case{"!pip install \\\n  torch \\\n  numpy\nx = 1", "\n\n\nx = 1"},
                      // help
                      Case{"torch.nn?\nx", "\nx"}, Case{"?torch\n??torch.nn\nx", "\n\nx"}, Case{"%timeit?\nx", "\nx"},
                      Case{"x.y??  \nz", "\nz"},
                      // what only looks like one
                      Case{"x = 1  # is this right?\ny = 2", nullptr}, Case{"s = 'why?'", nullptr},
                      Case{"\"\"\"Is this\n!text?\n%text\n\"\"\"\nx = 1", nullptr},
                      Case{"print('%d'\n      % x)", nullptr}, Case{"y = a \\\n% b", nullptr},
                      Case{"z = [\n  1,\n  # a?\n  2]", nullptr}, Case{"a != b", nullptr},
                      Case{"f(x=1, y='!ls')\nd = {'a': '%s' % b}", nullptr}, Case{"x %= 3\ny = x % 3", nullptr},
                      Case{"pip = 3\npip is None\npip in x", nullptr}, Case{"t = f'{a!r} {b=!s}'", nullptr},
                      // a block needs a statement
                      Case{"for f in x:\n    !ls\ny = 1", "for f in x:\n    _\ny = 1"},
                      Case{"if a:\n\t%cd ..\nelse:\n\t!x", "if a:\n\t_\nelse:\n\t_"},
                      // assignments
                      Case{"out = !ls -l\nx = 1", "out = _\nx = 1"},
                      Case{"a, b = %sql select ? from t\nx", "a, b = _\nx"}, Case{"r=!ls", "r=_"},
                      Case{"t = %timeit -o f(x)", "t = _"},
                      // statements behind a magic
                      Case{"%time x = model.cuda()", "if 1: x = model.cuda()"},
                      Case{"%timeit -n 10 -r3 f(x)\ny", "if 1:             f(x)\ny"}, Case{"%time\nx = 1", "\nx = 1"},
                      Case{"%time for i in x: f(i)\ny", "\ny"}, Case{"%timeit -n 10\ny", "\ny"},
                      // automagic
                      Case{"pip install torch\nx = 1", "\nx = 1"}));

INSTANTIATE_TEST_SUITE_P(Cells, MagicsTest,
                         ::testing::Values(Case{"%%time\nx.cuda()", "\nx.cuda()"},
                                           Case{"%%capture out\nx.cuda()\n", "\nx.cuda()\n"},
                                           Case{"%%timeit -n 1 setup()\nf(x)", "\nf(x)"},
                                           Case{"\n\n%%capture\n%%time\nx = 1", "\n\n\n\nx = 1"},
                                           Case{"%%bash\nx.cuda()\nif [ -f a ]; then", "\n\n", CellLanguage::Other},
                                           Case{"%%writefile a.py\nx.cuda()", "\n", CellLanguage::Other},
                                           Case{"%%time\n%%html\n<b>", "\n\n", CellLanguage::Other},
                                           Case{"f(1,\n", "\n", CellLanguage::Unended},
                                           Case{"s = '''\nx", "\n", CellLanguage::Unended}, Case{"", ""},
                                           Case{"%%", "", CellLanguage::Other}, Case{"   \n", "\n"}));

TEST(Magics, AnyTextEnds) {
  for (const char* text : {"%",     "!",   "?", "x?", "\\", "'",      "\"\"\"", "'\\", "%time", "%time ", "%timeit -n",
                           "x = !", "x =", "(", "))", "=!", "%%\n%%", "!\\\n",  "!\\", "#",     "\n%"}) {
    std::string code = text;
    maskMagics(code);
    EXPECT_EQ(code.size(), std::string(text).size());
  }
}

TEST(Notebook, PlacesGoBothWays) {
  const SourceText json("n.ipynb", R"JSON({"cells": [
    {"cell_type": "markdown", "source": "x"},
    {"cell_type": "code", "source": ["a = \"\u00e9\"\n", "b = 2"]},
    {"cell_type": "code", "metadata": {"vscode": {"languageId": "shellscript"}}, "source": "rm -rf x"},
    {"cell_type": "code", "source": "c(\n"},
    {"cell_type": "code", "source": "d = 4"}], "nbformat": 4})JSON");
  const auto notebook = Notebook::parse(json);
  ASSERT_TRUE(notebook.ok());
  EXPECT_EQ(notebook->unendedCells(), 1u);
  ASSERT_EQ(notebook->cells().size(), 4u);
  EXPECT_EQ(notebook->cellCode(0), "a = \"\xC3\xA9\"\nb = 2\n");
  EXPECT_EQ(notebook->cellCode(3), "d = 4\n");
  EXPECT_EQ(trimmed(std::string(notebook->cellCode(1))), "\n");
  const std::string& code = notebook->code();
  for (const char* name : {"a =", "b =", "d ="}) {
    const auto at = static_cast<Offset>(code.find(name));
    const Range place = notebook->jsonRange({at, at + 3});
    EXPECT_EQ(json.slice(place), name);
    EXPECT_EQ(notebook->codeRange(place), (Range{at, at + 3}));
  }
}

TEST(Notebook, WritesAnyTextAsJson) {
  EXPECT_EQ(escapedForJson("a\"b\\c\n\t\r\f\x01\x1f"), "a\\\"b\\\\c\\n\\t\\u000d\\u000c\\u0001\\u001f");
}

TEST(Notebook, IsOneJsonValue) {
  EXPECT_FALSE(Notebook::parse(SourceText("n.ipynb", R"({"cells": [], "nbformat": 4} x)")).ok());
  EXPECT_TRUE(Notebook::parse(SourceText("n.ipynb", "{\"cells\": [], \"nbformat\": 4} \n")).ok());
}

}  // namespace
}  // namespace np::analyzer::python
