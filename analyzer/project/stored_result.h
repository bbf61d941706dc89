// What the analysis of one file gave, as bytes for the result cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"

namespace np::analyzer {

struct StoredResult {
  std::vector<Finding> findings;
  std::string partial, skipped;
  std::uint32_t unknown_calls = 0;
};

// Empty for the commonest result: nothing found, nothing left out.
std::string encode(const StoredResult& result);
// None when the bytes are not of this version's encode().
std::optional<StoredResult> decode(std::string_view bytes);

}  // namespace np::analyzer
