// config show: the configuration in force; config explain: every setting with the place that made it.

#include <cstdio>
#include <filesystem>

#include "analyzer/config/config.h"
#include "analyzer/config/config_tree.h"
#include "analyzer/project/walk.h"
#include "cli/commands/commands.h"

namespace np::cli {

namespace {

namespace fs = std::filesystem;

// The configuration that decides for a file or folder: the nearest at or above it, up to the project root.
Result<analyzer::Config> nearestConfig(const std::string& path) {
  std::error_code ec;
  if (!fs::exists(path, ec)) return makeError("not-found", "no such file or directory \"" + path + "\"");
  const fs::path root = analyzer::findProjectRoot(path);
  fs::path at = fs::weakly_canonical(path, ec);
  if (!fs::is_directory(at, ec)) at = at.parent_path();
  for (; at != root && at.has_relative_path() && !at.lexically_relative(root).empty(); at = at.parent_path()) {
    auto config = analyzer::discoverConfig(at.string());
    if (!config.ok() || !config->path.empty()) return config;
  }
  return analyzer::discoverConfig(root.string());
}

}  // namespace

int runConfig(const Invocation& invocation) {
  if (invocation.paths.size() > 1) {
    std::fprintf(stderr, "neuron-port: ask for one path at a time\n");
    return kUsage;
  }
  const auto config = invocation.config.empty() ? nearestConfig(invocation.paths.empty() ? "." : invocation.paths[0])
                                                : analyzer::loadConfig(invocation.config);
  if (!config.ok()) {
    std::fprintf(stderr, "neuron-port: %s\n", config.error().text().c_str());
    return kUsage;
  }
  if (invocation.subject == "explain") {
    for (const analyzer::Setting& setting : analyzer::explainConfig(*config))
      std::printf("%s = %s  # %s\n", setting.key.c_str(), setting.value.c_str(), setting.origin.c_str());
    return kDone;
  }
  std::fputs(analyzer::toToml(*config).c_str(), stdout);
  return kDone;
}

}  // namespace np::cli
