// One folder for each fault that was found on real code, with an input of our own: tests/regress/SLUG/before.py becomes
// after.py with the safe and unsafe fixes; the files under tests/regress/SLUG/project/ have the findings that their
// comments say (`# hint: NPT3010`), and no others.

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analyzer/python/project_names.h"
#include "tests/rules/page_examples.h"
#include "tests/rules/python_rules.h"

namespace np::analyzer {
namespace {

std::string readFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST_F(PythonRules, Regressions) {
  int seen = 0;
  for (const auto& folder : std::filesystem::directory_iterator("tests/regress")) {
    const auto before = folder.path() / "before.py", after = folder.path() / "after.py";
    if (!std::filesystem::exists(before)) continue;
    ++seen;
    EXPECT_EQ(fixed(readFile(before), FixSafety::Unsafe), readFile(after)) << folder.path().filename();
  }
  EXPECT_GE(seen, 6);
}

TEST_F(PythonRules, FindingsOfProjects) {
  int seen = 0;
  for (const auto& folder : std::filesystem::directory_iterator("tests/regress")) {
    const auto root = folder.path() / "project";
    if (!std::filesystem::exists(root)) continue;
    ++seen;
    std::vector<std::unique_ptr<SourceText>> texts;
    std::vector<std::vector<Expected>> expected;
    for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
      if (file.path().extension() != ".py") continue;
      const std::string path = std::filesystem::relative(file.path(), root).string();
      expected.emplace_back();
      texts.push_back(std::make_unique<SourceText>(path, stripAll(readFile(file.path()), expected.back())));
    }
    std::vector<const SourceText*> all;
    PythonContext context{registry_, *table_};
    for (const auto& text : texts) {
      all.push_back(text.get());
      context.own_modules.insert(text->path().substr(0, text->path().find_first_of("/.")));
    }
    const python::ProjectNames project(std::move(all));
    context.project = &project;
    for (std::size_t i = 0; i < texts.size(); ++i)
      expectFindings(folder.path().filename().string() + "/" + texts[i]->path(), expected[i],
                     analyzePython(*texts[i], context).findings);
  }
  EXPECT_GE(seen, 5);
}

}  // namespace
}  // namespace np::analyzer
