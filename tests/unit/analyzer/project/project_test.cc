// Ignore patterns, walking, suppressions.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "analyzer/project/ignore.h"
#include "analyzer/project/suppressions.h"
#include "analyzer/project/walk.h"

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

TEST(Glob, FollowsGitignore) {
  EXPECT_TRUE(globMatches("*.py", "a.py"));
  EXPECT_FALSE(globMatches("*.py", "a/b.py"));
  EXPECT_TRUE(globMatches("**/b.py", "b.py"));
  EXPECT_TRUE(globMatches("**/b.py", "x/y/b.py"));
  EXPECT_TRUE(globMatches("a/**/b", "a/b"));
  EXPECT_TRUE(globMatches("a/**/b", "a/x/y/b"));
  EXPECT_TRUE(globMatches("a/**", "a/x/y"));
  EXPECT_FALSE(globMatches("a/**/b", "a/x/c"));
  EXPECT_TRUE(globMatches("[!a-c]x", "dx"));
  EXPECT_FALSE(globMatches("[!a-c]x", "bx"));
  EXPECT_TRUE(globMatches("\\*x", "*x"));
  EXPECT_FALSE(globMatches("a?b", "a/b"));
  EXPECT_TRUE(globMatches("[", "["));
}

TEST(Glob, HostilePatternsStayFast) {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "*a";
  EXPECT_FALSE(globMatches(glob + "b", std::string(2000, 'a')));
}

TEST(Ignore, LastPatternWins) {
  const auto patterns = parseIgnoreFile("*.log\n!keep.log\n/top\nfolder/\n# comment\n\n", "");
  EXPECT_TRUE(isIgnored(patterns, "x/a.log", false));
  EXPECT_FALSE(isIgnored(patterns, "x/keep.log", false));
  EXPECT_TRUE(isIgnored(patterns, "top", false));
  EXPECT_FALSE(isIgnored(patterns, "x/top", false));
  EXPECT_TRUE(isIgnored(patterns, "x/folder", true));
  EXPECT_FALSE(isIgnored(patterns, "x/folder", false));
}

