// Plumbing commands on an index of our own: hash-object --no-filters, update-index --cacheinfo, write-tree,
// commit-tree, update-ref. None of them runs what a repository may configure. The branch is named last, so that a
// failure leaves loose objects at most.

#include "cli/port/git_branch.h"

#include "analyzer/base/process.h"
#include "cli/port/temporary.h"
#include "rewriter/apply/work_tree.h"

namespace np::cli {
namespace {

class Git {
 public:
  explicit Git(std::string folder) : folder_(std::move(folder)) {}
  void useIndex(const std::string& file) { index_ = file; }

  // Standard output without its last line end. Error "git" with the first line that git said.
  Result<std::string> run(const std::vector<std::string>& arguments, const std::string& input = "") const {
    ProcessRequest request;
    request.argv = {
        "git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "commit.gpgSign=false"};
    request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
    request.directory = folder_;
    request.input = input;
    request.timeout = std::chrono::minutes(5);
    if (!index_.empty()) request.environment.push_back("GIT_INDEX_FILE=" + index_);
    NP_ASSIGN(const ProcessOutput output, runProcess(request));
    if (output.exit_code != 0) {
      const std::string said = output.err.substr(0, output.err.find('\n'));
      return makeError("git", "git " + arguments[0] + ": " + (said.empty() ? "failed" : said));
    }
    std::string out = output.out;
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
  }

 private:
  std::string folder_, index_;
};

Result<void> stage(const Git& git, const std::string& prefix, const CommitFile& file) {
  const std::string path = prefix + file.path;
  // "100644 OBJECT 0\tPATH", empty for a file that HEAD does not have.
  NP_ASSIGN(const std::string entry, git.run({"ls-files", "--stage", "--full-name", "--", ":(top,literal)" + path}));
  std::string mode = "100644";
  if (entry.starts_with("100") && !file.before.empty()) {
    mode = entry.substr(0, 6);
    NP_ASSIGN(const std::string before, git.run({"hash-object", "--no-filters", "--stdin"}, file.before));
    if (entry.substr(7, before.size()) != before)
      return makeError("git", "\"" + path + "\" is not as git stores it (line ends or a filter); use --out-dir OUT");
  }
  NP_ASSIGN(const std::string object, git.run({"hash-object", "-w", "--no-filters", "--stdin"}, file.text));
  NP_TRY(git.run({"update-index", "--add", "--cacheinfo", mode + "," + object + "," + path}));
  return {};
}

}  // namespace

Result<void> mayBranch(const std::string& folder, const std::string& branch) {
  const Git git(folder);
  if (!git.run({"rev-parse", "--show-prefix"}).ok())
    return makeError("git", "\"" + folder + "\" is in no git work tree; use --out-dir OUT");
  if (!git.run({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}).ok())
    return makeError("git", "\"" + folder + "\" has no commit to branch from");
  if (branch.starts_with("-") || !git.run({"check-ref-format", "refs/heads/" + branch}).ok())
    return makeError("git", "\"" + branch + "\" cannot be the name of a branch");
  if (git.run({"rev-parse", "--verify", "--quiet", "refs/heads/" + branch}).ok())
    return makeError("git", "branch \"" + branch + "\" exists already; choose another name");
  if (rewriter::hasUncommittedChanges(folder))
    return makeError("git", "\"" + folder + "\" has uncommitted changes; commit or stash them");
  if (!git.run({"var", "GIT_COMMITTER_IDENT"}).ok())
    return makeError("git", "git does not know who commits; set user.name and user.email");
  return {};
}

Result<std::size_t> commitSteps(const std::string& folder, const std::string& branch,
                                const std::vector<CommitStep>& steps) {
  Git git(folder);
  NP_ASSIGN(const std::string prefix, git.run({"rev-parse", "--show-prefix"}));
  NP_ASSIGN(std::string commit, git.run({"rev-parse", "--verify", "HEAD^{commit}"}));
  NP_ASSIGN(std::string tree, git.run({"rev-parse", "--verify", commit + "^{tree}"}));
  const TemporaryFolder temporary;
  git.useIndex(temporary.path() + "/index");
  NP_TRY(git.run({"read-tree", commit}));
  std::size_t made = 0;
  for (const CommitStep& step : steps) {
    for (const CommitFile& file : step.files) NP_TRY(stage(git, prefix, file));
    NP_ASSIGN(std::string changed, git.run({"write-tree"}));
    if (changed == tree) continue;
    tree = std::move(changed);
    NP_ASSIGN(commit, git.run({"commit-tree", tree, "-p", commit, "-m", step.subject}));
    ++made;
  }
  NP_TRY(git.run({"update-ref", "--stdin"}, "create refs/heads/" + branch + " " + commit + "\n"));
  return made;
}

}  // namespace np::cli
