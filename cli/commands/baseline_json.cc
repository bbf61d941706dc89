// {"version": 1, "findings": [{"path", "rule", "fingerprint"}, …]}.

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands/baseline.h"

namespace np::cli {
namespace {

using Json = nlohmann::ordered_json;

BaselineEntry entryOf(const Finding& finding) { return {finding.path, finding.rule, finding.fingerprint}; }

}  // namespace

Baseline Baseline::of(const std::vector<Finding>& findings) {
  Baseline out;
  for (const Finding& finding : findings) out.entries_.insert(entryOf(finding));
  return out;
}

Result<Baseline> Baseline::read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in || in.bad()) return makeError("io", "cannot read the baseline \"" + file + "\"");
  const Json json = Json::parse(bytes.str(), nullptr, false);
  const auto bad = [&](const std::string& what) {
    return makeError("baseline",
                     "\"" + file + "\" is no baseline: " + what + "; neuron-port baseline create writes one");
  };
  if (!json.is_object()) return bad("not a JSON object");
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer() || *version != 1) return bad("\"version\" is not 1");
  const auto list = json.find("findings");
  if (list == json.end() || !list->is_array()) return bad("\"findings\" is not a list");
  Baseline out;
  for (const Json& one : *list) {
    const auto text = [&](const char* key) {
      const auto found = one.is_object() ? one.find(key) : one.end();
      return one.is_object() && found != one.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    BaselineEntry entry{text("path"), text("rule"), text("fingerprint")};
    if (entry.path.empty() || entry.rule.empty() || entry.fingerprint.empty())
      return bad("a finding needs \"path\", \"rule\" and \"fingerprint\"");
    out.entries_.insert(std::move(entry));
  }
  return out;
}

std::string Baseline::text() const {
  std::string out = "{\"version\": 1, \"findings\": [";
  const char* between = "\n";
  for (const BaselineEntry& entry : entries_) {
    const Json json = {{"path", entry.path}, {"rule", entry.rule}, {"fingerprint", entry.fingerprint}};
    out += between + json.dump(-1, ' ', false, Json::error_handler_t::replace);
    between = ",\n";
  }
  return out + (entries_.empty() ? "]}\n" : "\n]}\n");
}

bool Baseline::contains(const Finding& finding) const { return entries_.contains(entryOf(finding)); }

}  // namespace np::cli
