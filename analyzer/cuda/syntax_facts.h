// Kernels and launches as tree-sitter sees them: complete even where headers are missing or the file is broken, but
// without types, and without knowing which of several kernels of one name is meant.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "analyzer/base/source_text.h"

namespace np::analyzer {

struct SyntaxKernel {
  Kernel kernel;
  bool is_definition = false;
  std::string macro;  // name of the #define whose body holds it; empty when it is written out
};

struct SyntaxLaunch {
  Launch launch;
  std::string macro;
};

struct SyntaxFacts {
  std::vector<SyntaxKernel> kernels;
  std::vector<SyntaxLaunch> launches;
  bool has_errors = false;  // the grammar did not understand all of the file
};

// Error "parse-timeout" when the grammar does not come to an end.
Result<SyntaxFacts> readSyntax(const SourceText& text);

// True when the bytes hold the words that device code or a launch needs; the cheap test before any parsing.
bool mayHoldDeviceCode(std::string_view bytes);

}  // namespace np::analyzer
