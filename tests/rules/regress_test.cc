// tests/regress/SLUG/before.py becomes after.py with the safe and unsafe fixes: one folder for each fault that was
// found on real code, with an input of our own.

#include <filesystem>
#include <fstream>
#include <sstream>

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

}  // namespace
}  // namespace np::analyzer
