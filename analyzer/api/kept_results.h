// Results of Python files and notebooks kept from an earlier run. Because imports are followed, a result depends on all
// Python files of the run: results are taken together or not at all, and only when every file is as it was.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/project/result_cache.h"
#include "analyzer/rules/torch/analyze_python.h"

namespace np::analyzer {

// A kept result. Without findings and suppressions the file's text is not needed at all.
struct KeptResult {
  PythonResult python;
  bool needs_text = false;
};

std::string encodeKept(const KeptResult& result);
// None when the bytes are not of encodeKept().
std::optional<KeptResult> decodeKept(std::string_view bytes);

// The digest of files given by path and content, in order.
ContentHash digestOf(const std::vector<std::pair<std::string, ContentHash>>& files);

// What results depend on beside the Python files.
ContentHash keptContext(const std::string& tool, const std::string& root, const PythonContext& context);

}  // namespace np::analyzer
