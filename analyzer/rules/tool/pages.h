// The rules about the analysis itself: NPT0xxx.
#pragma once

#include <span>
#include <string_view>

namespace np::analyzer {

std::span<const std::string_view> toolRulePages();

}  // namespace np::analyzer
