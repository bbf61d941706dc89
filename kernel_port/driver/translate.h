// The whole path of one launch file: source checks, lifting, scheduling, emission, gates.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "analyzer/base/result.h"

namespace np::kernel_port::driver {

struct TranslateRequest {
  std::string launch_file;
  std::string source;  // empty: the launch file's
  std::string only;    // only launches of this kernel
  std::vector<std::string> includes, defines;
  std::string out_dir;  // empty: nothing is written
  std::string origin;   // how the module's docstring names the source; empty: the source's file name
  std::string python, python_path, library_dir;  // for the roundtrip gate
  std::string target = "trn2";
  std::uint64_t seed = 1;
};

struct Translation {
  Port port;
  std::string entry;                // of the emitted module
  std::string ir, spec, tile, nki;  // the forms that --emit prints, as far as they exist
};

// A kernel that cannot or must not be translated is a Translation with that status. Errors: the launch file or the
// source is at fault, or a tool is missing.
Result<Translation> translate(const TranslateRequest& request);

// `text` as a Python identifier.
std::string identifier(const std::string& text);

}  // namespace np::kernel_port::driver
