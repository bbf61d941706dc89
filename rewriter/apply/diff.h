// Unified diffs.
#pragma once

#include <string>
#include <string_view>

namespace np::rewriter {

// "--- a/path\n+++ b/path\n@@ …": what `patch -p1` and git apply take, whatever the path holds; empty when
// the texts are equal.
std::string unifiedDiff(const std::string& path, std::string_view before, std::string_view after, int context = 3);

}  // namespace np::rewriter
