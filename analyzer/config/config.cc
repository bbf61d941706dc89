// Keys are read from one table, so that an unknown one can be answered with the nearest that exists.

#include "analyzer/config/config.h"

#define TOML_EXCEPTIONS 0
// Version 3.3 asserts that a key starts with a key character before it reports that it does not ("[%]"): a mistake in a
// user's file must not end the program.
#include <toml++/impl/preprocessor.h>
#undef TOML_ASSERT
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT(condition) static_assert(true)
#define TOML_ASSERT_ASSUME(condition) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "analyzer/base/nearest.h"
#include "analyzer/config/config_tree.h"

namespace np::analyzer {
namespace {

using Lists = std::map<std::string, std::vector<std::string> Config::*>;
using Words = std::map<std::string, std::string Config::*>;

const Lists& listKeys() {
  static const Lists kKeys = {{"select", &Config::select},
                              {"ignore", &Config::ignore},
                              {"extend-select", &Config::extend_select},
                              {"exclude", &Config::exclude}};
  return kKeys;
}

const Words& wordKeys() {
  static const Words kKeys = {
      {"fail-on", &Config::fail_on}, {"target", &Config::target}, {"min-torch", &Config::min_torch}};
  return kKeys;
}

std::string at(const std::string& path, const toml::source_region& where) {
  return path + ":" + std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column);
}

Error unknownKey(const std::string& key, const std::string& location) {
  std::vector<std::string> keys;
  for (const auto& [name, member] : listKeys()) keys.push_back(name);
  for (const auto& [name, member] : wordKeys()) keys.push_back(name);
  const auto near = nearest(key, keys);
  return makeError("unknown-key", "unknown key \"" + key + "\"" + (near ? ", did you mean \"" + *near + "\"" : ""),
                   location);
}

Result<void> checkWord(const std::string& key, const std::string& value, const std::string& location) {
  const std::vector<std::string> allowed = key == "fail-on"  ? std::vector<std::string>{"hint", "warning", "error"}
                                           : key == "target" ? std::vector<std::string>{"accelerator", "neuron"}
                                                             : std::vector<std::string>{};
  if (allowed.empty() || std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return {};
  const auto near = nearest(value, allowed);
  return makeError(
      "bad-value",
      "\"" + key + "\" cannot be \"" + value + "\"" +
          (near ? ", did you mean \"" + *near + "\"" : ", it is \"" + allowed[0] + "\" or \"" + allowed[1] + "\""),
      location);
}

Result<Config> fromTable(const toml::table& table, const std::string& path) {
  Config out;
  out.path = path;
  for (const auto& [name, node] : table) {
    const std::string key(name.str()), location = at(path, node.source());
    out.lines[key] = static_cast<int>(name.source().begin.line);
    if (const auto list = listKeys().find(key); list != listKeys().end()) {
      const toml::array* values = node.as_array();
      if (!values) return makeError("bad-value", "\"" + key + "\" must be a list of texts", location);
      for (const toml::node& value : *values) {
        const auto text = value.value<std::string>();
        if (!text) return makeError("bad-value", "\"" + key + "\" must be a list of texts", location);
        (out.*(list->second)).push_back(*text);
      }
    } else if (const auto word = wordKeys().find(key); word != wordKeys().end()) {
      const auto text = node.value<std::string>();
      if (!node.is_string() || !text) return makeError("bad-value", "\"" + key + "\" must be a text", location);
      NP_TRY(checkWord(key, *text, location));
      out.*(word->second) = *text;
    } else {
      return unknownKey(key, location);
    }
  }
  return out;
}

std::string quoted(const std::string& value) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string quotedList(const std::vector<std::string>& values) {
  std::string out = "[";
  for (const std::string& value : values) out += (out.size() > 1 ? ", " : "") + quoted(value);
  return out + "]";
}

}  // namespace

Result<Config> parseConfig(std::string_view text, const std::string& path, bool in_pyproject) {
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) return makeError("toml", std::string(parsed.error().description()), at(path, parsed.error().source()));
  if (!in_pyproject) return fromTable(parsed.table(), path);
  const toml::table* ours = parsed.table()["tool"]["neuron-port"].as_table();
  if (!ours) return Config{};
  return fromTable(*ours, path);
}

Result<Config> loadConfig(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return makeError("io", "cannot read configuration file \"" + file + "\"", file);
  std::ostringstream text;
  text << in.rdbuf();
  return parseConfig(text.str(), file, std::filesystem::path(file).filename() == "pyproject.toml");
}

Result<Config> discoverConfig(const std::string& root) {
  for (const char* name : {"neuron-port.toml", "pyproject.toml"}) {
    const std::string file = (std::filesystem::path(root) / name).string();
    std::error_code ec;
    if (!std::filesystem::is_regular_file(file, ec)) continue;
    NP_ASSIGN(Config config, loadConfig(file));
    if (!config.path.empty()) return config;
  }
  return Config{};
}

std::string toToml(const Config& config) {
  std::string out = config.path.empty() ? "# no configuration file\n" : "# " + config.path + "\n";
  for (const auto& [name, member] : listKeys())
    if (!(config.*member).empty()) out += name + " = " + quotedList(config.*member) + "\n";
  for (const auto& [name, member] : wordKeys())
    if (!(config.*member).empty()) out += name + " = " + quoted(config.*member) + "\n";
  return out;
}

std::vector<Setting> explainConfig(const Config& config) {
  // What holds when nothing sets a key.
  static const std::map<std::string, std::string> kDefaults = {
      {"select", "[\"NPT\"]"},    {"extend-select", "[]"},       {"ignore", "[]"},     {"exclude", "[]"},
      {"fail-on", "\"warning\""}, {"target", "\"accelerator\""}, {"min-torch", "\"\""}};
  std::vector<Setting> out;
  for (const char* key : {"select", "extend-select", "ignore", "exclude", "fail-on", "target", "min-torch"}) {
    const auto line = config.lines.find(key);
    Setting setting{key, kDefaults.at(key), "default"};
    if (line != config.lines.end()) {
      const auto list = listKeys().find(key);
      setting.value =
          list != listKeys().end() ? quotedList(config.*(list->second)) : quoted(config.*(wordKeys().at(key)));
      setting.origin = config.path + ":" + std::to_string(line->second);
    } else if (setting.key == "min-torch") {
      setting.origin = "default: read from the project's requirements";
    }
    out.push_back(std::move(setting));
  }
  return out;
}

}  // namespace np::analyzer
