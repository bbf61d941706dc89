// The graph's JSON. Kernels have indices, so that names need not be unique; places are path, line and offset.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands/graph.h"

namespace np::cli {
namespace {

using Json = nlohmann::ordered_json;

Json placeJson(const SourceRange& where) {
  return {{"path", where.path}, {"line", where.start.line}, {"start", where.range.start}, {"end", where.range.end}};
}

Json launchJson(const Launch& launch) {
  return {{"kernel", launch.kernel},
          {"where", placeJson(launch.where)},
          {"function", launch.function},
          {"grid", launch.grid},
          {"block", launch.block},
          {"shared", launch.shared},
          {"stream", launch.stream},
          {"args", launch.args},
          {"via", launch.via}};
}

Json kernelJson(const Kernel& kernel) {
  Json params = Json::array(), launches = Json::array(), ops = Json::array();
  for (const KernelParam& param : kernel.params) params.push_back({{"name", param.name}, {"type", param.type}});
  for (const Launch& launch : kernel.launches) launches.push_back(launchJson(launch));
  for (const Binding& binding : kernel.bindings) ops.push_back(binding.name);
  return {{"name", kernel.name}, {"where", placeJson(kernel.where)},        {"template_params", kernel.template_params},
          {"params", params},    {"instantiations", kernel.instantiations}, {"launches", launches},
          {"ops", ops}};
}

Json fileJson(const analyzer::CudaFile& file) {
  const char* status = file.status == analyzer::FileStatus::Analysed  ? "analysed"
                       : file.status == analyzer::FileStatus::Partial ? "partial"
                                                                      : "skipped";
  Json out = {{"path", file.path}, {"status", status}};
  if (!file.reason.empty()) out["reason"] = file.reason;
  if (!file.seen_by.empty()) out["analysed_with"] = file.seen_by;
  if (!file.command.files.empty())
    out["command"] = {{"includes", file.command.includes},
                      {"late_includes", file.command.late_includes},
                      {"defines", file.command.defines},
                      {"std", file.command.std}};
  return out;
}

}  // namespace

std::string graphJson(const analyzer::CudaAnalysis& cuda) {
  Json ops = Json::array(), kernels = Json::array(), loose = Json::array(), files = Json::array();
  for (const analyzer::BindingFacts& facts : cuda.bindings) {
    Json op = {{"name", facts.binding.name},
               {"kind", facts.binding.kind},
               {"where", placeJson(facts.binding.where)},
               {"function", facts.binding.function},
               {"schema", facts.binding.schema},
               {"dispatch_key", facts.dispatch_key}};
    Json reached = Json::array();
    for (std::size_t i = 0; i < cuda.kernels.size(); ++i)
      for (const Binding& binding : cuda.kernels[i].bindings)
        if (binding.name == facts.binding.name && binding.where.range == facts.binding.where.range &&
            binding.where.path == facts.binding.where.path && (reached.empty() || reached.back() != Json(i)))
          reached.push_back(i);
    op["kernels"] = reached;
    if (!facts.no_kernel.empty()) op["no_kernel"] = facts.no_kernel;
    ops.push_back(std::move(op));
  }
  for (const Kernel& kernel : cuda.kernels) kernels.push_back(kernelJson(kernel));
  for (const Launch& launch : cuda.loose_launches) loose.push_back(launchJson(launch));
  for (const analyzer::CudaFile& file : cuda.files) files.push_back(fileJson(file));
  const Json out = {{"version", 1}, {"ops", ops}, {"kernels", kernels}, {"loose_launches", loose}, {"files", files}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace np::cli
