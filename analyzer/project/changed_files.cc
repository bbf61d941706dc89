// `git diff` reads the working tree through whatever filters and hooks the repository names, which would run a
// stranger's code. Three plumbing commands that read nothing but objects are enough: rev-parse, ls-tree, and
// hash-object without filters. Line ends that git would convert make a file count as changed, never the other way.

#include "analyzer/project/changed_files.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "analyzer/base/process.h"
#include "analyzer/project/walk.h"

namespace np::analyzer {
namespace {

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

Result<std::string> git(const std::string& root, std::vector<std::string> arguments, std::string input = "") {
  ProcessRequest request;
  request.argv = {"git", "--no-optional-locks",  "--no-pager", "-c", "core.hooksPath=/dev/null",
                  "-c",  "core.fsmonitor=false", "-C",         root};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.environment = {"GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"};
  request.input = std::move(input);
  request.timeout = std::chrono::seconds(60);
  NP_ASSIGN(const ProcessOutput output, runProcess(request));
  if (output.timed_out) return makeError("git", "git did not answer within 60 s");
  if (output.exit_code != 0) return makeError("git", firstLine(output.err));
  return output.out;
}

// Object names of the revision's files below the root, by path.
Result<std::map<std::string, std::string>> treeOf(const std::string& root, const std::string& commit) {
  NP_ASSIGN(const std::string listing, git(root, {"ls-tree", "-r", "-z", commit}));
  std::map<std::string, std::string> out;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line, '\0');) {  // "100644 blob NAME\tPATH"
    const std::size_t tab = line.find('\t'), name = line.rfind(' ', tab);
    if (tab == std::string::npos || name == std::string::npos) continue;
    out.emplace(line.substr(tab + 1), line.substr(name + 1, tab - name - 1));
  }
  return out;
}

// A path that hash-object could not read from a line of its input.
bool isAwkward(const std::string& path) { return path.find('\n') != std::string::npos; }

}  // namespace

Result<std::vector<std::string>> changedSince(const std::string& root, const std::string& revision) {
  if (revision.starts_with("-")) return makeError("git", "\"" + revision + "\" is no git revision");
  const auto commit = git(root, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (!commit.ok()) {
    const std::string why = commit.error().message;
    return makeError("git", "git knows no revision \"" + revision + "\"" + (why.empty() ? "" : ": " + why));
  }
  NP_ASSIGN(const auto tree, treeOf(root, firstLine(*commit)));
  const auto walk = walkProject(root, {});
  if (!walk.ok() && walk.error().code == "no-sources") return std::vector<std::string>{};
  if (!walk.ok()) return walk.error();

  std::vector<std::string> changed, asked;
  std::string input;
  for (const auto* files : {&walk->files, &walk->environment})
    for (const ProjectFile& file : *files) {
      if (isAwkward(file.path) || !tree.contains(file.path)) {
        changed.push_back(file.path);
        continue;
      }
      asked.push_back(file.path);
      input += walk->root + "/" + file.path + "\n";  // relative ones would count from the repository's root
    }
  if (!asked.empty()) {
    // A file that vanishes meanwhile ends the command: what has no answer counts as changed.
    const auto names = git(root, {"hash-object", "--no-filters", "--stdin-paths"}, input);
    std::istringstream lines(names.ok() ? *names : "");
    for (const std::string& path : asked) {
      std::string name;
      if (!std::getline(lines, name) || name != tree.at(path)) changed.push_back(path);
    }
  }
  std::sort(changed.begin(), changed.end());
  return changed;
}

}  // namespace np::analyzer
