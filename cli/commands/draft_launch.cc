// Only the choice is made here. Launches in host code are used when exactly one host function reaches a kernel of the
// file and it can be planned (kernel_port/host).

#include "cli/commands/draft_launch.h"

#include <filesystem>

#include "cli/commands/host_launch.h"

namespace np::cli {

Result<LaunchFileChoice> launchFileFor(const Invocation& invocation) {
  namespace fs = std::filesystem;
  std::error_code ec;
  const fs::path source = invocation.paths.front();
  if (!invocation.launch_file.empty()) {
    if (!fs::is_regular_file(invocation.launch_file, ec))
      return makeError("not-found", "no such launch file \"" + invocation.launch_file + "\"");
    return LaunchFileChoice{invocation.launch_file, nullptr, invocation.only};
  }
  fs::path beside = source;
  beside.replace_extension(".launch.json");
  if (fs::is_regular_file(beside, ec)) return LaunchFileChoice{beside.string(), nullptr, invocation.only};
  return launchFromSource(invocation);
}

}  // namespace np::cli
