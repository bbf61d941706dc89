// Written by hand, one function a type: the keys are a contract, so they stand here and nowhere else.

#include "analyzer/base/report/report_json.h"

#include <nlohmann/json.hpp>

#include "analyzer/base/report/readiness.h"
#include "analyzer/base/report/report_schema.h"

namespace np {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const Position& p) { return {{"line", p.line}, {"column", p.column}, {"offset", p.offset}}; }

Json rangeJson(const Position& start, const Position& end) { return {{"start", toJson(start)}, {"end", toJson(end)}}; }

Json toJson(const SourceRange& where) { return rangeJson(where.start, where.end); }

Json toJson(const Fix& fix) {
  Json edits = Json::array();
  for (const Edit& edit : fix.edits)
    edits.push_back({{"path", edit.path}, {"start", edit.range.start}, {"end", edit.range.end}, {"text", edit.text}});
  Json out = {{"safety", toString(fix.safety)}, {"title", fix.title}, {"min_torch", fix.min_torch}, {"edits", edits}};
  if (!fix.imports.empty()) out["imports"] = fix.imports;
  if (!fix.group.empty()) out["group"] = fix.group;
  return out;
}

Json toJson(const Finding& f) {
  Json trace = Json::array();
  for (const Related& step : f.trace)
    trace.push_back({{"path", step.path}, {"range", rangeJson(step.start, step.end)}, {"message", step.message}});
  Json fixes = Json::array();
  for (const Fix& fix : f.fixes) fixes.push_back(toJson(fix));
  return {{"rule", f.rule},
          {"name", f.name},
          {"subject", f.subject},
          {"severity", toString(f.severity)},
          {"effort", toString(f.effort)},
          {"evidence", toString(f.evidence)},
          {"url", f.url},
          {"path", f.path},
          {"range", rangeJson(f.start, f.end)},
          {"message", f.message},
          {"notes", f.notes},
          {"trace", trace},
          {"fingerprint", f.fingerprint},
          {"fixes", fixes}};
}

Json toJson(const Launch& l) {
  return {{"path", l.where.path}, {"range", toJson(l.where)},
          {"kernel", l.kernel},   {"function", l.function},
          {"grid", l.grid},       {"block", l.block},
          {"shared", l.shared},   {"stream", l.stream},
          {"args", l.args},       {"via", l.via}};
}

Json toJson(const Binding& b) {
  return {{"path", b.where.path}, {"range", toJson(b.where)}, {"kind", b.kind},
          {"name", b.name},       {"function", b.function},   {"schema", b.schema}};
}

Json toJson(const Port& p) {
  Json out = {{"status", toString(p.status)}, {"proof", p.proof}, {"class", p.kernel_class}};
  out["reason"] = nullptr;
  if (p.reason) {
    out["reason"] = {{"code", p.reason->code}, {"message", p.reason->message}, {"advice", p.reason->advice}};
    if (p.reason->where) {
      out["reason"]["path"] = p.reason->where->path;
      out["reason"]["range"] = toJson(*p.reason->where);
    }
  }
  Json gates = Json::array();
  for (const Gate& gate : p.gates)
    gates.push_back({{"name", gate.name}, {"passed", gate.passed}, {"detail", gate.detail}});
  out["spec"] = p.spec;
  out["same_as"] = p.same_as;
  out["files"] = p.files;
  out["assumptions"] = p.assumptions;
  out["gates"] = gates;
  out["gates_missing"] = p.gates_missing;
  out["sizes"] = p.sizes;
  out["cost"] = nullptr;
  if (p.cost)
    out["cost"] = {{"target", p.cost->target},
                   {"low_us", p.cost->low_us},
                   {"estimate_us", p.cost->estimate_us},
                   {"high_us", p.cost->high_us},
                   {"bound", p.cost->bound}};
  return out;
}

Json toJson(const Kernel& k) {
  Json launches = Json::array(), bindings = Json::array(), params = Json::array();
  for (const Launch& launch : k.launches) launches.push_back(toJson(launch));
  for (const Binding& binding : k.bindings) bindings.push_back(toJson(binding));
  for (const KernelParam& param : k.params) params.push_back({{"name", param.name}, {"type", param.type}});
  return {{"name", k.name},           {"path", k.where.path},
          {"range", toJson(k.where)}, {"template_params", k.template_params},
          {"params", params},         {"instantiations", k.instantiations},
          {"launches", launches},     {"bindings", bindings},
          {"port", toJson(k.port)}};
}

Json toJson(const Coverage& c) {
  const auto list = [](const std::vector<SkippedFile>& files) {
    Json out = Json::array();
    for (const SkippedFile& file : files) out.push_back({{"path", file.path}, {"reason", file.reason}});
    return out;
  };
  return {{"files", c.files},
          {"analysed", c.analysed},
          {"partial", c.partial},
          {"skipped", list(c.skipped)},
          {"partial_files", list(c.partial_files)},
          {"unknown_calls", c.unknown_calls},
          {"suppressed", c.suppressed}};
}

