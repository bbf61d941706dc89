// Small documents with the keys that the text has columns for.

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands/listing.h"
#include "cli/commands/report_output.h"
#include "cli/version.h"

namespace np::cli {
namespace {

using Json = nlohmann::ordered_json;

Json factsOf(const analyzer::RuleInfo& rule) {
  return {{"id", rule.id},
          {"name", rule.name},
          {"category", rule.category},
          {"severity", toString(rule.severity)},
          {"effort", toString(rule.effort)},
          {"evidence", toString(rule.evidence)},
          {"release", rule.release},
          {"stability", analyzer::toString(rule.stability)},
          {"since", rule.since},
          {"summary", rule.summary}};
}

std::string dump(Json json) {
  Json out = {{"version", 1}};
  out.update(json);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string rulesJson(const std::vector<analyzer::RuleInfo>& rules) {
  Json list = Json::array();
  for (const analyzer::RuleInfo& rule : rules) list.push_back(factsOf(rule));
  return dump({{"rules", list}});
}

std::string ruleJson(const analyzer::RuleInfo& rule) {
  Json out = factsOf(rule);
  out["page"] = std::string(rule.page);
  return dump({{"rule", out}});
}

std::string rowsJson(const std::vector<analyzer::ApiMapRow>& rows) {
  Json list = Json::array();
  for (const analyzer::ApiMapRow& row : rows)
    list.push_back({{"cuda", row.cuda},
                    {"category", row.category},
                    {"accelerator", row.accelerator},
                    {"neuron", row.neuron},
                    {"kind", row.kind},
                    {"note", row.note},
                    {"min_torch", row.min_torch},
                    {"source", row.source}});
  return dump({{"apis", list}});
}

std::string refusalJson(const std::string& code, const std::string& page) {
  return dump({{"refusal", {{"code", code}, {"page", page}}}});
}

std::string checksJson(const std::vector<Check>& checks) {
  Json list = Json::array();
  bool all = true;
  for (const Check& check : checks) {
    all &= check.good;
    list.push_back({{"what", check.what},
                    {"good", check.good},
                    {"detail", check.detail},
                    {"advice", check.good ? "" : check.advice}});
  }
  return dump({{"tool", {{"name", "neuron-port"}, {"version", kVersion}, {"target", kTarget}}},
               {"good", all},
               {"checks", list}});
}

Result<void> writeListing(const Invocation& invocation, const std::string& text, const std::string& json) {
  for (const OutputRequest& request : invocation.outputs)
    if (request.format != "text" && request.format != "json")
      return makeError("usage", "\"" + invocation.verb + "\" prints text or json, not \"" + request.format + "\"");
  for (const OutputRequest& request : invocation.outputs) {
    const std::string& chosen = request.format == "json" ? json : text;
    if (request.file.empty()) {
      std::fwrite(chosen.data(), 1, chosen.size(), stdout);
    } else {
      NP_TRY(writeWhole(request.file, chosen));
    }
  }
  return {};
}

}  // namespace np::cli
