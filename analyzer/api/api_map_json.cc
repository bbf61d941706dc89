// Look-ups in the API map of Python names and in the table of C++ names. The table is embedded and parsed on use: only
// `explain` asks for it.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/api/api_map_table.h"
#include "analyzer/api/rules.h"
#include "analyzer/rules/cuda/host_api_table.h"

namespace np::analyzer {
namespace {

std::string field(const nlohmann::json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// Lower is better: equal, a call of it, ends in it, contains it; -1: unrelated.
int rank(const std::string& cuda, const std::string& name) {
  if (cuda == name) return 0;
  if (cuda.starts_with(name + "(") || cuda.starts_with(name + " ")) return 1;
  const std::size_t at = cuda.find(name);
  if (at == std::string::npos) return -1;
  const bool whole_word =
      (at == 0 || !std::isalnum(static_cast<unsigned char>(cuda[at - 1]))) &&
      (at + name.size() == cuda.size() || !std::isalnum(static_cast<unsigned char>(cuda[at + name.size()])));
  return whole_word ? 2 : 3;
}

}  // namespace

std::vector<ApiMapRow> findInApiMap(const std::string& name, std::size_t limit) {
  const nlohmann::json table = nlohmann::json::parse(kApiMapTable, nullptr, false);
  std::vector<std::pair<int, ApiMapRow>> found;
  if (name.empty() || !table.is_array()) return {};
  for (const auto& row : table) {
    const std::string cuda = field(row, "cuda");
    const int r = rank(cuda, name);
    if (r < 0) continue;
    found.push_back(
        {r, ApiMapRow{cuda, field(row, "category"), field(row, "accelerator"), field(row, "neuron"),
                      field(row, "class"), field(row, "note"), field(row, "min_torch"), field(row, "source")}});
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ApiMapRow> out;
  if (const auto host = HostApiTable::load(); host.ok()) {
    const HostApiRow* row = host->find(name);
    // A row of a family, such as cublas*, answers only where nothing better does.
    if (row && (!row->is_prefix || found.empty()))
      out.push_back({row->name + (row->is_prefix ? "*" : ""), row->category, "", row->instead, row->rule, "", "", ""});
  }
  for (auto& [r, row] : found)
    if (out.size() < limit) out.push_back(std::move(row));
  return out;
}

}  // namespace np::analyzer
