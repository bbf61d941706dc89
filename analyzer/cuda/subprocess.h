// Runs a program with text on its standard input, without a shell, within a time limit.
#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::analyzer {

struct ProcessResult {
  int exit_code = 0;  // -1 when a signal ended it
  int signal = 0;     // the signal, or 0
  bool timed_out = false;
  std::string out;
  std::string err;  // at most the last 64 KiB
};

// Errors: "spawn" (the program cannot be started), "io". A time-out or a crash is a result, not an error.
Result<ProcessResult> runProcess(const std::vector<std::string>& argv, const std::string& input, double timeout_s);

}  // namespace np::analyzer
