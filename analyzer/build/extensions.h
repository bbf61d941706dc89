// The compiled extensions that a setup.py declares: CUDAExtension and CppExtension of torch.utils.cpp_extension, and
// what load() builds at run time. The file is parsed, never run.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "analyzer/base/source_text.h"

namespace np::analyzer {

struct Extension {
  std::string kind;                       // "CUDAExtension", "CppExtension", "load"
  std::string name;                       // "fused_block._C"; empty when it is computed
  SourceRange where;                      // the call
  std::vector<std::string> sources;       // relative to the folder of the file, as far as they are written out
  std::vector<std::string> include_dirs;  // the same
  std::vector<std::string> defines;       // "NAME" or "NAME=VALUE"
  std::vector<std::string> flags;         // for nvcc and the host compiler
  bool complete = true;                   // false when a name, source or flag is computed
};

struct BuildFile {
  std::string path;
  std::vector<Extension> extensions;
};

// Errors as of parsing Python.
Result<BuildFile> readBuildFile(const SourceText& text);

}  // namespace np::analyzer
