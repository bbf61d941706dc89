// JSON of the `facts` verb, both directions; a malformed text is a "worker-protocol" error.

#include "analyzer/cuda/fields_json.h"
#include "analyzer/cuda/protocol_json.h"

namespace np::analyzer {
namespace {

using namespace json;
using Texts = std::vector<std::string>;

Json kernelToJson(const KernelFacts& facts) {
  const Kernel& kernel = facts.kernel;
  return {
      {"name", kernel.name},
      {"where", rangeToJson(kernel.where)},
      {"template_params", kernel.template_params},
      {"params", listToJson(kernel.params,
                            [](const KernelParam& param) { return Json{{"name", param.name}, {"type", param.type}}; })},
      {"instantiations", kernel.instantiations},
      {"extent", rangeToJson(facts.extent)},
      {"qualified_name", facts.qualified_name},
      {"is_definition", facts.is_definition},
      {"is_static", facts.is_static},
      {"max_threads", facts.max_threads},
      {"min_blocks", facts.min_blocks},
      {"device_calls", facts.device_calls}};
}

KernelFacts kernelFrom(const Json& json) {
  KernelFacts out;
  out.kernel.name = get<std::string>(json, "name");
  out.kernel.where = rangeFrom(json.at("where"));
  out.kernel.template_params = get<Texts>(json, "template_params");
  out.kernel.params = listFrom<KernelParam>(json, "params", [](const Json& param) {
    return KernelParam{get<std::string>(param, "name"), get<std::string>(param, "type")};
  });
  out.kernel.instantiations = get<Texts>(json, "instantiations");
  out.extent = rangeFrom(json.at("extent"));
  out.qualified_name = get<std::string>(json, "qualified_name");
  out.is_definition = get<bool>(json, "is_definition");
  out.is_static = get<bool>(json, "is_static");
  out.max_threads = get<std::uint32_t>(json, "max_threads");
  out.min_blocks = get<std::uint32_t>(json, "min_blocks");
  out.device_calls = get<Texts>(json, "device_calls");
  return out;
}

Json launchToJson(const LaunchFacts& facts) {
  const Launch& launch = facts.launch;
  return {{"where", rangeToJson(launch.where)},
          {"kernel", launch.kernel},
          {"grid", launch.grid},
          {"block", launch.block},
          {"shared", launch.shared},
          {"stream", launch.stream},
          {"args", launch.args},
          {"via", launch.via},
          {"function", facts.function},
          {"kernel_name", facts.kernel_name},
          {"resolved", facts.resolved},
          {"kernel_path", facts.kernel_path},
          {"kernel_offset", facts.kernel_offset},
          {"in_device_code", facts.in_device_code},
          {"in_macro", facts.in_macro}};
}

LaunchFacts launchFrom(const Json& json) {
  LaunchFacts out;
  out.launch.where = rangeFrom(json.at("where"));
  out.launch.kernel = get<std::string>(json, "kernel");
  out.launch.grid = get<std::string>(json, "grid");
  out.launch.block = get<std::string>(json, "block");
  out.launch.shared = get<std::string>(json, "shared");
  out.launch.stream = get<std::string>(json, "stream");
  out.launch.args = get<Texts>(json, "args");
  out.launch.via = get<std::string>(json, "via");
  out.function = out.launch.function = get<std::string>(json, "function");
  out.kernel_name = get<std::string>(json, "kernel_name");
  out.resolved = get<bool>(json, "resolved");
  out.kernel_path = get<std::string>(json, "kernel_path");
  out.kernel_offset = get<Offset>(json, "kernel_offset");
  out.in_device_code = get<bool>(json, "in_device_code");
  out.in_macro = get<bool>(json, "in_macro");
  return out;
}

Json bindingToJson(const BindingFacts& facts) {
  const Binding& binding = facts.binding;
  return {{"where", rangeToJson(binding.where)}, {"kind", binding.kind},     {"name", binding.name},
          {"function", binding.function},        {"schema", binding.schema}, {"callees", facts.callees},
          {"dispatch_key", facts.dispatch_key}};
}

BindingFacts bindingFrom(const Json& json) {
  BindingFacts out;
  out.binding.where = rangeFrom(json.at("where"));
  out.binding.kind = get<std::string>(json, "kind");
  out.binding.name = get<std::string>(json, "name");
  out.binding.function = get<std::string>(json, "function");
  out.binding.schema = get<std::string>(json, "schema");
  out.callees = get<Texts>(json, "callees");
  out.dispatch_key = get<std::string>(json, "dispatch_key");
  return out;
}

Json useToJson(const ApiUse& use) {
  return {{"name", use.name},
          {"kind", use.kind},
          {"where", rangeToJson(use.where)},
          {"call", rangeToJson(use.call)},
          {"args", use.args},
          {"function", use.function},
          {"in_device_code", use.in_device_code},
          {"in_macro", use.in_macro}};
}

ApiUse useFrom(const Json& json) {
  return {get<std::string>(json, "name"),    get<std::string>(json, "kind"), rangeFrom(json.at("where")),
          rangeFrom(json.at("call")),        get<Texts>(json, "args"),       get<std::string>(json, "function"),
          get<bool>(json, "in_device_code"), get<bool>(json, "in_macro")};
}

Json traitToJson(const DeviceTrait& trait) {
  return {
      {"kind", trait.kind}, {"text", trait.text}, {"where", rangeToJson(trait.where)}, {"function", trait.function}};
}

DeviceTrait traitFrom(const Json& json) {
  return {get<std::string>(json, "kind"), get<std::string>(json, "text"), rangeFrom(json.at("where")),
          get<std::string>(json, "function")};
}

Json functionToJson(const FunctionFacts& function) {
  return {{"name", function.name},
          {"where", rangeToJson(function.where)},
          {"is_device", function.is_device},
          {"calls", function.calls}};
}

FunctionFacts functionFrom(const Json& json) {
  return {get<std::string>(json, "name"), rangeFrom(json.at("where")), get<bool>(json, "is_device"),
          get<Texts>(json, "calls")};
}

Json includeToJson(const IncludeFacts& include) {
  return {{"header", include.header},
          {"angled", include.angled},
          {"found", include.found},
          {"where", rangeToJson(include.where)}};
}

IncludeFacts includeFrom(const Json& json) {
  return {get<std::string>(json, "header"), get<bool>(json, "angled"), get<bool>(json, "found"),
          rangeFrom(json.at("where"))};
}

Json diagnosticToJson(const SourceDiagnostic& diagnostic) {
  return {{"severity", diagnostic.severity}, {"message", diagnostic.message}, {"path", diagnostic.path},
          {"line", diagnostic.line},         {"column", diagnostic.column},   {"offset", diagnostic.offset}};
}

SourceDiagnostic diagnosticFrom(const Json& json) {
  return {get<std::string>(json, "severity"), get<std::string>(json, "message"),  get<std::string>(json, "path"),
          get<std::uint32_t>(json, "line"),   get<std::uint32_t>(json, "column"), get<std::uint32_t>(json, "offset")};
}

Json unitToJson(const UnitFacts& unit) {
  return {{"path", unit.path},
          {"status", toString(unit.status)},
          {"reason", unit.reason},
          {"diagnostics", listToJson(unit.diagnostics, diagnosticToJson)},
          {"missing_headers", unit.missing_headers},
          {"files", unit.files},
          {"kernels", listToJson(unit.kernels, kernelToJson)},
          {"launches", listToJson(unit.launches, launchToJson)},
          {"bindings", listToJson(unit.bindings, bindingToJson)},
          {"host_api", listToJson(unit.uses, useToJson)},
          {"traits", listToJson(unit.traits, traitToJson)},
          {"functions", listToJson(unit.functions, functionToJson)},
          {"includes", listToJson(unit.includes, includeToJson)},
          {"host_functions", listToJson(unit.host_functions, hostFunctionToJson)}};
}

UnitStatus statusFrom(const std::string& text) {
  if (text == "parsed") return UnitStatus::Parsed;
  return text == "partial" ? UnitStatus::Partial : UnitStatus::Failed;
}

UnitFacts unitFrom(const Json& json) {
  UnitFacts out;
  out.path = get<std::string>(json, "path");
  out.status = statusFrom(get<std::string>(json, "status"));
  out.reason = get<std::string>(json, "reason");
  out.diagnostics = listFrom<SourceDiagnostic>(json, "diagnostics", diagnosticFrom);
  out.missing_headers = get<Texts>(json, "missing_headers");
  out.files = get<Texts>(json, "files");
  out.kernels = listFrom<KernelFacts>(json, "kernels", kernelFrom);
  out.launches = listFrom<LaunchFacts>(json, "launches", launchFrom);
  out.bindings = listFrom<BindingFacts>(json, "bindings", bindingFrom);
  out.uses = listFrom<ApiUse>(json, "host_api", useFrom);
  out.traits = listFrom<DeviceTrait>(json, "traits", traitFrom);
  out.functions = listFrom<FunctionFacts>(json, "functions", functionFrom);
  out.includes = listFrom<IncludeFacts>(json, "includes", includeFrom);
  out.host_functions = listFrom<HostFunction>(json, "host_functions", hostFunctionFrom);
  return out;
}

}  // namespace

std::string toJson(const FactsRequest& request) {
  const Json json = {{"root", request.root},         {"files", request.files},
                     {"includes", request.includes}, {"late_includes", request.late_includes},
                     {"defines", request.defines},   {"std", request.std},
                     {"texts", request.texts},       {"device_side", request.device_side}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string toJson(const FactsReply& reply) {
  const Json json = {{"units", listToJson(reply.units, unitToJson)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<FactsRequest> factsRequestFromJson(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    FactsRequest out;
    out.root = json.at("root").get<std::string>();
    out.files = json.at("files").get<Texts>();
    out.includes = get<Texts>(json, "includes");
    out.late_includes = get<Texts>(json, "late_includes");
    out.defines = get<Texts>(json, "defines");
    out.std = json.value("std", out.std);
    out.texts = json.value("texts", out.texts);
    out.device_side = json.value("device_side", false);
    return out;
  } catch (const nlohmann::json::exception& error) {
    return makeError("worker-protocol", std::string("the request is not understood: ") + error.what());
  }
}

Result<FactsReply> factsReplyFromJson(const std::string& text) {
  try {
    FactsReply out;
    out.units = listFrom<UnitFacts>(Json::parse(text), "units", unitFrom);
    return out;
  } catch (const nlohmann::json::exception& error) {
    return makeError("worker-protocol", std::string("the worker's reply is not understood: ") + error.what());
  }
}

}  // namespace np::analyzer
