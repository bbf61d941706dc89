// Reads shims/tables/cuda_host_api.json, strictly: a row without a category, a category without a rule or a name given
// twice is an error, so that the table cannot rot.

#include <nlohmann/json.hpp>

#include "analyzer/rules/cuda/cuda_host_api_data.h"
#include "analyzer/rules/cuda/host_api_table.h"

namespace np::analyzer {

Result<HostApiTable> HostApiTable::parse(std::string_view text) {
  HostApiTable out;
  try {
    const auto json = nlohmann::json::parse(text);
    const auto& categories = json.at("categories");
    for (const auto& item : json.at("rows")) {
      HostApiRow row;
      row.name = item.at("name").get<std::string>();
      row.category = item.at("category").get<std::string>();
      row.instead = item.at("instead").get<std::string>();
      if (!categories.contains(row.category))
        return makeError("host-api-table", "row \"" + row.name + "\" has an unknown category \"" + row.category + "\"");
      row.rule = categories.at(row.category).get<std::string>();
      row.is_prefix = row.name.ends_with('*');
      if (!out.exact_.emplace(row.name, out.rows_.size()).second)
        return makeError("host-api-table", "row \"" + row.name + "\" is given twice");
      if (row.is_prefix) row.name.pop_back();
      out.rows_.push_back(std::move(row));
    }
  } catch (const nlohmann::json::exception& error) {
    return makeError("host-api-table", std::string("the table is not understood: ") + error.what());
  }
  return out;
}

Result<HostApiTable> HostApiTable::load() { return parse({kCudaHostApi, sizeof kCudaHostApi - 1}); }

const HostApiRow* HostApiTable::find(std::string_view name) const {
  if (const auto exact = exact_.find(name); exact != exact_.end()) return &rows_[exact->second];
  const HostApiRow* best = nullptr;
  for (const HostApiRow& row : rows_)
    if (row.is_prefix && name.starts_with(row.name) && (!best || best->name.size() < row.name.size())) best = &row;
  return best;
}

}  // namespace np::analyzer