class WalkTest : public ::testing::Test {
 protected:
  WalkTest() : root_(fs::temp_directory_path() / ("np_walk_" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~WalkTest() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text = "") {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::vector<std::string> paths(const WalkOptions& options = {}) {
    const auto walk = walkProject(root_.string(), options);
    std::vector<std::string> out;
    if (walk.ok())
      for (const ProjectFile& file : walk->files) out.push_back(file.path);
    return out;
  }
  fs::path root_;
};

TEST_F(WalkTest, ReadsNestedIgnoreFilesAndLeavesEnvironmentsOut) {
  write("a.py");
  write("sub/b.py");
  write("sub/c.py");
  write("sub/.gitignore", "c.py\n");
  write(".venv/x.py");
  write("k.cu");
  write("notes.txt");
  EXPECT_EQ(paths(), (std::vector<std::string>{"a.py", "k.cu", "sub/b.py"}));
}

TEST_F(WalkTest, AFolderLinkedIntoItselfEnds) {
  write("a.py");
  fs::create_directory_symlink(root_, root_ / "loop");
  EXPECT_EQ(paths(), std::vector<std::string>{"a.py"});
}

TEST_F(WalkTest, LeavesBuildOutputOutButNotPackages) {
  write("pkg/build/__init__.py");
  write("pkg/build/a.py");
  write("build/lib/a.py");
  write("env/pyvenv.cfg");
  write("env/lib/site.py");
  write("m.py");
  EXPECT_EQ(paths(), (std::vector<std::string>{"m.py", "pkg/build/__init__.py", "pkg/build/a.py"}));
}

TEST_F(WalkTest, TellsLinksThatLeadNowhere) {
  write("a.py");
  fs::create_symlink("gone.py", root_ / "broken.py");
  fs::create_symlink("round.py", root_ / "round.py");
  fs::create_symlink("a.py", root_ / "same.py");
  const auto walk = walkProject(root_.string(), {});
  ASSERT_TRUE(walk.ok());
  EXPECT_EQ(walk->files.size(), 1u);
  ASSERT_EQ(walk->unreadable.size(), 2u);
  EXPECT_EQ(walk->unreadable[0].path, "broken.py");
  EXPECT_EQ(walk->unreadable[1].path, "round.py");
}

TEST_F(WalkTest, ListsEnvironmentFilesApart) {
  for (const char* path : {"a.py", "requirements-dev.txt", "requirements/base.txt", "pyproject.toml", "Dockerfile",
                           "docker/train.dockerfile", "run.sh", "notes.txt", "data.json", "ds_config.json",
                           ".github/workflows/ci.yml", ".python-version"})
    write(path);
  write("big.yaml", std::string(kLargestEnvironmentBytes + 1, 'x'));
  const auto walk = walkProject(root_.string(), {});
  ASSERT_TRUE(walk.ok());
  EXPECT_EQ(walk->files.size(), 1u);
  std::vector<std::string> found;
  for (const ProjectFile& file : walk->environment) found.push_back(file.path);
  EXPECT_EQ(found, (std::vector<std::string>{".github/workflows/ci.yml", ".python-version", "Dockerfile",
                                             "docker/train.dockerfile", "ds_config.json", "pyproject.toml",
                                             "requirements-dev.txt", "requirements/base.txt", "run.sh"}));
}

TEST_F(WalkTest, GoesDownDeepTrees) {
  std::string path = "d";
  for (int i = 0; i < 800; ++i) path += "/d";
  write(path + "/a.py");
  EXPECT_EQ(paths().size(), 1u);
}

TEST_F(WalkTest, NamedFilesAreNotHiddenUnlessForced) {
  write(".gitignore", "a.py\n");
  write("a.py");
  WalkOptions options;
  options.paths = {(root_ / "a.py").string()};
  EXPECT_EQ(paths(options), std::vector<std::string>{"a.py"});
  options.exclude = {"a.py"};
  options.force_exclude = true;
  EXPECT_TRUE(paths(options).empty());
}

TEST_F(WalkTest, NamesWhatIsMissing) {
  WalkOptions options;
  options.paths = {(root_ / "none").string()};
  const auto walk = walkProject(root_.string(), options);
  ASSERT_FALSE(walk.ok());
  EXPECT_NE(walk.error().message.find("none"), std::string::npos);
  const auto empty = walkProject(root_.string(), {});
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error().code, "no-sources");
}

Finding findingAt(const SourceText& text, const std::string& rule, std::string_view what) {
  Finding f;
  f.rule = rule;
  f.range.start = static_cast<Offset>(text.bytes().find(what));
  f.range.end = f.range.start + static_cast<Offset>(what.size());
  return f;
}

TEST(Suppressions, CoverTheirLines) {
  const SourceText text("a.py",
                        "one.cuda()  # neuron-port: ignore[NPT3001] because\n"
                        "# neuron-port: ignore\n"
                        "two.cuda()\n"
                        "# neuron-port: off[NPT3]\n"
                        "three.cuda()\n"
                        "# neuron-port: on[NPT3]\n"
                        "four.cuda()\n"
                        "five.cuda()  # noqa: NPT3001\n"
                        "six();  // NOLINT(NPT1003)\n");
  Suppressions s = Suppressions::parse(text);
  EXPECT_TRUE(s.covers(text, findingAt(text, "NPT3001", "one")));
  EXPECT_FALSE(s.covers(text, findingAt(text, "NPT4001", "one")));
  EXPECT_TRUE(s.covers(text, findingAt(text, "NPT3001", "two")));
  EXPECT_TRUE(s.covers(text, findingAt(text, "NPT3009", "three")));
  EXPECT_FALSE(s.covers(text, findingAt(text, "NPT3001", "four")));
  EXPECT_TRUE(s.covers(text, findingAt(text, "NPT3001", "five")));
  EXPECT_TRUE(s.covers(text, findingAt(text, "NPT1003", "six")));
  EXPECT_TRUE(s.unused().empty());
}

TEST(Suppressions, UnusedOnesOfOursAreTold) {
  const SourceText text("a.py", "x = 1  # neuron-port: ignore[NPT3001]\ny = 2  # noqa: NPT3001\n");
  const Suppressions s = Suppressions::parse(text);
  EXPECT_EQ(s.unused().size(), 1u);
}

}  // namespace
}  // namespace np::analyzer
