// doctor: is everything there that the verbs need? One line a check; exit 1 when something is missing.

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "analyzer/base/process.h"
#include "cli/commands/commands.h"
#include "cli/commands/listing.h"
#include "cli/port/install.h"
#include "cli/term/terminal.h"
#include "cli/version.h"

namespace np::cli {
namespace {

Check siblingCheck(const std::string& name, const std::string& used_for) {
  const std::string path = executableDirectory() + "/" + name;
  const bool there = access(path.c_str(), X_OK) == 0;
  return {name, there, there ? "found, used for " + used_for : "not found beside neuron-port",
          "build it: cmake --build build --target " + name};
}

Check torchCheck(const std::string& python) {
  Check out{"torch", false, "", "run scripts/setup.sh"};
  ProcessRequest request;
  request.argv = {python, "-I", "-c", "import torch; print(torch.__version__, torch.version.cuda)"};
  request.timeout = std::chrono::seconds(120);
  const auto result = runProcess(request);
  if (!result.ok() || result->exit_code != 0) {
    out.detail = "\"" + python + "\" cannot import torch";
    return out;
  }
  const bool cpu_build = result->out.find("None") != std::string::npos;
  out.good = cpu_build && result->out.starts_with("2.13");
  out.detail = "torch " + result->out.substr(0, result->out.find(' ')) +
               (cpu_build ? ", CPU build" : ", a CUDA build: the device needs the CPU build");
  if (cpu_build && !out.good) out.advice = "the bundled device is built for torch 2.13";
  return out;
}

Check deviceCheck() {
  const std::string library = installLayout().library_dir + "/libneuron_port_device.so";
  const bool there = std::filesystem::exists(library);
  return {"neuron device", there, there ? "built" : "not built", "cmake --build build"};
}

}  // namespace

int runDoctor(const Invocation& invocation) {
  const Terminal terminal = detectTerminal(1);
  const InstallLayout layout = installLayout();
  const std::vector<Check> checks = {siblingCheck("neuron-port-clang", "CUDA C++"),
                                     siblingCheck("neuron-port-kernel", "kernel translation"),
                                     torchCheck(layout.python), deviceCheck()};
  bool all = true;
  std::string text = std::string("neuron-port ") + kVersion + ", target " + kTarget + "\n";
  for (const Check& check : checks) {
    all &= check.good;
    text += "  " + (check.good ? terminal.paint(Style::Green, "ok     ") : terminal.paint(Style::Red, "missing")) +
            " " + check.what + ": " + check.detail + (check.good ? "" : "; " + check.advice) + "\n";
  }
  if (const auto written = writeListing(invocation, text, checksJson(checks)); !written.ok()) {
    std::fprintf(stderr, "neuron-port: %s\n", written.error().text().c_str());
    return kUsage;
  }
  return all ? kDone : kFindings;
}

}  // namespace np::cli
