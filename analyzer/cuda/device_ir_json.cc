// JSON of the `ir` verb. Parsing is strict about types and lenient about missing keys, so that an older client works
// with a newer worker; anything else is a "worker-protocol" error, never an exception for the caller.

#include <nlohmann/json.hpp>

#include "analyzer/cuda/protocol_json.h"

namespace np::analyzer {
namespace {

using Json = nlohmann::ordered_json;

Json toJsonValue(const SourceDiagnostic& diagnostic) {
  return {{"severity", diagnostic.severity}, {"message", diagnostic.message}, {"path", diagnostic.path},
          {"line", diagnostic.line},         {"column", diagnostic.column},   {"offset", diagnostic.offset}};
}

SourceDiagnostic diagnosticFrom(const Json& json) {
  SourceDiagnostic out;
  out.severity = json.value("severity", std::string("error"));
  out.message = json.value("message", std::string());
  out.path = json.value("path", std::string());
  out.line = json.value("line", 0u);
  out.column = json.value("column", 0u);
  out.offset = json.value("offset", 0u);
  return out;
}

Json fieldsToJson(const std::vector<FieldFact>& fields) {
  Json out = Json::array();
  for (const FieldFact& field : fields)
    out.push_back({{"name", field.name}, {"type", field.type}, {"offset", field.offset}, {"size", field.size}});
  return out;
}

Json toJsonValue(const ParamFact& param) {
  Json out = {{"name", param.name},
              {"type", param.type},
              {"kind", toString(param.kind)},
              {"size", param.size},
              {"align", param.align}};
  if (!param.scalar.empty()) out["scalar"] = param.scalar;
  if (param.kind == ParamKind::Pointer) {
    out["pointee"] = param.pointee;
    out["pointee_size"] = param.pointee_size;
    out["const"] = param.is_const;
    out["restrict"] = param.is_restrict;
  }
  if (!param.fields.empty()) out["fields"] = fieldsToJson(param.fields);
  return out;
}

ParamKind kindFrom(const std::string& text) {
  for (ParamKind kind : {ParamKind::Pointer, ParamKind::Integer, ParamKind::Float})
    if (text == toString(kind)) return kind;
  return ParamKind::Struct;
}

ParamFact paramFrom(const Json& json) {
  ParamFact out;
  out.name = json.value("name", std::string());
  out.type = json.value("type", std::string());
  out.kind = kindFrom(json.value("kind", std::string()));
  out.size = json.value("size", std::uint64_t{0});
  out.align = json.value("align", std::uint64_t{0});
  out.scalar = json.value("scalar", std::string());
  out.pointee = json.value("pointee", std::string());
  out.pointee_size = json.value("pointee_size", std::uint64_t{0});
  out.is_const = json.value("const", false);
  out.is_restrict = json.value("restrict", false);
  for (const Json& field : json.value("fields", Json::array()))
    out.fields.push_back({field.value("name", std::string()), field.value("type", std::string()),
                          field.value("offset", std::uint64_t{0}), field.value("size", std::uint64_t{0})});
  return out;
}

Json toJsonValue(const DeviceKernel& kernel) {
  Json params = Json::array();
  for (const ParamFact& param : kernel.params) params.push_back(toJsonValue(param));
  Json out = {{"name", kernel.name},     {"qualified_name", kernel.qualified_name},
              {"symbol", kernel.symbol}, {"params", params},
              {"path", kernel.path},     {"line", kernel.line}};
  if (kernel.max_threads)
    out["launch_bounds"] = {{"max_threads", kernel.max_threads}, {"min_blocks", kernel.min_blocks}};
  return out;
}

DeviceKernel kernelFrom(const Json& json) {
  DeviceKernel out;
  out.name = json.value("name", std::string());
  out.qualified_name = json.value("qualified_name", std::string());
  out.symbol = json.value("symbol", std::string());
  out.path = json.value("path", std::string());
  out.line = json.value("line", 0u);
  for (const Json& param : json.value("params", Json::array())) out.params.push_back(paramFrom(param));
  if (auto bounds = json.find("launch_bounds"); bounds != json.end()) {
    out.max_threads = bounds->value("max_threads", 0u);
    out.min_blocks = bounds->value("min_blocks", 0u);
  }
  return out;
}

// Runs `convert` on the parsed text; every JSON exception becomes an error.
template <class T, class Convert>
Result<T> fromText(const std::string& text, const char* what, Convert convert) {
  try {
    return convert(Json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    return makeError("worker-protocol", std::string(what) + " is not understood: " + error.what());
  }
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string toJson(const DeviceIrRequest& request) {
  return dumped({{"source", request.source},
                 {"kernels", request.kernels},
                 {"includes", request.includes},
                 {"defines", request.defines},
                 {"std", request.std},
                 {"output", request.output}});
}

std::string toJson(const DeviceIrReply& reply) {
  Json out = {{"ok", reply.ok}};
  if (reply.ok) {
    out["bitcode"] = reply.ir.bitcode;
    out["kernels"] = Json::array();
    for (const DeviceKernel& kernel : reply.ir.kernels) out["kernels"].push_back(toJsonValue(kernel));
  }
  out["diagnostics"] = Json::array();
  for (const SourceDiagnostic& diagnostic : reply.ir.diagnostics) out["diagnostics"].push_back(toJsonValue(diagnostic));
  return dumped(out);
}

Result<DeviceIrRequest> deviceIrRequestFromJson(const std::string& text) {
  return fromText<DeviceIrRequest>(text, "the request", [](const Json& json) {
    DeviceIrRequest out;
    out.source = json.at("source").get<std::string>();
    out.kernels = json.value("kernels", std::vector<std::string>());
    out.includes = json.value("includes", std::vector<std::string>());
    out.defines = json.value("defines", std::vector<std::string>());
    out.std = json.value("std", out.std);
    out.output = json.at("output").get<std::string>();
    return out;
  });
}

Result<DeviceIrReply> deviceIrReplyFromJson(const std::string& text) {
  return fromText<DeviceIrReply>(text, "the worker's reply", [](const Json& json) {
    DeviceIrReply out;
    out.ok = json.at("ok").get<bool>();
    out.ir.bitcode = json.value("bitcode", std::string());
    for (const Json& kernel : json.value("kernels", Json::array())) out.ir.kernels.push_back(kernelFrom(kernel));
    for (const Json& diagnostic : json.value("diagnostics", Json::array()))
      out.ir.diagnostics.push_back(diagnosticFrom(diagnostic));
    return out;
  });
}

}  // namespace np::analyzer
