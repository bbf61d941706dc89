// Diffs, writing all or nothing, and taking back; what a killed run and a planted journal leave behind.

#include "rewriter/apply/apply.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "analyzer/base/process.h"
#include "rewriter/apply/diff.h"
#include "rewriter/apply/files.h"
#include "rewriter/apply/journal.h"
#include "rewriter/apply/staging.h"
#include "rewriter/apply/work_tree.h"

namespace np::rewriter {
namespace {

namespace fs = std::filesystem;

class FolderTest : public ::testing::Test {
 protected:
  FolderTest() : root_(fs::temp_directory_path() / ("np_apply_" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~FolderTest() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    std::ofstream(root_ / path, std::ios::binary) << text;
  }
  std::string read(const std::string& path) {
    std::ifstream in(root_ / path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  // Everything below the root, but the journal's own files.
  std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) {
      const std::string name = entry.path().lexically_relative(root_).string();
      if (!name.starts_with(".neuron-port/")) out.push_back(name);
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  fs::path root_;
};

TEST_F(FolderTest, WritesAndTakesBack) {
  write("a.py", "one\r\n");
  write("b.py", "two");
  ASSERT_TRUE(applyTexts(root_.string(), {{"a.py", "one\r\n", "ONE\r\n"}, {"b.py", "two", "TWO"}}).ok());
  EXPECT_EQ(read("a.py"), "ONE\r\n");
  const auto undone = undoTexts(root_.string());
  ASSERT_TRUE(undone.ok());
  EXPECT_EQ(undone->size(), 2u);
  EXPECT_EQ(read("a.py"), "one\r\n");
  EXPECT_EQ(read("b.py"), "two");
  EXPECT_FALSE(undoTexts(root_.string()).ok());
}

TEST_F(FolderTest, AFileThatChangedStopsEverything) {
  write("a.py", "one");
  write("b.py", "other");
  const auto result = applyTexts(root_.string(), {{"a.py", "one", "ONE"}, {"b.py", "two", "TWO"}});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("b.py"), std::string::npos);
  EXPECT_EQ(read("a.py"), "one");
  EXPECT_EQ(names(), (std::vector<std::string>{"a.py", "b.py"}));
}

TEST_F(FolderTest, UndoRefusesWhatWasEditedSince) {
  write("a.py", "one");
  ASSERT_TRUE(applyTexts(root_.string(), {{"a.py", "one", "ONE"}}).ok());
  write("a.py", "mine");
  EXPECT_FALSE(undoTexts(root_.string()).ok());
  EXPECT_EQ(read("a.py"), "mine");
}

// A step as a repository could ship it, with one file.
void plantJournal(const fs::path& root, const std::string& path, const std::string& hash, const std::string& before) {
  const fs::path step = root / ".neuron-port/undo/000001";
  fs::create_directories(step);
  std::ofstream(step / "manifest", std::ios::binary) << hash << " .neuron-port-0123456789abcdef " << path << '\0';
  std::ofstream(step / "0", std::ios::binary) << before;
}

TEST_F(FolderTest, AForeignJournalWritesNothingOutside) {
  const fs::path outside = root_.string() + "_outside";
  fs::create_directories(outside);
  std::ofstream(outside / "secret.txt") << "secret";
  fs::create_directory_symlink(outside, root_ / "link");
  for (const std::string& path :
       {"../" + outside.filename().string() + "/secret.txt", (outside / "secret.txt").string(),
        std::string("link/secret.txt"), std::string("sub/../../secret.txt")}) {
    plantJournal(root_, path, hashText("secret"), "planted");
    EXPECT_FALSE(undoTexts(root_.string()).ok()) << path;
    EXPECT_TRUE(fs::exists(outside / "secret.txt"));
    std::string now;
    ASSERT_TRUE(readFile(outside / "secret.txt", now));
    EXPECT_EQ(now, "secret") << path;
  }
  fs::remove_all(outside);
}

TEST_F(FolderTest, ADamagedJournalIsNamed) {
  plantJournal(root_, "a.py", "no-manifest", "x");
  write(".neuron-port/undo/000001/manifest", "garbage");
  const auto undone = undoTexts(root_.string());
  ASSERT_FALSE(undone.ok());
  EXPECT_EQ(undone.error().code, "journal");
}

TEST_F(FolderTest, AJournalBehindALinkIsNotUsed) {
  const fs::path outside = root_.string() + "_outside";
  fs::create_directories(outside);
  fs::create_directory_symlink(outside, root_ / ".neuron-port");
  write("a.py", "one");
  EXPECT_FALSE(applyTexts(root_.string(), {{"a.py", "one", "ONE"}}).ok());
  EXPECT_FALSE(undoTexts(root_.string()).ok());
  EXPECT_EQ(read("a.py"), "one");
  EXPECT_TRUE(fs::is_empty(outside));
  fs::remove_all(outside);
}

TEST_F(FolderTest, StepsAreTakenBackOneByOne) {
  write("a.py", "one");
  write("b.py", "two");
  ASSERT_TRUE(applyTexts(root_.string(), {{"a.py", "one", "ONE"}}).ok());
  ASSERT_TRUE(applyTexts(root_.string(), {{"a.py", "ONE", "One"}, {"b.py", "two", "TWO"}}).ok());
  ASSERT_TRUE(undoTexts(root_.string()).ok());
  EXPECT_EQ(read("a.py"), "ONE");
  EXPECT_EQ(read("b.py"), "two");
  ASSERT_TRUE(undoTexts(root_.string()).ok());
  EXPECT_EQ(read("a.py"), "one");
  const auto none = undoTexts(root_.string());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "nothing-to-undo");
  EXPECT_EQ(names(), (std::vector<std::string>{"a.py", "b.py"}));  // the journal is gone
}

TEST_F(FolderTest, UndoNamesEveryFileThatWasEdited) {
  for (const char* name : {"a.py", "b.py", "c.py"}) write(name, "old");
  ASSERT_TRUE(
      applyTexts(root_.string(), {{"a.py", "old", "new"}, {"b.py", "old", "new"}, {"c.py", "old", "new"}}).ok());
  write("b.py", "mine");
  fs::remove(root_ / "c.py");
  const auto undone = undoTexts(root_.string());
  ASSERT_FALSE(undone.ok());
  EXPECT_EQ(undone.error().code, "changed");
  EXPECT_NE(undone.error().text().find("\"b.py\""), std::string::npos) << undone.error().text();
  EXPECT_NE(undone.error().text().find("\"c.py\""), std::string::npos) << undone.error().text();
  EXPECT_EQ(read("a.py"), "new");
}

TEST_F(FolderTest, OnlyTheLastTwentyStepsAreKept) {
  write("a.py", "0");
  for (int i = 0; i < 25; ++i)
    ASSERT_TRUE(applyTexts(root_.string(), {{"a.py", std::to_string(i), std::to_string(i + 1)}}).ok());
  int taken = 0;
  while (undoTexts(root_.string()).ok()) ++taken;
  EXPECT_EQ(taken, 20);
  EXPECT_EQ(read("a.py"), "5");
}

TEST_F(FolderTest, WhatLeadsOutOrIsReadOnlyIsNotWritten) {
  const fs::path outside = root_.string() + "_outside.py";
  std::ofstream(outside) << "one";
  fs::create_symlink(outside, root_ / "link.py");
  const auto linked = applyTexts(root_.string(), {{"link.py", "one", "ONE"}});
  ASSERT_FALSE(linked.ok());
  EXPECT_NE(linked.error().message.find("link.py"), std::string::npos);
  const auto above = applyTexts(root_.string(), {{"../" + outside.filename().string(), "one", "ONE"}});
  EXPECT_FALSE(above.ok());
  std::string now;
  ASSERT_TRUE(readFile(outside, now));
  EXPECT_EQ(now, "one");
  fs::remove(outside);
  write("fixed.py", "one");
  fs::permissions(root_ / "fixed.py", fs::perms::owner_read);
  const auto read_only = applyTexts(root_.string(), {{"fixed.py", "one", "ONE"}});
  ASSERT_FALSE(read_only.ok());
  EXPECT_NE(read_only.error().message.find("read-only"), std::string::npos);
  EXPECT_EQ(whyNotReplaceable(root_.string(), "fixed.py"), "is read-only");
}

TEST_F(FolderTest, PermissionsAndOddNamesSurvive) {
  const std::string name = "odd \n name '\xC3\xA9" + std::string(230, 'x') + ".py";
  write(name, "one");
  fs::permissions(root_ / name, fs::perms::owner_all | fs::perms::group_read);
  ASSERT_TRUE(applyTexts(root_.string(), {{name, "one", "ONE"}}).ok());
  EXPECT_EQ(read(name), "ONE");
  EXPECT_EQ(fs::status(root_ / name).permissions(), fs::perms::owner_all | fs::perms::group_read);
  ASSERT_TRUE(undoTexts(root_.string()).ok());
  EXPECT_EQ(read(name), "one");
  EXPECT_EQ(fs::status(root_ / name).permissions(), fs::perms::owner_all | fs::perms::group_read);
}

// A link that somebody laid where the new text goes would be written through; names cannot be guessed, and a file that
// is there already is never opened.
TEST_F(FolderTest, NewFilesAreNew) {
  write("target", "precious");
  fs::create_symlink(root_ / "target", root_ / ".neuron-port-0123456789abcdef");
  EXPECT_FALSE(writeNewFile(root_ / ".neuron-port-0123456789abcdef", "x"));
  EXPECT_EQ(read("target"), "precious");
  EXPECT_TRUE(isTemporaryName(temporaryName()));
  EXPECT_NE(temporaryName(), temporaryName());
  EXPECT_FALSE(isTemporaryName(".neuron-port-../../abcdefgh"));
}

TEST_F(FolderTest, WhenOneCannotBeReplacedAllAreAsTheyWere) {
  for (const char* name : {"a.py", "b.py", "c.py"}) write(name, "old");
  Staging staging;
  for (const char* name : {"a.py", "b.py", "c.py"})
    ASSERT_TRUE(staging.add({root_ / name, temporaryName(), "old", "new"}));
  fs::remove(root_ / "c.py");
  fs::create_directory(root_ / "c.py");
  const auto done = staging.commit();
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find("c.py"), std::string::npos);
  EXPECT_TRUE(staging.wasRestored());
  EXPECT_EQ(read("a.py"), "old");
  EXPECT_EQ(read("b.py"), "old");
}

TEST_F(FolderTest, AFileThatChangesBeforeItsTurnStopsEverything) {
  for (const char* name : {"a.py", "b.py"}) write(name, "old");
  {
    Staging staging;
    for (const char* name : {"a.py", "b.py"}) ASSERT_TRUE(staging.add({root_ / name, temporaryName(), "old", "new"}));
    write("b.py", "mine");
    const auto done = staging.commit();
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, "changed");
  }
  EXPECT_EQ(read("a.py"), "old");
  EXPECT_EQ(read("b.py"), "mine");
  EXPECT_EQ(names(), (std::vector<std::string>{"a.py", "b.py"}));
}

TEST_F(FolderTest, OneAtATime) {
  write("a.py", "one");
  {
    const auto held = Journal::toAdd(root_.string());
    ASSERT_TRUE(held.ok());
    const auto second = applyTexts(root_.string(), {{"a.py", "one", "ONE"}});
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, "busy");
  }
  EXPECT_EQ(read("a.py"), "one");
  EXPECT_TRUE(applyTexts(root_.string(), {{"a.py", "one", "ONE"}}).ok());
}

