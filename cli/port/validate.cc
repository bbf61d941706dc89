// The tests are the project's own code: only `port --validate` and `run` execute any.

#include "cli/port/validate.h"

#include <filesystem>
#include <sstream>

#include "analyzer/base/process.h"
#include "cli/port/install.h"

namespace np::cli {
namespace {

std::vector<std::string> words(const std::string& command) {
  std::vector<std::string> out;
  std::istringstream in(command);
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

std::string tail(const std::string& text, std::size_t size) {
  return text.size() <= size ? text : "…" + text.substr(text.size() - size);
}

}  // namespace

bool readPytestCounts(const std::string& output, Validation& into) {
  std::istringstream lines(output);
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" in ") == std::string::npos) continue;
    Validation counts;
    bool any = false;
    std::istringstream parts(line);
    std::string previous;
    for (std::string word; parts >> word; previous = word) {
      while (!word.empty() && (word.back() == ',' || word.back() == '=')) word.pop_back();
      if (previous.empty() || previous.find_first_not_of("0123456789") != std::string::npos || previous.size() > 9)
        continue;
      const auto n = static_cast<std::uint32_t>(std::stoul(previous));
      if (word == "passed") counts.passed += n, any = true;
      if (word == "failed" || word == "error" || word == "errors") counts.failed += n, any = true;
      if (word == "skipped" || word == "xfailed") counts.skipped += n, any = true;
    }
    if (!any) continue;
    into.passed = counts.passed;
    into.failed = counts.failed;
    into.skipped = counts.skipped;
    found = true;
  }
  return found;
}

Result<Validation> validatePort(const std::string& folder, const std::string& command) {
  const InstallLayout layout = installLayout();
  std::error_code ec;
  if (!std::filesystem::exists(layout.library_dir + "/libneuron_port_device.so", ec))
    return makeError("validate", "the neuron device is not built; run cmake --build build");
  Validation out;
  out.command = command.empty() ? "python -m pytest -q -p no:cacheprovider" : command;
  ProcessRequest request;
  request.argv = words(out.command);
  if (request.argv.empty()) return makeError("validate", "the test command is empty");
  if (request.argv[0] == "python" || request.argv[0] == "python3") request.argv[0] = layout.python;
  request.directory = folder;
  request.environment = runEnvironment(layout);
  request.environment.push_back("NEURON_PORT_ANNOUNCED=1");
  request.environment.push_back("PYTHONDONTWRITEBYTECODE=1");
  request.timeout = std::chrono::minutes(60);
  NP_ASSIGN(const ProcessOutput output, runProcess(request));
  out.log = tail(output.out + output.err, 20000);
  if (output.timed_out) return makeError("validate", "the tests took more than 60 minutes");
  if (command.empty() && output.exit_code == 5)  // pytest: no tests were collected
    return makeError("validate",
                     "the project has no tests that pytest finds, so nothing is validated; name a program to run with "
                     "neuron-port run -- python PROGRAM in the ported folder, or tests with --test-command");
  if (!readPytestCounts(output.out, out)) {
    Error error = makeError("validate", "\"" + out.command + "\" printed no test result (exit code " +
                                            std::to_string(output.exit_code) + ")");
    error.notes.push_back(tail(output.out + output.err, 2000));
    return error;
  }
  return out;
}

}  // namespace np::cli
