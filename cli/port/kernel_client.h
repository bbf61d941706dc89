// Asks neuron-port-kernel, the executable that holds executor, lifter and scheduler.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analyzer/base/report/report.h"

namespace np::cli {

struct KernelRequest {
  std::string verb;    // run, check, translate
  std::string source;  // empty: the launch file's
  std::string launch_file;
  std::string only, out_dir, inputs, emit, origin;
  std::vector<std::string> includes, defines;
  std::string engine;  // run: "checked" or "fast"; empty: the default
  bool trust = false;  // run with the fast engine: without a checked run first
};

struct KernelDefect {
  std::string kind, message, path, other_path;
  std::uint32_t line = 0, column = 0, other_line = 0;
  std::string thread, block;
  std::uint64_t count = 1;
};

struct KernelCase {
  std::string sizes;  // "M = 3, N = 67"
  double seconds = 0;
  std::uint64_t steps = 0;
  std::vector<KernelDefect> defects;
};

struct KernelReply {
  std::string json;  // as received
  std::vector<KernelCase> cases;
  Port port;            // translate
  std::string emitted;  // translate with emit
  std::string entry;    // translate: name of the function in the emitted module
};

// Errors: "spawn" when the executable is missing, "kernel-process" when it ended badly, else the error it replied with.
Result<KernelReply> askKernel(const KernelRequest& request);

// askKernel, or what a test puts in its place.
using KernelClient = std::function<Result<KernelReply>(const KernelRequest&)>;

}  // namespace np::cli
