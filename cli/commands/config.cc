// config show: the configuration in force; config explain: every setting with the place that made it.

#include <cstdio>

#include "analyzer/config/config.h"
#include "analyzer/config/config_tree.h"
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
  if (invocation.subject == "explain") {
    for (const analyzer::Setting& setting : analyzer::explainConfig(*config))
      std::printf("%s = %s  # %s\n", setting.key.c_str(), setting.value.c_str(), setting.origin.c_str());
    return kDone;
  }
  std::fputs(analyzer::toToml(*config).c_str(), stdout);
  return kDone;
}

}  // namespace np::cli
