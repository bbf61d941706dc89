// Which files say what a project runs with: requirements, build and container files, launchers, workflows, settings.
#pragma once

#include <string_view>

namespace np::analyzer {

// By name alone; `path` is relative to the project root.
bool isEnvironmentName(std::string_view path);

}  // namespace np::analyzer
