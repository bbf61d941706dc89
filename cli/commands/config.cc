// config show: the configuration in force and where it comes from.

#include <cstdio>

#include "analyzer/config/config.h"
#include "analyzer/project/walk.h"
#include "cli/commands/commands.h"

namespace np::cli {

int runConfig(const Invocation& invocation) {
  const auto config = invocation.config.empty() ? analyzer::discoverConfig(analyzer::findProjectRoot("."))
                                                : analyzer::loadConfig(invocation.config);
  if (!config.ok()) {
    std::fprintf(stderr, "neuron-port: %s\n", config.error().text().c_str());
    return kUsage;
  }
  std::fputs(analyzer::toToml(*config).c_str(), stdout);
  return kDone;
}

}  // namespace np::cli
