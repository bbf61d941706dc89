// One JSON request, one JSON reply. The child limits itself; our own limit is for a child that hangs all the same.

#include <nlohmann/json.hpp>

#include "analyzer/base/process.h"
#include "analyzer/base/report/report_json.h"
#include "cli/port/install.h"
#include "cli/port/kernel_client.h"

namespace np::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

struct Place {
  std::string path;
  std::uint32_t line = 0, column = 0;
};

// Where a range starts; line 0 when there is none.
Place placeOf(const Json& json, const char* key) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_object() || !it->contains("start")) return {};
  const Json& start = (*it)["start"];
  return {text(*it, "path"), start.value("line", 0u), start.value("column", 0u)};
}

std::string triple(const Json& json, const char* key) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_array()) return "";
  std::string out;
  for (const Json& part : *it) out += (out.empty() ? "(" : ", ") + part.dump();
  return out + ")";
}

KernelCase caseFrom(const Json& json) {
  KernelCase out;
  if (const auto sizes = json.find("sizes"); sizes != json.end() && sizes->is_object())
    for (const auto& [name, value] : sizes->items())
      out.sizes += (out.sizes.empty() ? "" : ", ") + name + " = " + value.dump();
  out.seconds = json.value("seconds", 0.0);
  out.steps = json.value("instructions", std::uint64_t{0});
  if (const auto defects = json.find("defects"); defects != json.end() && defects->is_array())
    for (const Json& d : *defects) {
      KernelDefect defect{text(d, "kind"), text(d, "message"), placeOf(d, "range").path,
                          placeOf(d, "other_range").path};
      defect.line = placeOf(d, "range").line;
      defect.column = placeOf(d, "range").column;
      defect.other_line = placeOf(d, "other_range").line;
      defect.thread = triple(d, "thread");
      defect.block = triple(d, "block");
      defect.count = d.value("count", std::uint64_t{1});
      out.defects.push_back(std::move(defect));
    }
  return out;
}

}  // namespace

Result<KernelReply> askKernel(const KernelRequest& request) {
  const InstallLayout layout = installLayout();
  Json body = {{"verb", request.verb},       {"source", request.source},          {"launch", request.launch_file},
               {"only", request.only},       {"includes", request.includes},      {"defines", request.defines},
               {"out_dir", request.out_dir}, {"inputs", request.inputs},          {"emit", request.emit},
               {"python", layout.python},    {"python_path", layout.python_path}, {"library_dir", layout.library_dir},
               {"origin", request.origin}};
  if (!request.engine.empty()) body["engine"] = request.engine;
  if (request.trust) body["trust"] = 1;
  ProcessRequest process;
  process.argv = {executableDirectory() + "/neuron-port-kernel"};
  process.input = body.dump();
  process.pass_stderr = true;
  process.timeout = std::chrono::minutes(30);
  NP_ASSIGN(const ProcessOutput output, runProcess(process));
  if (output.timed_out)
    return makeError("kernel-process",
                     "neuron-port-kernel took more than 30 minutes; try smaller sizes in the launch file");
  const Json json = Json::parse(output.out, nullptr, false);
  if (output.exit_code != 0 || !json.is_object()) {
    const std::string how =
        output.signal ? "signal " + std::to_string(output.signal) : "exit code " + std::to_string(output.exit_code);
    return makeError("kernel-process", "neuron-port-kernel ended with " + how +
                                           "; the kernel may need more memory or time than the limits allow");
  }
  if (!json.value("ok", false)) {
    const Json error = json.value("error", Json::object());
    Error out = makeError(text(error, "code"), text(error, "message"), text(error, "location"));
    if (const auto notes = error.find("notes"); notes != error.end() && notes->is_array())
      for (const Json& note : *notes)
        if (note.is_string()) out.notes.push_back(note.get<std::string>());
    return out;
  }
  KernelReply reply;
  reply.json = json.dump(2) + "\n";
  if (const auto cases = json.find("cases"); cases != json.end() && cases->is_array())
    for (const Json& one : *cases) reply.cases.push_back(caseFrom(one));
  if (json.contains("port")) {
    NP_ASSIGN(reply.port, portFromJson(json["port"].dump()));
  }
  reply.emitted = text(json, "emitted");
  reply.entry = text(json, "entry");
  return reply;
}

}  // namespace np::cli
