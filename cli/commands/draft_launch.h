// The launch file of a kernel command: the one given, the one beside the source, or one derived from the source's own
// host code.
#pragma once

#include <memory>
#include <string>

#include "analyzer/base/result.h"
#include "cli/invocation.h"

namespace np::cli {

struct LaunchFileChoice {
  std::string path;
  std::shared_ptr<void> temporary;  // keeps a made file alive
  std::string only;                 // the kernel that --only still has to pick among the file's launches
};

// Without --launch: NAME.launch.json beside NAME.cu, else launches found in the source's own host code. Error
// "no-launch" holds a draft to complete.
Result<LaunchFileChoice> launchFileFor(const Invocation& invocation);

}  // namespace np::cli
