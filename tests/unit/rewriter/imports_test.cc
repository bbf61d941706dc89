// Where import lines go, and that nothing else of the file changes.

#include "rewriter/python/imports.h"

#include <gtest/gtest.h>

namespace np::rewriter {
namespace {

struct ImportCase {
  const char* before;
  const char* after;
};
class ImportTest : public ::testing::TestWithParam<ImportCase> {};
TEST_P(ImportTest, GoesWhereItBelongs) {
  const auto after = insertImports(GetParam().before, {"import torch"});
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(*after, GetParam().after);
}
INSTANTIATE_TEST_SUITE_P(
    Files, ImportTest,
    ::testing::Values(
        ImportCase{"import os\nx = 1\n", "import torch\nimport os\nx = 1\n"},
        ImportCase{"x = 1\n", "import torch\nx = 1\n"},
        ImportCase{"\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nx = 1\n",
                   "\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport torch\nx = 1\n"},
        ImportCase{"#!/usr/bin/env python\n# licence\nx = 1\n",
                   "#!/usr/bin/env python\n# licence\nimport torch\nx = 1\n"},
        ImportCase{"import os\r\nx = 1\r\n", "import torch\r\nimport os\r\nx = 1\r\n"},
        ImportCase{"import torch\n", "import torch\n"},
        ImportCase{"def f():\n    import torch\n", "import torch\ndef f():\n    import torch\n"},
        ImportCase{"\"\"\"Doc.\"\"\"", "\"\"\"Doc.\"\"\"\nimport torch\n"},
        ImportCase{"\xEF\xBB\xBFx = 1\n", "\xEF\xBB\xBFimport torch\nx = 1\n"}, ImportCase{"", "import torch\n"},
        // line ends: the neighbour's
        ImportCase{"import os\rx = 1\r", "import torch\rimport os\rx = 1\r"},
        ImportCase{"\"\"\"Doc.\"\"\"\rx = 1\r", "\"\"\"Doc.\"\"\"\rimport torch\rx = 1\r"},
        ImportCase{"# one\r\n# two\r\nx = 1\n", "# one\r\n# two\r\nimport torch\r\nx = 1\n"},
        ImportCase{"\"\"\"Doc.\n\"\"\"\r\nx = 1\n", "\"\"\"Doc.\n\"\"\"\r\nimport torch\r\nx = 1\n"},
        ImportCase{"\xEF\xBB\xBFimport os\r\n", "\xEF\xBB\xBFimport torch\r\nimport os\r\n"},
        ImportCase{"\xEF\xBB\xBF# c\rx = 1", "\xEF\xBB\xBF# c\rimport torch\rx = 1"},
        // encodings count in the first two lines only
        ImportCase{"\n# -*- coding: utf-8 -*-\nx = 1\n", "\n# -*- coding: utf-8 -*-\nimport torch\nx = 1\n"},
        ImportCase{"#!/bin/sh\n# -*- coding: utf-8 -*-\n\nimport os\n",
                   "#!/bin/sh\n# -*- coding: utf-8 -*-\n\nimport torch\nimport os\n"},
        // several statements in a line, and statements that reach into the next one
        ImportCase{"\"\"\"Doc.\"\"\"; import os\nx = 1\n", "\"\"\"Doc.\"\"\"; import os\nimport torch\nx = 1\n"},
        ImportCase{"from __future__ import a; x = \"\"\"\nimport b\n\"\"\"\ny = 1\n",
                   "from __future__ import a; x = \"\"\"\nimport b\n\"\"\"\nimport torch\ny = 1\n"},
        ImportCase{"from __future__ import (\n  a,\n)\nx = 1\n",
                   "from __future__ import (\n  a,\n)\nimport torch\nx = 1\n"},
        ImportCase{"from __future__ import a; \\\nimport os\nx = 1\n",
                   "from __future__ import a; \\\nimport os\nimport torch\nx = 1\n"},
        ImportCase{"try:\n    import a\nexcept ImportError:\n    a = None\nimport os\n",
                   "import torch\ntry:\n    import a\nexcept ImportError:\n    a = None\nimport os\n"},
        ImportCase{"# comment", "# comment\nimport torch\n"},
        ImportCase{"'''Doc.'''\n\n\nfrom __future__ import a\n\n\nimport os\n",
                   "'''Doc.'''\n\n\nfrom __future__ import a\n\n\nimport torch\nimport os\n"}));

TEST(Imports, WhatCannotBeParsedGetsNone) {
  EXPECT_FALSE(insertImports(std::string_view("x\0 = 1\n", 7), {"import torch"}).has_value());
}

}  // namespace
}  // namespace np::rewriter