Json toJson(const Summary& s) {
  return {{"errors", s.errors}, {"warnings", s.warnings}, {"hints", s.hints},     {"safe", s.safe},
          {"unsafe", s.unsafe}, {"by_hand", s.by_hand},   {"by_rule", s.by_rule}, {"kernels", s.kernels_by_status}};
}

Json toJson(const Readiness& r) {
  Json list = Json::array();
  for (const WorkItem& item : r.worklist)
    list.push_back({{"work", toString(item.work)},
                    {"blocker", item.blocker},
                    {"rule", item.rule},
                    {"name", item.name},
                    {"places", item.places},
                    {"files", item.files},
                    {"path", item.path},
                    {"line", item.line}});
  return {{"automatic", r.automatic}, {"minutes", r.minutes},   {"hours", r.hours}, {"rewrite", r.rewrite},
          {"advice", r.advice},       {"blockers", r.blockers}, {"worklist", list}};
}

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string text(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::vector<std::string> texts(const Json& object, const char* key) {
  std::vector<std::string> out;
  if (const auto it = object.find(key); it != object.end() && it->is_array())
    for (const Json& item : *it)
      if (item.is_string()) out.push_back(item.get<std::string>());
  return out;
}

Position positionFrom(const Json& json) {
  return {json.value("line", 1u), json.value("column", 1u), json.value("offset", 0u)};
}

PortStatus statusFrom(const std::string& name) {
  for (PortStatus status : {PortStatus::NotTried, PortStatus::Translated, PortStatus::Refused, PortStatus::Unsupported})
    if (name == toString(status)) return status;
  return PortStatus::Failed;
}

}  // namespace

std::string reportToJson(const Report& report) {
  Json findings = Json::array(), kernels = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(toJson(finding));
  for (const Kernel& kernel : report.kernels) kernels.push_back(toJson(kernel));
  Json out = {{"version", 1},
              {"tool", {{"name", "neuron-port"}, {"version", report.tool_version}, {"target", report.target}}},
              {"coverage", toJson(report.coverage)},
              {"findings", findings},
              {"kernels", kernels}};
  if (report.validation) {
    const Validation& v = *report.validation;
    out["validation"] = {
        {"command", v.command}, {"passed", v.passed}, {"failed", v.failed}, {"skipped", v.skipped}, {"log", v.log}};
  }
  if (!report.changed_files.empty()) out["changed_files"] = report.changed_files;
  out["summary"] = toJson(summarize(report));
  out["summary"]["readiness"] = toJson(readinessOf(report));
  return dump(out);
}

std::string findingsToJsonLines(const Report& report) {
  std::string out;
  for (const Finding& finding : report.findings)
    out += toJson(finding).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return out;
}

std::string reportJsonSchema() { return kReportSchema; }

std::string portToJson(const Port& port) { return dump(toJson(port)); }

Result<Port> portFromJson(const std::string& source) {
  const Json json = Json::parse(source, nullptr, false);
  if (!json.is_object() || !json.contains("status")) return makeError("json", "not a port object");
  Port port;
  port.status = statusFrom(text(json, "status"));
  port.proof = text(json, "proof");
  port.kernel_class = text(json, "class");
  port.spec = text(json, "spec");
  port.same_as = text(json, "same_as");
  port.files = texts(json, "files");
  port.assumptions = texts(json, "assumptions");
  port.gates_missing = texts(json, "gates_missing");
  if (const auto it = json.find("reason"); it != json.end() && it->is_object()) {
    PortReason reason{text(*it, "code"), text(*it, "message"), {}, text(*it, "advice")};
    if (const auto range = it->find("range");
        range != it->end() && range->is_object() && range->contains("start") && range->contains("end")) {
      SourceRange where{text(*it, "path"), {}, positionFrom((*range)["start"]), positionFrom((*range)["end"])};
      where.range = {where.start.offset, where.end.offset};
      reason.where = where;
    }
    port.reason = reason;
  }
  if (const auto it = json.find("gates"); it != json.end() && it->is_array())
    for (const Json& gate : *it)
      port.gates.push_back({text(gate, "name"), gate.value("passed", false), text(gate, "detail")});
  if (const auto it = json.find("sizes"); it != json.end() && it->is_array())
    for (const Json& row : *it) port.sizes.push_back(row.get<std::vector<std::int64_t>>());
  if (const auto it = json.find("cost"); it != json.end() && it->is_object())
    port.cost = CostEstimate{text(*it, "target"), it->value("low_us", 0.0), it->value("estimate_us", 0.0),
                             it->value("high_us", 0.0), text(*it, "bound")};
  return port;
}

}  // namespace np
