// SARIF 2.1.0. Columns are Unicode code points in our findings and stay so (columnKind says it); artifact paths are
// relative to %SRCROOT%. Fixes carry byte offsets, as SARIF regions allow beside lines.

#include <nlohmann/json.hpp>
#include <set>

#include "cli/output/output.h"
#include "cli/output/places.h"

namespace np::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* level(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

// RFC 3986: what is not unreserved or '/' is percent-encoded.
std::string uri(const std::string& path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (unsigned char c : path) {
    const bool plain = std::isalnum(c) || c == '/' || c == '-' || c == '.' || c == '_' || c == '~';
    if (plain)
      out += static_cast<char>(c);
    else
      out = out + '%' + kHex[c >> 4] + kHex[c & 15];
  }
  return out;
}

Json artifact(const std::string& path) { return {{"uri", uri(path)}, {"uriBaseId", "SRCROOT"}}; }

Json region(const Position& start, const Position& end) {
  return {{"startLine", start.line}, {"startColumn", start.column}, {"endLine", end.line}, {"endColumn", end.column}};
}

Json location(const std::string& path, const Position& start, const Position& end) {
  return {{"physicalLocation", {{"artifactLocation", artifact(path)}, {"region", region(start, end)}}}};
}

Json fixJson(const Fix& fix) {
  std::map<std::string, Json> by_path;
  for (const Edit& edit : fix.edits) {
    Json& list = by_path[edit.path];
    if (list.is_null()) list = Json::array();
    list.push_back(
        {{"deletedRegion", {{"byteOffset", edit.range.start}, {"byteLength", edit.range.end - edit.range.start}}},
         {"insertedContent", {{"text", edit.text}}}});
  }
  Json changes = Json::array();
  for (const auto& [path, replacements] : by_path)
    changes.push_back({{"artifactLocation", artifact(path)}, {"replacements", replacements}});
  return {{"description", {{"text", fix.title}}}, {"artifactChanges", changes}};
}

Json ruleJson(const std::string& id, const analyzer::RuleRegistry* rules) {
  const analyzer::RuleInfo* info = rules ? rules->find(id) : nullptr;
  if (!info) return {{"id", id}};
  return {{"id", id},
          {"name", info->name},
          {"shortDescription", {{"text", info->summary.empty() ? info->name : info->summary}}},
          {"help", {{"text", std::string(info->page)}, {"markdown", std::string(info->page)}}},
          {"defaultConfiguration", {{"level", level(info->severity)}}}};
}

Json resultJson(const Finding& f, std::size_t rule_index) {
  Json out = {{"ruleId", f.rule},
              {"ruleIndex", rule_index},
              {"level", level(f.severity)},
              {"message", {{"text", f.message}}},
              {"locations", Json::array({location(f.path, f.start, f.end)})}};
  if (!f.fingerprint.empty()) out["partialFingerprints"] = {{"neuronPort/v1", f.fingerprint}};
  if (!f.trace.empty()) {
    Json steps = Json::array();
    for (const Related& step : f.trace) {
      Json at = location(step.path, step.start, step.end);
      at["message"] = {{"text", step.message}};
      steps.push_back({{"location", at}});
    }
    out["codeFlows"] = Json::array({{{"threadFlows", Json::array({{{"locations", steps}}})}}});
  }
  Json fixes = Json::array();
  for (const Fix& fix : f.fixes)
    if (fix.safety != FixSafety::Display && !fix.edits.empty()) fixes.push_back(fixJson(fix));
  if (!fixes.empty()) out["fixes"] = fixes;
  return out;
}

}  // namespace

std::string writeSarif(const Report& report, const OutputContext& context) {
  std::set<std::string> ids;
  for (const Finding& f : report.findings) ids.insert(f.rule);
  Json rules = Json::array(), results = Json::array();
  for (const std::string& id : ids) rules.push_back(ruleJson(id, context.rules));
  for (const Finding& f : report.findings)
    results.push_back(resultJson(f, static_cast<std::size_t>(std::distance(ids.begin(), ids.find(f.rule)))));
  Json notifications = Json::array();
  for (const SkippedFile& file : report.coverage.skipped)
    notifications.push_back(
        {{"level", "warning"},
         {"message", {{"text", "not analysed: " + file.reason}}},
         {"locations", Json::array({{{"physicalLocation", {{"artifactLocation", artifact(file.path)}}}}})}});
  const Json run = {
      {"tool",
       {{"driver",
         {{"name", "neuron-port"},
          {"semanticVersion", report.tool_version},

          {"rules", rules}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"originalUriBaseIds", {{"SRCROOT", {{"description", {{"text", "root of the analysed project"}}}}}}},
      {"invocations", Json::array({{{"executionSuccessful", true}, {"toolExecutionNotifications", notifications}}})},
      {"results", results}};
  const Json sarif = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return sarif.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string writeGitlab(const Report& report) {
  Json out = Json::array();
  for (const Finding& f : report.findings) {
    const char* severity = f.severity == Severity::Error ? "major" : f.severity == Severity::Warning ? "minor" : "info";
    out.push_back({{"description", f.message},
                   {"check_name", f.rule},
                   {"fingerprint", f.fingerprint},
                   {"severity", severity},
                   {"location", {{"path", f.path}, {"lines", {{"begin", f.start.line}, {"end", f.end.line}}}}}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace np::cli
