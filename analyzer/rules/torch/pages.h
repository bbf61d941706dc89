// The rules about Python code that uses PyTorch: NPT3xxx and NPT4xxx.
#pragma once

#include <span>
#include <string_view>

namespace np::analyzer {

std::span<const std::string_view> torchRulePages();

}  // namespace np::analyzer
