// kernel run, kernel check, kernel translate: the launch file is found or drafted here, the work is done by
// neuron-port-kernel.

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/commands/commands.h"
#include "cli/commands/draft_launch.h"
#include "cli/port/kernel_client.h"
#include "cli/term/terminal.h"

namespace np::cli {
namespace {

namespace fs = std::filesystem;

int fail(const Error& error) {
  std::fprintf(stderr, "neuron-port: %s\n", error.text().c_str());
  if (error.code == "kernel-process" || error.code == "spawn" || error.code == "internal") return kInternal;
  return kUsage;
}

bool wantsJson(const Invocation& invocation) {
  for (const OutputRequest& request : invocation.outputs)
    if (request.format == "json") return true;
  return false;
}

// The fast engine counts and checks nothing itself; unless trusted, each case ran clean in the checked one before.
void printFast(const KernelReply& reply, bool trust) {
  for (const KernelCase& one : reply.cases)
    std::printf("%s: fast engine, %.3f s, %s\n", one.sizes.empty() ? "(no sizes)" : one.sizes.c_str(), one.seconds,
                trust ? "not checked" : "checked first, no defect");
}

void printDefects(const KernelReply& reply, const Terminal& terminal) {
  for (const KernelCase& one : reply.cases) {
    std::printf("%s: %llu instructions, %.3f s%s\n", one.sizes.empty() ? "(no sizes)" : one.sizes.c_str(),
                static_cast<unsigned long long>(one.steps), one.seconds, one.defects.empty() ? ", no defect" : "");
    for (const KernelDefect& d : one.defects) {
      std::printf("%s:%u:%u: %s: %s\n", d.path.c_str(), d.line, d.column, terminal.paint(Style::Red, d.kind).c_str(),
                  d.message.c_str());
      if (d.other_line)
        std::printf("%s:%u: the other access\n", (d.other_path.empty() ? d.path : d.other_path).c_str(), d.other_line);
      std::printf("  thread %s of block %s, seen %llu times\n", d.thread.c_str(), d.block.c_str(),
                  static_cast<unsigned long long>(d.count));
    }
  }
}

void printPort(const Port& port, const Terminal& terminal) {
  const Style style = port.status == PortStatus::Translated ? Style::Green
                      : port.status == PortStatus::Failed   ? Style::Red
                                                            : Style::Yellow;
  std::printf("%s%s%s\n", terminal.paint(style, toString(port.status)).c_str(),
              port.proof.empty() ? "" : ", proof: ", port.proof.c_str());
  if (port.reason) {
    if (port.reason->where)
      std::printf("%s:%u:%u: ", port.reason->where->path.c_str(), port.reason->where->start.line,
                  port.reason->where->start.column);
    std::printf("%s %s\n", port.reason->code.c_str(), port.reason->message.c_str());
    if (!port.reason->advice.empty()) std::printf("  advice: %s\n", port.reason->advice.c_str());
  }
  if (!port.spec.empty()) std::printf("%s\n%s\n", terminal.paint(Style::Bold, "Spec").c_str(), port.spec.c_str());
  for (const std::string& assumption : port.assumptions) std::printf("assumes: %s\n", assumption.c_str());
  if (!port.gates.empty()) std::printf("%s\n", terminal.paint(Style::Bold, "Gates").c_str());
  for (const Gate& gate : port.gates) {
    std::string name = gate.name;
    name.resize(std::max<std::size_t>(name.size(), 12), ' ');
    std::printf(
        "  %s %s  %s\n",
        gate.passed ? terminal.paint(Style::Green, "passed").c_str() : terminal.paint(Style::Red, "FAILED").c_str(),
        name.c_str(), gate.detail.c_str());
  }
  for (const std::string& missing : port.gates_missing) std::printf("  not run %s\n", missing.c_str());
  if (port.cost)
    std::printf("cost on %s: %.2f µs (%.2f to %.2f), bound by %s\n", port.cost->target.c_str(), port.cost->estimate_us,
                port.cost->low_us, port.cost->high_us, port.cost->bound.c_str());
  for (const std::string& file : port.files) std::printf("wrote %s\n", file.c_str());
}

int exitCode(const Invocation& invocation, const KernelReply& reply) {
  if (invocation.verb == "kernel translate") {
    if (reply.port.status == PortStatus::Failed) return kInternal;
    return reply.port.status == PortStatus::Translated ? kDone : kFindings;
  }
  for (const KernelCase& one : reply.cases)
    if (!one.defects.empty()) return kFindings;
  return kDone;
}

// The folders that are made for the output; what is still empty at the end is taken away again.
class NewFolders {
 public:
  explicit NewFolders(const std::string& folder) {
    std::error_code ec;
    for (fs::path at = fs::absolute(folder, ec); !folder.empty() && !fs::exists(at, ec); at = at.parent_path())
      missing_.push_back(at);
  }
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code ec;
    for (const fs::path& folder : missing_) fs::remove(folder, ec);
  }

 private:
  std::vector<fs::path> missing_;  // innermost first
};

// Fails early, before minutes of work, when nothing could be written at the end.
Result<void> prepareOutput(const std::string& folder) {
  if (folder.empty()) return {};
  std::error_code ec;
  fs::create_directories(folder, ec);
  const std::string probe = folder + "/.neuron-port-probe";
  const bool writable = !ec && static_cast<bool>(std::ofstream(probe) << "x");
  fs::remove(probe, ec);
  if (!writable) return makeError("io", "cannot write to output folder \"" + folder + "\"", folder);
  return {};
}

}  // namespace

int runKernel(const Invocation& invocation) {
  const std::string& source = invocation.paths.front();
  std::error_code ec;
  if (!fs::is_regular_file(source, ec)) return fail(makeError("not-found", "no such file \"" + source + "\""));
  if (invocation.trust && invocation.engine != "fast")
    return fail(makeError("usage", "--trust goes with --engine fast; the checked engine always checks"));
  const auto launch = launchFileFor(invocation);
  if (!launch.ok()) return fail(launch.error());
  const NewFolders new_folders(invocation.out_dir);
  if (const auto writable = prepareOutput(invocation.out_dir); !writable.ok()) return fail(writable.error());
  KernelRequest request;
  request.verb = invocation.verb.substr(invocation.verb.find(' ') + 1);
  request.source = source;
  request.launch_file = launch->path;
  request.only = launch->only;
  request.out_dir = invocation.out_dir;
  request.inputs = invocation.inputs;
  request.emit = invocation.emit;
  request.engine = invocation.engine;
  request.trust = invocation.trust;
  request.includes = invocation.include_dirs;
  request.defines = invocation.defines;
  const auto reply = askKernel(request);
  if (!reply.ok()) return fail(reply.error());
  const Terminal terminal = detectTerminal(1);
  if (!invocation.emit.empty() && !reply->emitted.empty())
    std::fputs(reply->emitted.c_str(), stdout);
  else if (wantsJson(invocation))
    std::fputs(reply->json.c_str(), stdout);
  else if (request.verb == "translate")
    printPort(reply->port, terminal);
  else if (invocation.engine == "fast" && exitCode(invocation, *reply) == kDone)
    printFast(*reply, invocation.trust);
  else
    printDefects(*reply, terminal);
  return exitCode(invocation, *reply);
}

}  // namespace np::cli
