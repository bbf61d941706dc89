// Notebooks: places and edits are of the JSON, and every byte outside an edit stays.

#include "analyzer/python/notebook.h"

#include <nlohmann/json.hpp>

#include "tests/rules/python_rules.h"

namespace np::analyzer {
namespace {

constexpr const char* kNotebook = R"JSON({
 "cells": [
  {"cell_type": "markdown", "source": ["device=\"cuda\"\n"]},
  {"cell_type": "code", "execution_count": 1, "outputs": [{"text": "x.cuda()"}],
   "source": ["!pip install torch\n", "import torch\n", "%matplotlib inline\n", "s = \"caf\u00e9 \ud83d\ude00\"; x = torch.zeros(2)"]},
  {"source": "%%bash\nx.cuda()", "cell_type": "code"},
  {"cell_type": "code", "source": ["def f(t):\n", "    return t.cuda(), torch.zeros(3, device=\"cuda\")\n"]}
 ],
 "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5
}
)JSON";

TEST_F(PythonRules, NotebookFindingsPointIntoTheJson) {
  const SourceText text("n.ipynb", kNotebook);
  const PythonContext context{registry_, *table_};
  const PythonResult found = analyzeNotebook(text, context);
  EXPECT_EQ(found.skipped, "");
  EXPECT_EQ(found.partial, "");
  ASSERT_EQ(found.findings.size(), 2u);
  EXPECT_EQ(found.findings[0].rule, "NPT3002");
  EXPECT_EQ(text.slice(found.findings[0].range), "cuda");
  EXPECT_EQ(found.findings[0].start.line, 7u);
  EXPECT_EQ(text.slice(found.findings[1].range), "\\\"cuda\\\"");
}

TEST_F(PythonRules, NotebookEditsLeaveTheRestAlone) {
  const SourceText text("n.ipynb", kNotebook);
  const PythonContext context{registry_, *table_};
  const rewriter::Plan plan = rewriter::planFixes(analyzeNotebook(text, context).findings,
                                                  [&](const std::string&) { return &text; }, {FixSafety::Unsafe});
  ASSERT_EQ(plan.files.size(), 1u);
  const std::string& after = plan.files[0].after;
  const auto json = nlohmann::json::parse(after);
  EXPECT_EQ(json["cells"][3]["source"][1],
            "    return t.to(torch.accelerator.current_accelerator(check_available=True)), torch.zeros(3, "
            "device=torch.accelerator.current_accelerator(check_available=True))\n");
  auto expected = nlohmann::json::parse(kNotebook);
  expected["cells"][3]["source"][1] = json["cells"][3]["source"][1];
  EXPECT_EQ(json, expected);
}

TEST(Notebook, SaysWhatItIsNot) {
  const auto message = [](const char* json) {
    const auto notebook = python::Notebook::parse(SourceText("n.ipynb", json));
    return notebook.ok() ? std::string("read") : notebook.error().message;
  };
  EXPECT_EQ(message(R"({"cells": [], "nbformat": 4})"), "read");
  EXPECT_NE(message(R"({"cells": [], "nbformat": 3})").find("format 3"), std::string::npos);
  EXPECT_NE(message(R"({"cells": [], "nbformat": 4, "metadata": {"kernelspec": {"language": "julia"}}})").find("julia"),
            std::string::npos);
  EXPECT_NE(message(R"({"nbformat": 4})").find("no \"cells\""), std::string::npos);
  for (const char* broken : {"", "[", "{", "{\"cells\": [", "{\"cells\": [{\"source\": [\"\\q\"]}]}", "{\"a\": }", "x"})
    EXPECT_NE(message(broken).find("cannot be read"), std::string::npos) << broken;
  EXPECT_NE(message((std::string("{\"a\": ") + std::string(200000, '[')).c_str()).find("cannot be read"),
            std::string::npos);
}

TEST(Notebook, AnEditOverSeveralStringsIsOneOfEach) {
  const SourceText text("n.ipynb", R"JSON({"cells": [{"cell_type": "code", "source": ["f(\n", "1)"]},
    {"cell_type": "code", "source": "g"}], "nbformat": 4})JSON");
  const auto notebook = python::Notebook::parse(text);
  ASSERT_TRUE(notebook.ok());
  EXPECT_EQ(notebook->code(), "f(\n1)\ng\n");
  const std::vector<Edit> both = notebook->jsonEdits({"n.ipynb", {1, 4}, "\"g\""});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(text.slice(both[0].range), "(\\n");
  EXPECT_EQ(both[0].text, "\\\"g\\\"");
  EXPECT_EQ(text.slice(both[1].range), "1");
  EXPECT_EQ(both[1].text, "");
  EXPECT_TRUE(notebook->jsonEdits({"n.ipynb", {0, 7}, "g()"}).empty());  // over the end of the cell
  const std::vector<Edit> inside = notebook->jsonEdits({"n.ipynb", {0, 1}, "g"});
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_EQ(text.slice(inside[0].range), "f");
}

}  // namespace
}  // namespace np::analyzer
