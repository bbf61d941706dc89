// Launch files derived from the host code in the kernel's own file.
#pragma once

#include "cli/commands/draft_launch.h"

namespace np::cli {

// Error "no-launch" when no host function of the file can be planned, or several can and --only does not choose; its
// notes say why and hold a draft.
Result<LaunchFileChoice> launchFromSource(const Invocation& invocation);

}  // namespace np::cli
