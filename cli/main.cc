// neuron-port: parses the command line and hands it to one verb. Links neither LLVM, Clang nor torch, so that a
// Python-only check starts in milliseconds; what needs them runs in sibling executables.

#include <cstdio>
#include <string>

#include "cli/commands/commands.h"
#include "cli/version.h"

namespace {

using np::cli::Invocation;

int dispatch(const Invocation& invocation) {
  const std::string& verb = invocation.verb;
  if (verb == "check" || verb == "fix") return np::cli::runCheck(invocation);
  if (verb.starts_with("kernel ")) return np::cli::runKernel(invocation);
  if (verb == "port") return np::cli::runPort(invocation);
  if (verb == "run") return np::cli::runProgram(invocation);
  if (verb == "graph") return np::cli::runGraph(invocation);
  if (verb == "explain") return np::cli::runExplain(invocation);
  if (verb == "rules") return np::cli::runRules(invocation);
  if (verb == "schema") return np::cli::runSchema(invocation);
  if (verb == "doctor") return np::cli::runDoctor(invocation);
  if (verb == "config") return np::cli::runConfig(invocation);
  if (verb.starts_with("baseline ")) return np::cli::runBaseline(invocation);
  if (verb == "clean") return np::cli::runClean(invocation);
  std::printf("neuron-port %s\n", np::cli::kVersion);
  return np::cli::kDone;
}

}  // namespace

int main(int argc, char** argv) {
  const np::cli::ParsedCommandLine line = np::cli::parseCommandLine(argc, argv);
  std::fputs(line.out.c_str(), stdout);
  std::fputs(line.err.c_str(), stderr);
  if (line.done) return line.exit_code;
  return dispatch(line.invocation);
}
