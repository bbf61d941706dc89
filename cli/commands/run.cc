// run: sets up the environment in which `import torch` brings the bundled device, then becomes the program. Our own
// errors end with 125, as the contract says, so that the program's codes pass through untouched.

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/port/install.h"
#include "cli/port/interpreter.h"

namespace np::cli {
namespace {

constexpr int kRunError = 125;

int fail(const std::string& message) {
  std::fprintf(stderr, "neuron-port: %s\n", message.c_str());
  return kRunError;
}

void set(const char* name, const std::string& value) {
  if (!value.empty()) setenv(name, value.c_str(), 1);
}

// The program as PATH knows it, else from the folder of the interpreter that is used: `pytest` of an environment that
// is not activated.
std::string programPath(const std::string& word, const std::string& python) {
  namespace fs = std::filesystem;
  if (word.find('/') != std::string::npos || !onPath(word).empty()) return word;
  std::error_code ec;
  const fs::path beside = fs::path(python).parent_path() / word;
  return python.find('/') != std::string::npos && fs::exists(beside, ec) ? beside.string() : word;
}

}  // namespace

int runProgram(const Invocation& invocation) {
  namespace fs = std::filesystem;
  const InstallLayout layout = installLayout();
  std::vector<std::string> program = invocation.program;
  if (!program.empty() && program.front() == "--") program.erase(program.begin());
  if (program.empty()) return fail("no program given: neuron-port run -- python train.py");
  if (!fs::exists(layout.library_dir + "/libneuron_port_device.so"))
    return fail("the neuron device is not built (\"" + layout.library_dir +
                "/libneuron_port_device.so\" not found); run cmake --build build");

  for (const std::string& entry : runEnvironment(layout)) {
    const std::size_t equals = entry.find('=');
    setenv(entry.substr(0, equals).c_str(), entry.c_str() + equals + 1, 1);
  }
  if (!invocation.device_report.empty()) {
    const fs::path report = fs::absolute(invocation.device_report);
    std::error_code ignored;
    fs::remove(report, ignored);
    setenv("NEURON_PORT_DEVICE_REPORT", report.c_str(), 1);
  }
  set("NEURON_PORT_POLICY", invocation.policy);
  set("NEURON_PORT_PRECISION", invocation.precision);
  set("NEURON_PORT_STREAMS", invocation.streams);
  set("NEURON_PORT_CHIP", invocation.chip);
  std::fprintf(stderr, "neuron-port: stand-in, not Trainium\n");
  setenv("NEURON_PORT_ANNOUNCED", "1", 1);
  const Interpreter python = chooseInterpreter(layout);
  if (program.front() == "python" || program.front() == "python3") {
    program.front() = python.path;
    std::fprintf(stderr, "neuron-port: python is %s (%s)\n", python.path.c_str(), python.why.c_str());
  } else {
    program.front() = programPath(program.front(), python.path);
  }

  std::vector<char*> argv;
  for (std::string& word : program) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  return fail("cannot start \"" + program.front() + "\": " + std::strerror(errno));
}

}  // namespace np::cli
