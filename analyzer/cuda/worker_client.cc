// Every call is one process: a crash or a hang of Clang costs one request. The worker is looked for beside the running
// executable, then one folder up (test programs live in build/tests). Compile errors of the analysed file come back as
// an Error whose location is the first error and whose notes are the others.

#include "analyzer/cuda/worker_client.h"

#include <string.h>
#include <unistd.h>

#include "analyzer/base/process.h"
#include "analyzer/cuda/protocol_json.h"

namespace np::analyzer {
namespace {

constexpr const char* kWorkerName = "neuron-port-clang";
constexpr std::size_t kMaxNotes = 20;

std::string lastLine(const std::string& text) {
  std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  std::size_t start = text.rfind('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1,
                     end - (start == std::string::npos ? 0 : start + 1) + 1);
}

std::string placeOf(const SourceDiagnostic& diagnostic) {
  if (diagnostic.path.empty() || diagnostic.line == 0) return diagnostic.path;
  return diagnostic.path + ":" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column);
}

Error compileError(const DeviceIrRequest& request, const std::vector<SourceDiagnostic>& diagnostics) {
  Error error = makeError("cuda-compile", "the worker gave no reason", request.source);
  bool first = true;
  for (const SourceDiagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == "warning") continue;
    if (first && diagnostic.severity == "error") {
      error.message = diagnostic.message;
      if (!placeOf(diagnostic).empty()) error.location = placeOf(diagnostic);
      first = false;
    } else if (error.notes.size() < kMaxNotes) {
      const std::string place = placeOf(diagnostic);
      error.notes.push_back(place.empty() ? diagnostic.message : place + ": " + diagnostic.message);
    }
  }
  return error;
}

}  // namespace

Result<std::string> findClangWorker(const WorkerOptions& options) {
  if (!options.executable.empty()) {
    if (access(options.executable.c_str(), X_OK) == 0) return options.executable;
    return makeError("no-clang-worker", "\"" + options.executable + "\" is not an executable file");
  }
  const std::string folder = executableDirectory();
  for (const std::string& candidate : {folder + "/" + kWorkerName, folder + "/../" + kWorkerName})
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  return makeError("no-clang-worker", std::string("\"") + kWorkerName + "\" not found in \"" + folder +
                                          "\": build with Clang 19, or name it");
}

Result<std::string> callClangWorker(const std::string& verb, const std::string& request, const std::string& subject,
                                    const WorkerOptions& options) {
  NP_ASSIGN(const std::string executable, findClangWorker(options));
  ProcessRequest process;
  process.argv = {executable, verb};
  process.input = request;
  process.timeout = std::chrono::milliseconds(static_cast<long long>(options.timeout_s * 1000));
  NP_ASSIGN(ProcessOutput output, runProcess(process));
  if (output.timed_out)
    return makeError("worker-timeout",
                     "clang took more than " + std::to_string(static_cast<int>(options.timeout_s)) + " s", subject);
  if (output.signal)
    return makeError("worker-crash", std::string("clang was ended by a signal: ") + strsignal(output.signal), subject);
  if (output.exit_code) return makeError("worker-crash", "the clang worker failed: " + lastLine(output.err), subject);
  return std::move(output.out);
}

Result<DeviceIr> compileDeviceIr(const DeviceIrRequest& request, const WorkerOptions& options) {
  NP_ASSIGN(const std::string text, callClangWorker("ir", toJson(request), request.source, options));
  NP_ASSIGN(DeviceIrReply reply, deviceIrReplyFromJson(text));
  if (!reply.ok) return compileError(request, reply.ir.diagnostics);
  return std::move(reply.ir);
}

Result<UnitFacts> collectFacts(const FactsRequest& request, const WorkerOptions& options) {
  NP_CHECK(request.files.size() == 1);
  NP_ASSIGN(const std::string text, callClangWorker("facts", toJson(request), request.files[0], options));
  NP_ASSIGN(FactsReply reply, factsReplyFromJson(text));
  if (reply.units.size() != 1) return makeError("worker-protocol", "the worker's reply has no unit", request.files[0]);
  return std::move(reply.units[0]);
}

}  // namespace np::analyzer
