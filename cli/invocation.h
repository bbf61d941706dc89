// Invocation: one command line, parsed. Commands take this and know nothing of how it was written.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace np::cli {

struct OutputRequest {
  std::string format;  // "text", "json", …
  std::string file;    // empty: standard output
};

struct Invocation {
  std::string verb;  // "check", "kernel translate", …
  std::vector<std::string> paths;

  // Selection and reporting.
  std::vector<std::string> select, ignore, extend_select, exclude;
  std::string since, config, target, fail_on, baseline, stdin_filename;
  std::vector<OutputRequest> outputs;
  bool force_exclude = false, exit_zero = false, statistics = false, strict = false, isolated = false;
  int jobs = 0;  // 0: one a processor

  // check, fix.
  bool fix = false, unsafe_fixes = false, diff = false, undo = false, allow_dirty = false;

  // kernel.
  std::string launch_file, only, emit, inputs, engine;
  bool trust = false;
  std::vector<std::string> include_dirs, defines;

  // kernel, port.
  std::string out_dir;
  bool validate = false;
  std::string test_command, git_branch;

  // run.
  std::vector<std::string> program;
  std::string device_report, policy, precision, streams, chip;

  // explain, schema.
  std::string subject;
};

struct ParsedCommandLine {
  bool done = false;  // help or version was printed, or the line was wrong: exit with `exit_code`
  int exit_code = 0;
  std::string out, err;
  Invocation invocation;
};

ParsedCommandLine parseCommandLine(int argc, const char* const* argv);

}  // namespace np::cli
