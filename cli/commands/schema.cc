// schema: prints the JSON Schemas that other programs can rely on.

#include <cstdio>

#include "analyzer/base/report/report_json.h"
#include "cli/commands/commands.h"
#include "cli/commands/config_schema.h"
#include "cli/commands/launch_schema.h"

namespace np::cli {

int runSchema(const Invocation& invocation) {
  if (invocation.subject == "report") std::fputs(reportJsonSchema().c_str(), stdout);
  if (invocation.subject == "config") std::fputs(kConfigSchema, stdout);
  if (invocation.subject == "launch") std::fputs(kLaunchSchema, stdout);
  return kDone;
}

}  // namespace np::cli