// As on a full disk: the second file cannot be written whole.
TEST_F(FolderTest, WhenThereIsNoRoomNothingChanges) {
  const std::string large(300000, 'x');
  write("a.py", "one");
  write("b.py", "two");
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{200000, 200000};
    ::signal(SIGXFSZ, SIG_IGN);
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(9);
    const auto done = applyTexts(root_.string(), {{"a.py", "one", "ONE"}, {"b.py", "two", large}});
    ::_exit(!done.ok() && done.error().message.find("\"b.py\"; nothing was changed") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read("a.py"), "one");
  EXPECT_EQ(names(), (std::vector<std::string>{"a.py", "b.py"}));
}

bool isRunning(pid_t child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

// Killed at any moment: no file is half written, the next fix says what to do or simply works, and undo brings
// everything back.
TEST_F(FolderTest, AKilledRunIsTakenBack) {
  constexpr int kFiles = 60;
  std::vector<NewText> texts, back;
  const std::string old_text(20000, 'a'), new_text(20000, 'b');
  for (int i = 0; i < kFiles; ++i) {
    texts.push_back({"f" + std::to_string(i) + ".py", old_text, new_text});
    write(texts.back().path, old_text);
  }
  std::vector<std::string> expected = names();
  std::mt19937 random(11);
  int between = 0, interrupted = 0;
  for (int round = 0; round < 60; ++round) {
    const pid_t child = fork();
    if (child == 0) ::_exit(applyTexts(root_.string(), texts).ok() ? 0 : 1);
    // Every other time while files are being replaced, which is a small part of the whole.
    if (round % 2 == 0)
      ::usleep(random() % 9000);
    else
      while (!fs::exists(root_ / ".neuron-port/undo/begun") && isRunning(child)) ::usleep(20);
    if (round % 2 == 1) ::usleep(random() % 1000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    int changed = 0;
    for (const NewText& text : texts) {
      const std::string now = read(text.path);
      ASSERT_TRUE(now == old_text || now == new_text) << "round " << round;
      changed += now == new_text;
    }
    between += changed > 0 && changed < kFiles;
    const auto again = applyTexts(root_.string(), {{"f0.py", read("f0.py"), read("f0.py") + "!"}});
    if (again.ok()) {
      ASSERT_TRUE(undoTexts(root_.string()).ok());
    } else {
      ++interrupted;
      ASSERT_EQ(again.error().code, "interrupted");
      ASSERT_NE(again.error().message.find("--undo"), std::string::npos);
    }
    const auto undone = undoTexts(root_.string());
    ASSERT_TRUE(undone.ok() || changed == 0) << undone.error().text();
    for (const NewText& text : texts) ASSERT_EQ(read(text.path), old_text);
    std::vector<std::string> now = names();
    std::erase(now, ".neuron-port");
    ASSERT_EQ(now, expected) << "round " << round;
  }
  EXPECT_GT(between, 0);
  std::printf("killed between two files: %d, told to take back: %d of 60\n", between, interrupted);
}

TEST_F(FolderTest, DiffsNameAnyPath) {
  for (const std::string& name :
       {std::string("sp ace.py"), std::string("tab\t.py"), std::string("line\n.py"), std::string("qu\"ote.py"),
        std::string("back\\slash.py"), std::string("\xC3\xA9.py"), std::string("-x.py")}) {
    for (const std::vector<std::string>& tool :
         {std::vector<std::string>{"patch", "-p1", "-s"}, std::vector<std::string>{"git", "apply", "-p1"}}) {
      write(name, "one\n");
      ProcessRequest request;
      request.argv = tool;
      request.directory = root_.string();
      request.input = unifiedDiff(name, "one\n", "two\n");
      const auto result = runProcess(request);
      ASSERT_TRUE(result.ok());
      // patch refuses names with line ends altogether
      if (tool[0] == "patch" && name.find('\n') != std::string::npos) continue;
      EXPECT_EQ(result->exit_code, 0) << tool[0] << result->out << result->err << request.input;
      EXPECT_EQ(read(name), "two\n") << tool[0] << request.input;
    }
  }
}

class WorkTreeTest : public FolderTest {
 protected:
  void git(std::vector<std::string> arguments) {
    ProcessRequest request;
    request.argv = {"git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"};
    request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
    request.directory = root_.string();
    const auto done = runProcess(request);
    ASSERT_TRUE(done.ok());
    ASSERT_EQ(done->exit_code, 0) << done->err;
  }
  void commitAll() {
    git({"init", "-q"});
    git({"add", "."});
    git({"commit", "-qm", "start"});
  }
};

TEST_F(WorkTreeTest, TellsUncommittedChanges) {
  write("a.py", "one");
  EXPECT_FALSE(hasUncommittedChanges(root_.string()));  // no git here
  commitAll();
  EXPECT_FALSE(hasUncommittedChanges(root_.string()));
  write("new.py", "untracked");
  EXPECT_FALSE(hasUncommittedChanges(root_.string()));
  write("a.py", "two");
  EXPECT_TRUE(hasUncommittedChanges(root_.string()));
  git({"add", "a.py"});
  EXPECT_TRUE(hasUncommittedChanges(root_.string()));
  git({"commit", "-qm", "next"});
  EXPECT_FALSE(hasUncommittedChanges(root_.string()));
}

// Filters, monitors and hooks of the repository would all touch a file; none is run, not even by names that are made to
// slip through.
TEST_F(WorkTreeTest, RunsNothingOfTheRepository) {
  const fs::path ran = root_.string() + "_ran";
  const std::string script = root_.string() + "_script";
  std::ofstream(script) << "#!/bin/sh\ntouch " << ran.string() << "\nexec cat\n";
  fs::permissions(script, fs::perms::owner_all);
  write("a.py", "one");
  write("b.py", "one");
  commitAll();
  fs::create_directories(root_ / "hooks");
  for (const char* hook : {"post-index-change", "pre-commit", "post-checkout"})
    fs::copy_file(script, root_ / "hooks" / hook);
  write(".gitattributes", "a.py filter=evil\nb.py filter=e.v.i.l\n");
  for (const char* name : {"evil", "e.v.i.l"})
    for (const char* part : {"clean", "process", "smudge"})
      git({"config", std::string("filter.") + name + "." + part, script});
  git({"config", "filter.evil.required", "true"});
  git({"config", "core.fsmonitor", script});
  git({"config", "core.hooksPath", (root_ / "hooks").string()});
  git({"config", "status.submoduleSummary", "true"});
  write("a.py", "two");  // git has to compare both with what it has
  write("b.py", "one");
  fs::remove(ran);  // the test's own git commands have run them
  EXPECT_TRUE(hasUncommittedChanges(root_.string()));
  EXPECT_FALSE(fs::exists(ran));
  write("a.py", "one");
  EXPECT_FALSE(hasUncommittedChanges(root_.string()));
  EXPECT_FALSE(fs::exists(ran));
  git({"config", "filter.a=b.clean", script});
  fs::remove(ran);
  EXPECT_TRUE(hasUncommittedChanges(root_.string()));  // cannot be asked without running it
  EXPECT_FALSE(fs::exists(ran));
  // The test is worth something: git itself does run them.
  git({"config", "--unset", "filter.a=b.clean"});
  write("a.py", "six");
  ProcessRequest status;
  status.argv = {"git", "-C", root_.string(), "status", "--porcelain"};
  EXPECT_TRUE(runProcess(status).ok());
  EXPECT_TRUE(fs::exists(ran));
  fs::remove(ran);
  fs::remove(script);
}

// Property: `patch` turns the old text into the new one.
TEST_F(FolderTest, DiffsApply) {
  std::mt19937 random(3);
  for (int round = 0; round < 25; ++round) {
    std::string before, after;
    for (int i = 0; i < 40; ++i) {
      const std::string line = "line " + std::to_string(random() % 9) + "\n";
      const auto dice = random() % 10;
      if (dice != 0) before += line;
      if (dice != 1) after += dice == 2 ? "changed\n" : line;
    }
    if (round % 3 == 0 && !before.empty()) before.pop_back();
    if (before == after) continue;
    write("f.txt", before);
    ProcessRequest request;
    request.argv = {"patch", "-p1", "-s"};
    request.directory = root_.string();
    request.input = unifiedDiff("f.txt", before, after);
    const auto result = runProcess(request);
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(result->exit_code, 0) << result->out << result->err << request.input;
    ASSERT_EQ(read("f.txt"), after) << request.input;
  }
}

}  // namespace
}  // namespace np::rewriter
