// The result cache, what it stores, and the selection of changed files.

#include "analyzer/project/result_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "analyzer/base/process.h"
#include "analyzer/project/changed_files.h"
#include "analyzer/project/stored_result.h"

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

class CacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() / ("np_cache_" + std::to_string(::getpid()) + info->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << text;
  }
  std::string at(const std::string& path) const { return (root_ / path).string(); }
  std::string git(std::vector<std::string> arguments) {
    ProcessRequest request;
    request.argv = {"git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", root_.string()};
    request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
    const auto output = runProcess(request);
    return output.ok() && output->exit_code == 0 ? output->out : "failed";
  }
  fs::path root_;
};

TEST_F(CacheTest, KeepsValuesByContentAndContext) {
  const ContentHash context = hashOf("tool 1"), content = hashOf("print()");
  write("a.py", "print()");
  const FileStamp stamp = *stampOf(at("a.py"));
  {
    ResultCache cache = ResultCache::open(at("cache"), context);
    EXPECT_EQ(cache.entry("a.py"), nullptr);
    cache.put("a.py", stamp, content, "value");
    ASSERT_TRUE(cache.save().ok());
  }
  ResultCache again = ResultCache::open(at("cache"), context);
  ASSERT_NE(again.entry("a.py"), nullptr);
  EXPECT_EQ(again.entry("a.py")->value, "value");
  EXPECT_EQ(again.entry("b.py"), nullptr);
  EXPECT_EQ(ResultCache::open(at("cache"), hashOf("tool 2")).entry("a.py"), nullptr);
  // Just written: could have been written again since, within the clock's resolution.
  EXPECT_EQ(again.untouched("a.py", stamp), nullptr);
}

TEST_F(CacheTest, ForgetsWhatIsGone) {
  const ContentHash context = hashOf("tool");
  ResultCache first = ResultCache::open(at("cache"), context);
  first.put("a.py", {1, 1, 1, 1}, hashOf("a"), "A");
  first.put("b.py", {1, 2, 1, 1}, hashOf("b"), "B");
  ASSERT_TRUE(first.save().ok());
  ResultCache second = ResultCache::open(at("cache"), context);
  ASSERT_NE(second.untouched("a.py", {1, 1, 1, 1}), nullptr);  // last written in 1970
  EXPECT_EQ(second.untouched("a.py", {2, 1, 1, 1}), nullptr);
  second.keep("a.py");
  ASSERT_TRUE(second.save().ok());
  const ResultCache third = ResultCache::open(at("cache"), context);
  EXPECT_NE(third.entry("a.py"), nullptr);
  EXPECT_EQ(third.entry("b.py"), nullptr);
}

TEST_F(CacheTest, DamageIsAnEmptyCache) {
  const ContentHash context = hashOf("tool");
  ResultCache cache = ResultCache::open(at("cache"), context);
  cache.put("a.py", {1, 1, 1, 1}, hashOf("a"), std::string(300, 'A'));
  ASSERT_TRUE(cache.save().ok());
  fs::path file;
  for (const auto& entry : fs::directory_iterator(at("cache")))
    if (entry.path().extension() == ".bin") file = entry.path();
  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ 0x55);
    std::ofstream(file, std::ios::binary) << broken;
    EXPECT_EQ(ResultCache::open(at("cache"), context).entry("a.py"), nullptr) << i;
    std::ofstream(file, std::ios::binary) << bytes.substr(0, i);
    EXPECT_EQ(ResultCache::open(at("cache"), context).entry("a.py"), nullptr) << i;
  }
}

TEST(ContentHash, TellsSmallChangesApart) {
  std::set<ContentHash> seen;
  std::string text(70, '\0');
  seen.insert(hashOf(text));
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_TRUE(seen.insert(hashOf(text.substr(0, size))).second);
  for (std::size_t i = 0; i < text.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = text;
      other[i] = static_cast<char>(1 << bit);
      EXPECT_TRUE(seen.insert(hashOf(other)).second);
    }
}

TEST(StoredResult, ComesBackAsItWas) {
  StoredResult in;
  Finding finding;
  finding.rule = "NPT3001";
  finding.severity = Severity::Error;
  finding.range = {3, 9};
  finding.start = {1, 4, 3};
  finding.notes = {"a", ""};
  finding.trace = {{"b.py", {1, 2}, {1, 2, 1}, {1, 3, 2}, "step"}};
  finding.fixes = {{FixSafety::Unsafe, "t", "2.7", "g", {"import torch"}, {{"a.py", {3, 9}, "x\0y"}}}};
  in.findings = {finding, Finding{}};
  in.partial = "syntax error";
  in.unknown_calls = 7;
  const std::string bytes = encode(in);
  const auto out = decode(bytes);
  ASSERT_TRUE(out);
  EXPECT_EQ(encode(*out), bytes);
  EXPECT_EQ(out->findings[0].fixes[0].edits[0].range, (Range{3, 9}));
  EXPECT_EQ(out->findings[0].trace[0].message, "step");
  EXPECT_EQ(out->unknown_calls, 7u);
  EXPECT_TRUE(encode(StoredResult{}).empty());
  for (std::size_t size = 1; size < bytes.size(); ++size) EXPECT_FALSE(decode(bytes.substr(0, size))) << size;
}

TEST_F(CacheTest, ChangedFilesWithoutRunningWhatTheRepositoryNames) {
  ASSERT_NE(git({"init", "-q"}), "failed");
  for (const char* path : {"same.py", "changed.py", "sub/deep.py", "gone.py"}) write(path, "a = 1\n");
  write(".gitattributes", "*.py filter=evil diff=evil\n");
  git({"add", "."});
  ASSERT_NE(git({"commit", "-q", "-m", "x"}), "failed");
  const std::string trap = "touch " + at("trap") + "; cat";
  for (const char* key :
       {"filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command", "core.fsmonitor"})
    git({"config", key, trap});
  write(".git/hooks/post-index-change", "#!/bin/sh\ntouch " + at("trap") + "\n");
  fs::permissions(at(".git/hooks/post-index-change"), fs::perms::owner_all);
  write("changed.py", "a = 2\n");
  write("sub/deep.py", "a = 3\n");
  write("new.py", "");
  fs::remove(at("gone.py"));
  const auto changed = changedSince(root_.string(), "HEAD");
  ASSERT_TRUE(changed.ok()) << changed.error().message;
  EXPECT_EQ(*changed, (std::vector<std::string>{"changed.py", "new.py", "sub/deep.py"}));
  const auto below = changedSince(at("sub"), "HEAD");
  ASSERT_TRUE(below.ok()) << below.error().message;
  EXPECT_EQ(*below, std::vector<std::string>{"deep.py"});
  EXPECT_FALSE(fs::exists(at("trap")));
  EXPECT_FALSE(changedSince(root_.string(), "nothing").ok());
  EXPECT_FALSE(changedSince(root_.string(), "--output=x").ok());
}

}  // namespace
}  // namespace np::analyzer
