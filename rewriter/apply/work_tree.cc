// `git status` is the only one that knows what git itself takes for a change (line ends, times in the index), and it
// would run what .git/config names: clean filters when it compares a file, a file system monitor, hooks, submodules'
// own settings, and the remote of a partial clone. Each is switched off from the command line, which wins over the
// repository's settings. Filters are switched off by name, so the names are asked for first; `git config` runs nothing.

#include "rewriter/apply/work_tree.h"

#include <set>
#include <sstream>
#include <vector>

#include "analyzer/base/process.h"

namespace np::rewriter {
namespace {

Result<ProcessOutput> git(const std::string& root, const std::vector<std::string>& settings,
                          const std::vector<std::string>& arguments) {
  ProcessRequest request;
  request.argv = {"git", "--no-optional-locks", "--no-pager"};
  for (const std::string& setting : settings) request.argv.insert(request.argv.end(), {"-c", setting});
  request.argv.insert(request.argv.end(), {"-C", root});
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.environment = {"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0"};
  request.timeout = std::chrono::seconds(60);
  return runProcess(request);
}

// "filter.lfs.clean" → "filter.lfs"; the name between the dots may hold dots.
std::set<std::string> filters(const std::string& keys) {
  std::set<std::string> out;
  std::istringstream names(keys);
  for (std::string key; std::getline(names, key, '\0');)
    if (const std::size_t dot = key.rfind('.'); dot != std::string::npos) out.insert(key.substr(0, dot));
  return out;
}

}  // namespace

bool hasUncommittedChanges(const std::string& root) {
  const auto keys = git(root, {}, {"config", "-z", "--name-only", "--get-regexp", "^filter\\."});
  if (!keys.ok()) return false;  // no git here
  std::vector<std::string> settings = {"core.fsmonitor=false", "core.hooksPath=/dev/null"};
  for (const std::string& filter : filters(keys->out)) {
    if (filter.find('=') != std::string::npos) return true;  // "-c" cannot name it
    for (const char* part : {".clean=", ".smudge=", ".process=", ".required=false"}) settings.push_back(filter + part);
  }
  const auto status =
      git(root, settings, {"status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all", "--", "."});
  return status.ok() && status->exit_code == 0 && !status->out.empty();
}

}  // namespace np::rewriter
