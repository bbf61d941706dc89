// clean, and the place of the result cache. Only results of `check` are kept; fix and port always look afresh.

#include "cli/commands/cache_folder.h"

#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "analyzer/project/result_cache.h"
#include "cli/commands/commands.h"
#include "cli/commands/project_root.h"
#include "cli/version.h"

namespace np::cli {
namespace fs = std::filesystem;

std::string resultCacheFolder(const std::string& root) {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path base;
  if (xdg && *xdg == '/')
    base = xdg;
  else if (home && *home == '/')
    base = fs::path(home) / ".cache";
  else
    return "";
  std::error_code ec;
  const fs::path project = fs::weakly_canonical(root, ec);
  const analyzer::ContentHash hash = analyzer::hashOf(project.string());
  char name[33];
  std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hash.high),
                static_cast<unsigned long long>(hash.low));
  const fs::path folder = fs::weakly_canonical(base / "neuron-port" / name, ec);
  const fs::path inside = folder.lexically_relative(project);
  if (ec || inside.empty() || *inside.begin() != "..") return "";
  return folder.string();
}

std::string resultCacheKey() {
  struct stat self{};
  if (::stat("/proc/self/exe", &self) != 0) return kVersion;
  return std::string(kVersion) + "/" + std::to_string(self.st_size) + "/" + std::to_string(self.st_mtim.tv_sec) + "." +
         std::to_string(self.st_mtim.tv_nsec) + "/" + std::to_string(self.st_ino);
}

int runClean(const Invocation& invocation) {
  const std::string folder = resultCacheFolder(projectRoot(invocation.paths));
  std::error_code ec;
  if (folder.empty() || !fs::exists(folder, ec)) {
    std::fprintf(stderr, "nothing is kept for this project\n");
    return kDone;
  }
  fs::remove_all(folder, ec);
  if (ec) {
    std::fprintf(stderr, "neuron-port: cannot delete \"%s\": %s\n", folder.c_str(), ec.message().c_str());
    return kUsage;
  }
  std::fprintf(stderr, "deleted %s\n", folder.c_str());
  return kDone;
}

}  // namespace np::cli
