// Runs a program and talks to it over pipes: no shell, no inherited descriptors, a deadline.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np {

struct ProcessRequest {
  std::vector<std::string> argv;         // argv[0]: a path, or a name looked up in PATH
  std::string input;                     // written to its standard input, which is then closed
  std::string directory;                 // working directory; empty: ours
  std::vector<std::string> environment;  // "NAME=value" added to ours
  std::chrono::milliseconds timeout{0};  // 0: none
  bool pass_stderr = false;              // true: its standard error is ours (progress); else captured
};

struct ProcessOutput {
  int exit_code = 0;  // 128 + signal when a signal ended it
  int signal = 0;     // 0 when it exited
  bool timed_out = false;
  std::string out;
  std::string err;
};

// Errors: "spawn" when the program cannot be started. A non-zero exit is not an error.
Result<ProcessOutput> runProcess(const ProcessRequest& request);

// Folder of the running executable ("/proc/self/exe"), without a trailing slash.
std::string executableDirectory();

}  // namespace np
