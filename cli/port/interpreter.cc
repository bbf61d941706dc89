// An interpreter is asked whether it has torch, without importing it: that takes some 30 ms.

#include "cli/port/interpreter.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "analyzer/base/process.h"

namespace np::cli {
namespace {

bool hasTorch(const std::string& python) {
  ProcessRequest request;
  // Without the working folder, where anything may be called torch.
  request.argv = {python, "-c",
                  "import sys; sys.path.pop(0); import importlib.util as u; sys.exit(u.find_spec('torch') is None)"};
  request.timeout = std::chrono::seconds(20);
  const auto output = runProcess(request);
  return output.ok() && output->exit_code == 0 && !output->timed_out;
}

}  // namespace

std::string onPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    std::error_code ec;
    if (std::filesystem::is_regular_file(file, ec) && access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

Interpreter chooseInterpreter(const InstallLayout& layout) {
  if (const char* chosen = std::getenv("NEURON_PORT_PYTHON"); chosen && *chosen) return {chosen, "$NEURON_PORT_PYTHON"};
  if (const char* active = std::getenv("VIRTUAL_ENV"); active && *active) {
    const std::string python = std::string(active) + "/bin/python";
    if (access(python.c_str(), X_OK) == 0 && hasTorch(python)) return {python, "the active virtual environment"};
  }
  for (const char* name : {"python", "python3"})
    if (const std::string python = onPath(name); !python.empty() && hasTorch(python)) return {python, "of PATH"};
  return {layout.python, "neuron-port's own, yours has no torch; NEURON_PORT_PYTHON chooses another"};
}

}  // namespace np::cli
